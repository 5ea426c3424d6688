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
	// State is "none"; "created", if there was no file; "mixed", if its contents were
	// mixed in; "saved"; "read", by Inspect; or "failed".
	State string `json:"state"`
	// Nodes is how many nodes' states were found in the file, 0 if there was none.
	Nodes int `json:"nodes"`
	// Saved is when the contents found in the file were written.
	Saved time.Time `json:"saved,omitzero"`
	// Copied says that the file was copied or restored since it was written: its
	// contents may have been used before.
	Copied bool `json:"copied"`
	// Credit is how many bits the contents counted for: see LoadCredited.
	Credit int `json:"credit"`
	// Note is the error, or a warning.
	Note string `json:"note,omitempty"`
}

// Load mixes the contents of a seed file, left by an earlier process, into the pools of
// all nodes, and leaves new contents, made from every node's pool, for the next. Call it
// once, at the start. The contents count for nothing, so a file that others have read or
// made does no harm; they help a kernel that starts with too little entropy.
//
// The new contents and the directory are on the disk before the old contents are used:
// whenever the process or the machine stops, no contents are used twice. Load creates a
// missing file. On an error it uses nothing, and the pools are as strong as the kernel,
// as without a seed file. The new contents take 32 bytes of the kernel for each node, so
// Load waits until the kernel's generator is seeded.
//
// Load refuses a file unless it is a regular file of this user's, with mode 0600 or less;
// a symbolic link; and a directory in which others may replace the file. It refuses, and
// leaves unchanged, a file that is not a whole seed file. A file copied or restored since
// it was written may have been used before: Load mixes it in all the same, and Status says
// so if its inode or time shows it, as for most copies.
//
// Processes that use the same file take turns, by a lock (flock(2), released when a
// process ends) on a file beside it, path + ".lock", which no other user can open. If
// Load does not get its turn within 30 s, because another process of this user's was
// stopped in its own, it returns an error. It works on Linux, macOS and the BSDs; elsewhere
// it returns an error that is errors.ErrUnsupported. It may be called from any goroutine.
func Load(path string) error { return pools.Load(path, 0) }

// LoadCredited is [Load] for a file that certainly no one else has seen, on a disk of which
// no copy exists: the contents count for bits of entropy, 0 to 512. A file whose inode or
// time shows that it was copied or restored counts for nothing all the same; not every copy
// shows it. Credit decides which node is fed next and how soon the pools ask the sources
// again. It makes no key stronger, so very few programs need it.
func LoadCredited(path string, bits int) error { return pools.Load(path, bits) }

// Save leaves new contents for the next process, made from every node's pool and a hash of
// the old contents, and uses nothing. It is for the end of a process that has run for a
// long time. Files, errors and systems are those of [Load]. It may be called from any
// goroutine.
func Save(path string) error { return pools.Save(path) }

// Inspect reads a seed file as [Load] would, with the same errors, and neither changes nor
// uses it. It takes no lock, because the file is always the old one or the new one, whole.
// It may be called from any goroutine.
func Inspect(path string) (SeedFileReport, error) {
	r, err := pools.Inspect(path)
	return SeedFileReport(r), err
}
