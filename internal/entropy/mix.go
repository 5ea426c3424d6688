// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

// The input pool, a node's pool, and the key derivation of both: NIST SP 800-56C rev. 2, section
// 4.1, the one-step function with SHA-512. Block i of the result is
//
//	K(i) = SHA-512(i as 4 bytes, big-endian; Z; FixedInfo)
//
// where Z is the secrets and FixedInfo a label, for a node with its index. Block 0, which the
// standard does not use, hashes what is added to 64 bytes. In all other blocks each part has a
// fixed length, and the labels differ. So two uses hash the same message only if they hash the same
// secrets for the same purpose.
//
// SHA-512 is one call over memory that this package can wipe. The packages of BLAKE2s, HMAC and
// HKDF keep keys in heap objects that can't be wiped. (Nor can what SHA-512 leaves in dead stack
// frames.) A state is twice as wide as any key here, so it keeps 256 bits however often it is
// hashed. A block takes 0.3 µs.

import (
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"sync"

	"fount/internal/chacha"
	"fount/internal/erase"
)

const (
	keySize  = 32
	hashSize = sha512.Size
)

const (
	addLabel   = "fount add"
	inputLabel = "fount input"
	nodeLabel  = "fount node"
	seedLabel  = "fount seed"
)

// A message is the input of a hash. Its memory never grows, and is wiped afterwards.
type message []byte

// newMessage begins the message of block i in memory.
func newMessage(memory []byte, i uint32) message { return binary.BigEndian.AppendUint32(memory[:0], i) }

// setBlock makes m the message of block i, with the same secrets and label.
func (m message) setBlock(i uint32) { binary.BigEndian.PutUint32(m, i) }

// sum fills dst with the front of the message's hash.
func (m message) sum(dst []byte) {
	h := sha512.Sum512(m)
	copy(dst, h[:])
	erase.Wipe(h[:])
}

// input is the pool that takes in everything. It is all zero at the start, and in a forked child.
// Each extraction mixes in bytes of the kernel, so its output is never weaker than these.
type input struct {
	adding sync.Mutex // held while input is hashed, by one goroutine at a time; no draw takes it
	digest digest

	mu          sync.Mutex // a draw may wait for it
	mixed       uint64     // inputs so far
	extractions uint64
	state       [hashSize]byte
	work        [256]byte
}

// mix hashes b and its name in. The name separates sources that give the same bytes. The lengths of
// both go first, so no other name and bytes hash the same messages. The pool is locked only for the
// 64 bytes that this gives, however long b is.
func (p *input) mix(name string, b []byte) {
	p.adding.Lock()
	defer p.adding.Unlock()

	var lengths [16]byte
	binary.LittleEndian.PutUint64(lengths[:], uint64(len(name)))
	binary.LittleEndian.PutUint64(lengths[8:], uint64(len(b)))

	d := &p.digest
	defer erase.Wipe(d.sum[:])
	d.add(lengths[:])
	d.add([]byte(name))
	d.add(b)
	p.absorb(&d.sum)
}

// absorb makes the state the hash of itself and sum.
func (p *input) absorb(sum *[hashSize]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()

	m := newMessage(p.work[:], 1)
	m = append(m, p.state[:]...)
	m = append(m, sum[:]...)
	m = append(m, addLabel...)
	m.sum(p.state[:])
	erase.Wipe(m)
	p.mixed++
}

// A digest is the hash of what was added so far. It holds nothing of the pool.
type digest struct {
	sum  [hashSize]byte
	work [256]byte
}

// piece is how many bytes are hashed in at a time. They must fit into work.
const piece = 128

// add makes the sum the hash of itself and the next piece, until the end of b.
func (d *digest) add(b []byte) {
	for len(b) > 0 {
		n := min(piece, len(b))
		m := newMessage(d.work[:], 0)
		m = append(m, d.sum[:]...)
		m = append(m, b[:n]...)
		m.sum(d.sum[:])
		erase.Wipe(m)
		b = b[n:]
	}
}

// extract mixes fresh, 32 bytes of the kernel, into the pool and fills out. The pool has its next
// state before there is any output. Output and state are different hashes of the same secret, so
// neither reveals anything about the other or the past.
func (p *input) extract(out, fresh *[keySize]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()

	m := newMessage(p.work[:], 1)
	m = append(m, p.state[:]...)
	m = append(m, fresh[:]...)
	m = append(m, inputLabel...)
	m.sum(p.state[:])
	m.setBlock(2)
	m.sum(out[:])
	erase.Wipe(m)
	p.extractions++
}

// A node is the pool of one NUMA node. It is all zero until it has a key, and in a forked child,
// with its lock free. It has no Go pointers, because it is outside the heap.
type node struct {
	mu    sync.Mutex
	feeds uint64 // 0: it has no key
	draws uint64
	key   [keySize]byte
	work  [128]byte

	_ [nodeSize - 184]byte
}

// nodeSize is a multiple of 128 bytes, as x86's spatial prefetcher fetches cache lines in pairs: so
// no two nodes share a pair.
const nodeSize = 256

// absorb makes the key the hash of itself, secret and index. The index keeps the keys of two nodes
// different even if the kernel gives the same bytes for both.
func (n *node) absorb(index int, secret *[keySize]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()

	m := newMessage(n.work[:], 1)
	m = append(m, n.key[:]...)
	m = append(m, secret[:]...)
	m = append(m, nodeLabel...)
	m = binary.BigEndian.AppendUint32(m, uint32(index))
	m.sum(n.key[:])
	erase.Wipe(m)
	n.feeds++
}

// draw adds (XOR) 32 bytes to dst, or returns false if the node has no key. The first half of a
// ChaCha20 block is the next key, the second half the output. The key is replaced before dst
// changes.
func (n *node) draw(dst *[keySize]byte) bool {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.feeds == 0 {
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
