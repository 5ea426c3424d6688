// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// A seed file, integers little-endian:
//
//	13 bytes  "fount seed 1\n"
//	 8 bytes  the number of the file's inode when it was written
//	 8 bytes  when that was, in seconds since 1970
//	 4 bytes  how many nodes it has, 1 to 1024
//	64 bytes  for each node
//	32 bytes  the first of SHA-512 of everything before
//
// The sum finds a file that was cut off or damaged. It proves nothing about its writer;
// owner and permissions do that. The time is also that of the file's last change, in
// whole seconds: a file whose inode or time differs from what it says was copied or
// restored from a backup. Not every copy shows it.
const (
	seedMagic  = "fount seed 1\n"
	seedHead   = len(seedMagic) + 8 + 8 + 4
	seedSum    = 32
	entrySize  = hashSize
	maxEntries = 1024
	maxSeed    = seedHead + maxEntries*entrySize + seedSum
)

// seed is the contents of a seed file.
type seed struct {
	inode   uint64
	saved   time.Time
	entries []byte // entrySize for each node
}

func (s *seed) nodes() int { return len(s.entries) / entrySize }

func (s *seed) encode() []byte {
	b := make([]byte, 0, seedHead+len(s.entries)+seedSum)
	b = append(b, seedMagic...)
	b = binary.LittleEndian.AppendUint64(b, s.inode)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.saved.Unix()))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.nodes()))
	b = append(b, s.entries...)
	sum := sha512.Sum512(b)
	return append(b, sum[:seedSum]...)
}

// parseSeed reads a seed file's bytes. The entries are a part of b.
func parseSeed(b []byte) (*seed, error) {
	if !bytes.HasPrefix(b, []byte(seedMagic)) {
		return nil, fmt.Errorf("it is no seed file: it does not begin with %q", seedMagic)
	}
	if len(b) < seedHead {
		return nil, fmt.Errorf("it was cut off: %d bytes, and the head alone has %d", len(b), seedHead)
	}
	head := b[len(seedMagic):]
	nodes := int64(binary.LittleEndian.Uint32(head[16:]))
	if nodes < 1 || nodes > maxEntries {
		return nil, fmt.Errorf("it is damaged: it says %d nodes, and 1 to %d are possible", nodes, maxEntries)
	}
	end := seedHead + int(nodes)*entrySize
	if len(b) != end+seedSum {
		return nil, fmt.Errorf("it was cut off or appended to: %d bytes, and one of %d nodes has %d",
			len(b), nodes, end+seedSum)
	}
	if sum := sha512.Sum512(b[:end]); !bytes.Equal(sum[:seedSum], b[end:]) {
		return nil, errors.New("it is damaged: its sum is wrong")
	}
	return &seed{
		inode:   binary.LittleEndian.Uint64(head),
		saved:   time.Unix(int64(binary.LittleEndian.Uint64(head[8:])), 0),
		entries: b[seedHead:end],
	}, nil
}
