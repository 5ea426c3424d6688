// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the program itself has: the caller's own bytes.

package entropy

import (
	"crypto/sha512"
	"encoding/binary"
	"sync"

	"fount/internal/erase"
)

// Add mixes bytes of the caller's into what [Gather] hands out next: from a hardware
// generator, a file, anything. They count for nothing and can't do harm: what was there
// stays in the mix. name tells sources apart that give the same bytes. Add hashes b at
// once (SHA-512) and keeps 64 bytes in all. An empty b does nothing. Add may be called
// from any goroutine.
//
// The bytes reach one NUMA node's pool within a minute, if anything is drawn then, the
// next node's a minute later, and a generator's output after its next seed: see package
// pool. Calling pool.Feed and then fount.Reseed puts them into every later draw. In
// fount's mode "window" they reach no output.
func Add(name string, b []byte) { callerState.add(name, b) }

// callerSource passes on what Add was given, 64 bytes after any number of calls.
var callerSource = source{
	name:    "caller",
	length:  sha512.Size,
	passive: true,
	absent:  present,
	fill:    func(b []byte) (int, error) { return callerState.fill(b) },
}

var callerState added

// added is the hash of all that was added.
type added struct {
	mu      sync.Mutex
	pending bool
	chain   *[sha512.Size]byte // nil before the first add
}

// add makes chain = SHA-512(chain, length of name in 8 bytes, name, b). What SHA-512
// leaves in memory can't be wiped from here.
func (a *added) add(name string, b []byte) {
	if len(b) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.chain == nil {
		a.chain = &erase.New[[sha512.Size]byte](1)[0]
	}
	h := sha512.New()
	h.Write(a.chain[:])
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(name))))
	h.Write([]byte(name))
	h.Write(b)
	h.Sum(a.chain[:0])
	a.pending = true
}

// fill hands out SHA-512("give", chain) if there is something new, and goes on
// from SHA-512("keep", chain): what was handed out does not tell the rest.
func (a *added) fill(b []byte) (int, error) {
	if !a.mu.TryLock() { // an Add is under way, or was at the fork that made this process
		return 0, errDry
	}
	defer a.mu.Unlock()
	if !a.pending {
		return 0, errDry
	}
	a.pending = false
	give := a.derive("give")
	defer erase.Wipe(give[:])
	keep := a.derive("keep")
	defer erase.Wipe(keep[:])
	*a.chain = keep
	return copy(b, give[:]), nil
}

func (a *added) derive(label string) [sha512.Size]byte {
	in := append(make([]byte, 0, len(label)+len(a.chain)), label...)
	in = append(in, a.chain[:]...)
	defer erase.Wipe(in)
	return sha512.Sum512(in)
}
