// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"fount/internal/erase"
	"fount/internal/seedfile"
)

// A SeedFileReport is pool.SeedFileReport, which explains the fields.
type SeedFileReport struct {
	Path   string
	State  string
	Nodes  int
	Saved  time.Time
	Copied bool
	Credit int
	Note   string
}

// fileState is what Status tells of the seed file.
type fileState struct {
	mu     sync.Mutex
	report SeedFileReport
}

// Load is pool.LoadCredited.
func Load(path string, bits int) error {
	if bits < 0 || bits > maxCredit {
		return fmt.Errorf("a credit of %d bits for seed file %s; want 0 to %d", bits, path, maxCredit)
	}
	return own().load(systemDisk{}, path, bits)
}

// Save is pool.Save.
func Save(path string) error { return own().save(systemDisk{}, path) }

// Inspect is pool.Inspect.
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
		seedfile.Failed(err)
	} else if r.State == "mixed" {
		seedfile.Mixed(r.Nodes * entrySize)
	}
	return err
}

// replaceSeed replaces the old contents with new ones and returns the old. Once it has
// returned without an error, they are no longer in the file.
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
// bytes of the kernel and of the old contents. They are secret if one of these is, and
// reveal nothing of any.
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
