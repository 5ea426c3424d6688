// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"crypto/subtle"
	"encoding/binary"
	"sync"

	"fount/internal/chacha"
	"fount/internal/erase"
)

// A node is the pool of one NUMA node. All zero means that it has no key yet; a fork
// leaves it so in the child, with its lock free. It holds no Go pointers, because it
// lives outside the heap.
type node struct {
	mu         sync.Mutex
	generation uint64 // how often it was fed; 0 is never valid
	draws      uint64
	key        [keySize]byte
	work       [128]byte

	_ [nodeSize - 184]byte
}

// nodeSize keeps neighbours apart by whole pairs of 64-byte cache lines, which is
// what x86's spatial prefetcher fetches at a time.
const nodeSize = 256

// absorb makes the key the hash of itself, secret and index. The index separates nodes that have equal keys and take
// in the same secret: so that no two are ever equal, also where the kernel says the same to all of them.
func (n *node) absorb(index int, secret *[keySize]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	m := append(append(append(begin(n.work[:], 1), n.key[:]...), secret[:]...), nodeLabel...)
	m = binary.BigEndian.AppendUint32(m, uint32(index))
	m.sum(n.key[:])
	erase.Wipe(m)
	n.generation++
}

// draw adds (XOR) 32 bytes of the node's to dst if it has a key, and reports whether it
// does. A block of ChaCha20 is the next key and the output; the key is replaced before
// the output leaves.
func (n *node) draw(dst *[keySize]byte) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.generation == 0 {
		return false
	}
	block := n.work[:2*keySize]
	chacha.Keystream(block, &n.key, 0)
	copy(n.key[:], block)
	subtle.XORBytes(dst[:], dst[:], block[keySize:])
	erase.Wipe(block)
	n.draws++
	return true
}
