// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"fount/entropy"
	"fount/internal/erase"
)

// A SeedFileReport is what is known of a seed file. It holds nothing secret.
type SeedFileReport struct {
	Path string `json:"path,omitempty"`
	// State is "none"; or "created", where there was no file; "mixed", when what was in
	// it has been mixed in; "saved"; "read", by ReadSeedFile; or "failed".
	State string `json:"state"`
	// Nodes is how many nodes' states were found in the file, 0 if there was none.
	Nodes int `json:"nodes"`
	// Saved is when what was found in the file had been written.
	Saved time.Time `json:"saved,omitzero"`
	// Note is the error, or a warning.
	Note string `json:"note,omitempty"`
}

// fileState is what Status tells of the seed file.
type fileState struct {
	mu     sync.Mutex
	report SeedFileReport
}

// UseSeedFile mixes what an earlier process left in the file into the pools of all
// nodes, and leaves new contents for the next, made from every node's pool. It is
// called once, at the start. The contents count for nothing, so a file that somebody
// else has read or made does no harm; what they do is keep a kernel that starts
// with too little from being all there is.
//
// The new contents are on the disk, and the directory too, before the old ones are
// used: whenever the process or the machine stops, no contents are used twice. If
// there is no file one is created. On an error nothing is used, and the pools are
// what they would be without a seed file: as strong as the kernel.
//
// It refuses a file that is not a regular one of this user's with mode 0600 or
// less, a symbolic link, and a directory in which others may replace the file. It refuses
// what is not a seed file, or no whole one, and leaves it as it is. A file that was
// copied or restored since it was written may have been used before: it is mixed in all
// the same, and Status says so.
//
// Processes that use the same file take turns by a lock on the directory (flock(2),
// released when a process ends). It works on Linux, macOS and the BSDs, and elsewhere
// returns an error that is errors.ErrUnsupported. It may be called from any goroutine.
func UseSeedFile(path string) error { return own().replaceSeed(systemDisk{}, path, true) }

// SaveSeedFile is [UseSeedFile] without the use: it leaves new contents, into which the
// old ones are hashed. It is for the end of a process that has run for long.
func SaveSeedFile(path string) error { return own().replaceSeed(systemDisk{}, path, false) }

// ReadSeedFile looks at a seed file as [UseSeedFile] would, with the same errors, and
// changes and uses nothing.
func ReadSeedFile(path string) (SeedFileReport, error) {
	s, note, err := readSeed(systemDisk{}, path)
	if err != nil {
		return failed(path, err), seedError(path, err)
	}
	erase.Wipe(s.entries)
	return SeedFileReport{Path: path, State: "read", Nodes: s.nodes(), Saved: s.saved, Note: note}, nil
}

func seedError(path string, err error) error { return fmt.Errorf("seed file %s: %w", path, err) }

func failed(path string, err error) SeedFileReport {
	return SeedFileReport{Path: path, State: "failed", Note: err.Error()}
}

// replaceSeed is UseSeedFile, or SaveSeedFile, on a disk, and remembers what came of it.
func (p *pools) replaceSeed(d disk, path string, use bool) error {
	r, err := p.tryReplaceSeed(d, path, use)
	if err != nil {
		r, err = failed(path, err), seedError(path, err)
	}
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

func (p *pools) tryReplaceSeed(d disk, path string, use bool) (r SeedFileReport, err error) {
	unlock, err := d.lock(filepath.Dir(path))
	if err != nil {
		return r, err
	}
	defer unlock()
	old, note, err := readSeed(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = &seed{}, nil
	}
	if err != nil {
		return r, err
	}
	defer erase.Wipe(old.entries)
	p.refresh() // so that every node has a key
	if err := writeSeed(d, path, p.newSeed(old)); err != nil {
		return r, err
	}

	// From here on nobody finds the old contents on the disk.
	r = SeedFileReport{Path: path, State: "saved", Nodes: old.nodes(), Saved: old.saved, Note: note}
	if use && old.nodes() == 0 {
		r.State = "created"
	} else if use {
		r.State = "mixed"
		p.useSeed(old)
	}
	return r, nil
}

// readSeed reads and checks a seed file.
func readSeed(d disk, path string) (s *seed, note string, err error) {
	b, id, err := d.read(path)
	if err != nil {
		return nil, "", err
	}
	if s, err = parseSeed(b); err != nil {
		return nil, "", err
	}
	if s.inode != id.inode || !s.saved.Equal(id.date) {
		note = "the file was copied or restored since it was written: what is in it may have been used before"
	}
	return s, note, nil
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
func (p *pools) useSeed(old *seed) {
	p.input.mix("seed file", old.entries, 0)
	for k := range p.nodes {
		p.feed(k, 0)
	}
}
