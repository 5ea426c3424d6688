// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

// The race detector's shadow is resident, too.

package password

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// What was mapped for a hash goes back to the system: by a hash without a pool, by Calibrate, by
// a scratch pool that makes room, and by one that is cleared.
func TestMemoryIsGivenBack(t *testing.T) {
	const size = 16 << 20
	hash := func(p Policy) func() {
		return func() {
			must(Hash(p, []byte("password")))(t)
		}
	}

	full := &scratchPool{limit: size}
	var kept []*scratch
	for name, round := range map[string]func(){
		"argon2": hash(Policy{Algorithm: Argon2id, Memory: size >> 10, Iterations: 1, Parallelism: 1}),
		"scrypt": hash(Policy{Algorithm: Scrypt, Cost: 14, BlockSize: 8, Parallelism: 1}),
		"Calibrate": func() {
			must(Default().Calibrate(time.Nanosecond))(t)
		},
		"room": func() {
			for n := int64(size); n > size-2<<10; n -= 1 << 10 {
				l := full.take(n)
				l.use(int(n >> 10))
				full.give(l)
			}
		},
		"clear": func() {
			s := &scratchPool{limit: size}
			l := s.take(size)
			l.use(size >> 10)
			s.give(l)
			s.dropUnused()
		},
		"control": func() {
			l := &scratch{}
			l.use(size >> 10)
			kept = append(kept, l)
		},
	} {
		const rounds = 6
		before := resident(t)
		for range rounds {
			round()
		}

		grown := resident(t) - before
		isKept := grown > rounds*size/2
		if isKept != (name == "control") {
			t.Errorf("%s: %d MiB more are resident after %d hashes of 16 MiB", name, grown>>20, rounds)
		}
	}

	for _, l := range kept {
		l.drop()
	}
	full.dropUnused()
}

// resident returns how many bytes of this process are in memory (proc_pid_statm(5)).
func resident(t *testing.T) int64 {
	t.Helper()
	debug.FreeOSMemory()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}

	var all, pages int64
	must(fmt.Sscan(string(statm), &all, &pages))(t)
	return pages * int64(os.Getpagesize())
}

// A stored scrypt of as many parts as Limits let in holds no more than Options.Memory says.
func TestPlantedPartsKeepMemory(t *testing.T) {
	const budget = 16 << 20
	pool := must(NewPool(Options{Policy: Policy{Algorithm: PBKDF2SHA256, Iterations: 1}, Memory: budget}))(t)

	before := resident(t)
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
		t.Skip(err)
	}

	for range 4 {
		if _, err := pool.Verify(t.Context(), Login{}, []byte("x"), scryptPHC("ln=1,r=1,p=120000")); err != ErrMismatch {
			t.Fatal(err)
		}
	}
	if grown := peak(t) - before; grown > budget {
		t.Errorf("up to %d MiB more were resident; the pool has a memory of %d", grown>>20, budget>>20)
	}
}

// peak returns how many bytes of this process were in memory at most (proc_pid_status(5)).
func peak(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	var kib int64
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	must(fmt.Sscan(line, &kib))(t)
	return kib << 10
}
