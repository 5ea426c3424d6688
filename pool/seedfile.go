// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"fount/entropy"
	"fount/internal/erase"
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

// fileState is what Status tells of the seed file.
type fileState struct {
	mu     sync.Mutex
	report SeedFileReport
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
func Load(path string) error { return own().load(systemDisk{}, path, 0) }

// LoadCredited is [Load] for who knows that nobody else has seen the file and that no copy
// of the machine's disk exists: the contents are counted for bits of entropy, 0 to 512. A
// file whose inode or time shows that it was copied or restored counts for nothing all the
// same; not every copy shows it. Credit decides which node is fed next and how soon the
// sources are asked again, and no key is stronger for it; so nearly nobody needs it.
func LoadCredited(path string, bits int) error {
	if bits < 0 || bits > maxCredit {
		return fmt.Errorf("a credit of %d bits for seed file %s; want 0 to %d", bits, path, maxCredit)
	}
	return own().load(systemDisk{}, path, bits)
}

// Save leaves new contents for the next process and uses nothing: they are made from every
// node's pool, and the old ones are hashed in. It is for the end of a process that has run
// for long. Files, errors and systems are those of [Load]. It may be called from any
// goroutine.
func Save(path string) error { return own().save(systemDisk{}, path) }

// Inspect looks at a seed file as [Load] would, with the same errors, and changes and uses
// nothing. It takes no lock, as the file is always the old one or the new one, whole. It may be
// called from any goroutine.
func Inspect(path string) (SeedFileReport, error) { return inspect(systemDisk{}, path) }

func inspect(d disk, path string) (SeedFileReport, error) {
	s, r, err := lookAt(d, path)
	if err != nil {
		return failed(path, err), seedError(path, err)
	}
	erase.Wipe(s.entries)
	r.State = "read"
	return r, nil
}

func lookAt(d disk, path string) (*seed, SeedFileReport, error) {
	if err := d.check(path); err != nil {
		return nil, SeedFileReport{}, err
	}
	return readSeed(d, path)
}

// seedError is one line that names the file once.
func seedError(path string, err error) error {
	if e, ok := err.(*fs.PathError); ok && e.Path == path {
		err = e.Err
	}
	return fmt.Errorf("seed file %s: %w", path, err)
}

func failed(path string, err error) SeedFileReport {
	return SeedFileReport{Path: path, State: "failed", Note: err.Error()}
}

func (p *pools) load(d disk, path string, credit int) error {
	old, r, err := p.replaceSeed(d, path)
	if err != nil {
		return p.tell(failed(path, err), seedError(path, err))
	}
	defer erase.Wipe(old.entries)
	if old.nodes() == 0 {
		r.State = "created"
		return p.tell(r, nil)
	}
	if !r.Copied {
		r.Credit = p.worth(credit)
	}
	p.useSeed(old, r.Credit)
	r.State = "mixed"
	return p.tell(r, nil)
}

func (p *pools) save(d disk, path string) error {
	old, r, err := p.replaceSeed(d, path)
	if err != nil {
		return p.tell(failed(path, err), seedError(path, err))
	}
	erase.Wipe(old.entries)
	r.State = "saved"
	return p.tell(r, nil)
}

// tell remembers what came of a load or save, for Status and entropy.List, and returns err.
func (p *pools) tell(r SeedFileReport, err error) error {
	p.file.mu.Lock()
	p.file.report = r
	p.file.mu.Unlock()
	if err != nil {
		entropy.SeedFile(0, err)
	} else if r.State == "mixed" {
		entropy.SeedFile(r.Nodes*entrySize, nil)
	}
	return err
}

// replaceSeed puts new contents where the old ones are, and returns those. Once it has
// returned without an error nobody finds them on the disk.
func (p *pools) replaceSeed(d disk, path string) (old *seed, r SeedFileReport, err error) {
	unlock, err := d.lock(path)
	if err != nil {
		return nil, r, err
	}
	defer unlock()
	old, r, err = readSeed(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		old, r, err = &seed{}, SeedFileReport{Path: path}, nil
	}
	if err != nil {
		return nil, r, err
	}
	p.refresh() // so that every node has a key
	if err := writeSeed(d, path, p.newSeed(old)); err != nil {
		erase.Wipe(old.entries)
		return nil, r, err
	}
	return old, r, nil
}

const copiedNote = "the file was copied or restored since it was written: what is in it may have been used before"

// readSeed reads and checks a seed file.
func readSeed(d disk, path string) (s *seed, r SeedFileReport, err error) {
	b, id, err := d.read(path)
	if err != nil {
		return nil, r, err
	}
	if s, err = parseSeed(b); err != nil {
		return nil, r, err
	}
	r = SeedFileReport{Path: path, Nodes: s.nodes(), Saved: s.saved}
	if s.inode != id.inode || !s.saved.Equal(id.date) {
		r.Copied, r.Note = true, copiedNote
	}
	return s, r, nil
}

// newSeed makes the next contents: for each node a hash of 32 bytes of its pool, of 32
// bytes of the kernel and of the old contents. What of these is secret keeps them secret,
// and they tell nothing of it.
func (p *pools) newSeed(old *seed) *seed {
	s := &seed{saved: time.Unix(time.Now().Unix(), 0), entries: make([]byte, len(p.nodes)*entrySize)}
	m := make(message, 0, 256)
	var secret [2 * keySize]byte
	var before [hashSize]byte
	message(old.entries).sum(before[:])
	for k := range p.nodes {
		p.fresh((*[keySize]byte)(secret[:]))
		clear(secret[keySize:])
		p.drawFrom(k, (*[keySize]byte)(secret[keySize:]))
		m = append(append(append(begin(m, 1), secret[:]...), before[:]...), seedLabel...)
		m = binary.BigEndian.AppendUint32(m, uint32(k))
		m.sum(s.entries[k*entrySize:][:entrySize])
	}
	erase.Wipe(m)
	erase.Wipe(secret[:])
	erase.Wipe(before[:])
	return s
}

// useSeed brings a file's contents, all of them, into every node's pool.
func (p *pools) useSeed(old *seed, credit int) {
	p.takeIn(func() { p.input.mix("seed file", old.entries, credit) })
}
