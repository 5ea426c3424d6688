// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

// The input pool, a node's pool, and the key derivation of both: NIST SP 800-56C rev. 2, section
// 4.1, the one-step function with SHA-512. Block i of the result is
//
//	K(i) = SHA-512(i as 4 bytes, big-endian; Z; FixedInfo)
//
// where Z is the secrets and FixedInfo a label, and in a node's case its index. Block
// 0, which the standard does not use, is what hashes input in. All parts but that
// input have a fixed length and the labels differ, so no two uses hash the same
// message unless they hash the same secrets for the same purpose.
//
// It is SHA-512 in one call over our own memory, not BLAKE2s, HMAC or HKDF, whose
// packages keep keys in heap objects that can't be wiped. (What SHA-512 leaves in dead
// stack frames can't be wiped either.) A state is twice as wide as any key here, so it
// keeps 256 bits however often it is hashed. A block costs 0.3 µs.

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
	inputLabel = "fount input"
	nodeLabel  = "fount node"
	seedLabel  = "fount seed"
)

// A message is what is hashed, in memory that never grows and is wiped afterwards.
type message []byte

// begin starts block i of a derivation in memory.
func begin(memory []byte, i uint32) message { return binary.BigEndian.AppendUint32(memory[:0], i) }

// again makes the same message block i.
func (m message) again(i uint32) { binary.BigEndian.PutUint32(m, i) }

// sum fills dst from the front of the message's hash.
func (m message) sum(dst []byte) {
	h := sha512.Sum512(m)
	copy(dst, h[:])
	erase.Wipe(h[:])
}

// input is the pool into which everything is hashed. It starts all zero, and a fork
// leaves it so in the child: each extraction mixes in bytes of the kernel's own, so its
// output is never weaker than these.
type input struct {
	mu          sync.Mutex
	mixed       uint64 // inputs so far
	extractions uint64
	state       [hashSize]byte
	work        [256]byte
}

// mix hashes b in, and its name, so that two sources that give the same bytes are
// told apart. Both lengths go before, so nothing else hashes to the same message.
func (p *input) mix(name string, b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lengths [16]byte
	binary.LittleEndian.PutUint64(lengths[:], uint64(len(name)))
	binary.LittleEndian.PutUint64(lengths[8:], uint64(len(b)))
	p.absorb(lengths[:])
	absorbAll(p, name)
	absorbAll(p, b)
	p.mixed++
}

// piece is how many bytes are hashed in at a time: as many as fit into work.
const piece = 128

func absorbAll[T string | []byte](p *input, b T) {
	var buf [piece]byte
	for len(b) > 0 {
		n := copy(buf[:], b)
		p.absorb(buf[:n])
		b = b[n:]
	}
	erase.Wipe(buf[:])
}

// absorb makes the state the hash of itself and b.
func (p *input) absorb(b []byte) {
	m := append(append(begin(p.work[:], 0), p.state[:]...), b...)
	m.sum(p.state[:])
	erase.Wipe(m)
}

// extract fills out. fresh is 32 bytes of the kernel's, drawn before the lock is taken. The pool
// gets its next state before there is any output. Output and state are different hashes of the same
// secret, so neither reveals anything of the other or of the past.
func (p *input) extract(out, fresh *[keySize]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := append(append(append(begin(p.work[:], 1), p.state[:]...), fresh[:]...), inputLabel...)
	m.sum(p.state[:])
	m.again(2)
	m.sum(out[:])
	erase.Wipe(m)
	p.extractions++
}

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

// absorb makes the key the hash of itself, secret and index. The index separates nodes that have
// equal keys and take in the same secret: so that no two are ever equal, also where the kernel says
// the same to all of them.
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
