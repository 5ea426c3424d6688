// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"time"

	"fount/internal/pools"
)

// A SeedFileReport is what is known of a seed file. It holds nothing secret.
type SeedFileReport struct {
	Path string `json:"path,omitempty"`
	// State is "none"; or "created", where there was no file; "mixed", when what was in
	// it has been mixed in; "saved"; "read", by Inspect; or "failed".
	State string `json:"state"`
	// Nodes is how many nodes' states were found in the file, 0 if there was none.
	Nodes int `json:"nodes"`
	// Saved is when what was found in the file had been written.
	Saved time.Time `json:"saved,omitzero"`
	// Copied says that the file was copied or restored since it was written: its
	// contents may have been used before.
	Copied bool `json:"copied"`
	// Credit is how many bits the contents were counted for: see LoadCredited.
	Credit int `json:"credit"`
	// Note is the error, or a warning.
	Note string `json:"note,omitempty"`
}

// Load mixes what an earlier process left in the file into the pools of all nodes, and
// leaves new contents for the next, made from every node's pool. It is called once, at
// the start. The contents count for nothing, so a file that somebody else has read or
// made does no harm; what they do is keep a kernel that starts with too little from
// being all there is.
//
// The new contents are on the disk, and the directory too, before the old ones are
// used: whenever the process or the machine stops, no contents are used twice. If
// there is no file one is created. On an error nothing is used, and the pools are
// what they would be without a seed file: as strong as the kernel. The new contents
// take 32 bytes of the kernel for each node, so Load waits until the kernel's generator
// is seeded.
//
// It refuses a file that is not a regular one of this user's with mode 0600 or
// less, a symbolic link, and a directory in which others may replace the file. It refuses
// what is not a seed file, or no whole one, and leaves it as it is. A file that was
// copied or restored since it was written may have been used before: it is mixed in all
// the same, and Status says so if its inode or time shows it, as those of most copies do.
//
// Processes that use the same file take turns by a lock (flock(2), released when a process
// ends) on a file beside it, path + ".lock", which nobody else can open. One that
// does not get its turn within 30 s, because another of this user's was stopped within its
// own, returns an error. It works on Linux, macOS and the BSDs, and elsewhere
// returns an error that is errors.ErrUnsupported. It may be called from any goroutine.
func Load(path string) error { return pools.Load(path, 0) }

// LoadCredited is [Load] for who knows that nobody else has seen the file and that no copy
// of the machine's disk exists: the contents are counted for bits of entropy, 0 to 512. A
// file whose inode or time shows that it was copied or restored counts for nothing all the
// same; not every copy shows it. Credit decides which node is fed next and how soon the
// sources are asked again, and no key is stronger for it; so nearly nobody needs it.
func LoadCredited(path string, bits int) error { return pools.Load(path, bits) }

// Save leaves new contents for the next process and uses nothing: they are made from every
// node's pool, and the old ones are hashed in. It is for the end of a process that has run
// for long. Files, errors and systems are those of [Load]. It may be called from any
// goroutine.
func Save(path string) error { return pools.Save(path) }

// Inspect looks at a seed file as [Load] would, with the same errors, and changes and uses
// nothing. It takes no lock, as the file is always the old one or the new one, whole. It may be
// called from any goroutine.
func Inspect(path string) (SeedFileReport, error) {
	r, err := pools.Inspect(path)
	return SeedFileReport(r), err
}
