// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"fount/internal/erase"
	"fount/internal/kernel"
)

// A SeedFileReport is fount.SeedFileReport.
type SeedFileReport struct {
	Path  string
	State string
	Nodes int
	Saved time.Time
	Note  string
}

// Load implements fount.LoadSeed.
func Load(path string) error { return get().load(systemDisk{}, path) }

// Save implements fount.SaveSeed.
func Save(path string) error { return get().save(systemDisk{}, path) }

func (p *pools) load(d disk, path string) error {
	return p.exchange(d, path, func(old *contents) (state string) {
		if old.nodes() == 0 {
			return "created"
		}
		p.useSeed(old)
		return "mixed"
	})
}

func (p *pools) save(d disk, path string) error {
	return p.exchange(d, path, func(*contents) (state string) { return "saved" })
}

// exchange replaces the old contents with new ones, calls use with the old, and stores the outcome
// for Status. Its error is one line that names the file once.
func (p *pools) exchange(d disk, path string, use func(old *contents) (state string)) error {
	old, err := p.replaceSeed(d, path)
	if err != nil {
		p.file.Store(&SeedFileReport{Path: path, State: "failed", Note: err.Error()})
		if e, ok := err.(*fs.PathError); ok && e.Path == path {
			err = e.Err
		}
		return fmt.Errorf("seed file %s: %w", path, err)
	}

	p.file.Store(&SeedFileReport{Path: path, State: use(old), Nodes: old.nodes(), Saved: old.saved})
	erase.Wipe(old.entries)
	return nil
}

// replaceSeed replaces the old contents with new ones and returns the old. These have no nodes if
// there was no file. If there is no error, they are no longer in the file.
func (p *pools) replaceSeed(d disk, path string) (*contents, error) {
	unlock, err := d.lock(path)
	if err != nil {
		return nil, err
	}
	defer unlock()

	old := new(contents)
	b, err := d.read(path)
	if err == nil {
		old, err = parseSeed(b)
	}

	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}

	if err := writeSeed(d, path, p.newSeed(old)); err != nil {
		erase.Wipe(old.entries)
		return nil, err
	}
	return old, nil
}

// newSeed returns the next contents: for each node a hash of 32 bytes of its pool, of 32 bytes of
// the kernel and of the old contents. They are secret if one of these is, and reveal nothing of
// any.
func (p *pools) newSeed(old *contents) *contents {
	s := &contents{saved: time.Unix(time.Now().Unix(), 0), entries: make([]byte, len(p.nodes)*entrySize)}

	var secret [2 * keySize]byte
	var before [hashSize]byte
	message(old.entries).sum(before[:])

	for k := range p.nodes {
		kernel.Read(secret[:keySize])
		clear(secret[keySize:])
		p.drawFrom(k, (*[keySize]byte)(secret[keySize:]))
		deriveEntry(s.entries[k*entrySize:], k, &secret, &before)
	}

	erase.Wipe(secret[:])
	erase.Wipe(before[:])
	return s
}

// deriveEntry derives a node's entry from secret, 32 bytes of the kernel and 32 of its pool, and
// from the hash of the old contents.
func deriveEntry(dst []byte, k int, secret *[2 * keySize]byte, before *[hashSize]byte) {
	m := newMessage(make([]byte, 0, 256), 1)
	m = append(m, secret[:]...)
	m = append(m, before[:]...)
	m = append(m, seedLabel...)
	m = binary.BigEndian.AppendUint32(m, uint32(k))
	m.sum(dst[:entrySize])
	erase.Wipe(m)
}

// useSeed mixes all of a file's contents into every node's pool.
func (p *pools) useSeed(old *contents) {
	p.input.mix("seed file", old.entries)
	p.feeding.Lock()
	defer p.feeding.Unlock()
	p.feedAll()
}

// The format of a seed file, with little-endian integers:
//
//	13 bytes  "fount seed 1\n"
//	 8 bytes  when it was written, in seconds since 1970
//	 4 bytes  how many nodes it has, 1 to 1024
//	64 bytes  for each node
//	32 bytes  the first of SHA-512 of everything before
//
// The sum detects a file that was cut off or damaged. It proves nothing about who wrote it; owner
// and permissions do that.
const (
	seedMagic  = "fount seed 1\n"
	seedHead   = len(seedMagic) + 8 + 4
	seedSum    = 32
	entrySize  = hashSize
	maxEntries = 1024
	maxSeed    = seedHead + maxEntries*entrySize + seedSum
)

// contents are those of a seed file.
type contents struct {
	saved   time.Time
	entries []byte // entrySize for each node
}

func (s *contents) nodes() int { return len(s.entries) / entrySize }

func (s *contents) encode() []byte {
	b := make([]byte, 0, seedHead+len(s.entries)+seedSum)
	b = append(b, seedMagic...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.saved.Unix()))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.nodes()))
	b = append(b, s.entries...)
	sum := sha512.Sum512(b)
	return append(b, sum[:seedSum]...)
}

// parseSeed parses a seed file. The entries it returns are a part of b.
func parseSeed(b []byte) (*contents, error) {
	if !bytes.HasPrefix(b, []byte(seedMagic)) {
		return nil, fmt.Errorf("it is no seed file: it does not begin with %q", seedMagic)
	}
	if len(b) < seedHead {
		return nil, fmt.Errorf("it was cut off: it has %d bytes, and the header alone has %d", len(b), seedHead)
	}

	head := b[len(seedMagic):]
	nodes := int64(binary.LittleEndian.Uint32(head[8:]))
	if nodes < 1 || nodes > maxEntries {
		return nil, fmt.Errorf("it is damaged: it has %d nodes, want 1 to %d", nodes, maxEntries)
	}

	end := seedHead + int(nodes)*entrySize
	if len(b) != end+seedSum {
		return nil, fmt.Errorf("it was cut off or appended to: it has %d bytes, and a file of %d nodes has %d",
			len(b), nodes, end+seedSum)
	}

	if sum := sha512.Sum512(b[:end]); !bytes.Equal(sum[:seedSum], b[end:]) {
		return nil, errors.New("it is damaged: its sum is wrong")
	}

	return &contents{
		saved:   time.Unix(int64(binary.LittleEndian.Uint64(head)), 0),
		entries: b[seedHead:end],
	}, nil
}
