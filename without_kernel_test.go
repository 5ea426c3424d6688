// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package fount_test

import (
	"bytes"
	"fmt"
	"testing"

	"fount"
	"fount/internal/clone"
	"fount/internal/entropy"
	"fount/internal/kernel"
)

// What happens when the kernel is taken away from a process that runs (seams_test.go says how).

func init() {
	children["later failure"] = func() {
		fount.Nonce()
		kernel.SetRoute(kernel.RouteFail)
		for range drawsPastTheSeed {
			fount.Nonce()
		}
		fmt.Print("served past the seed without the kernel")
	}
	children["failure after Reseed"] = func() {
		fount.Nonce()
		kernel.SetRoute(kernel.RouteFail)
		fount.Reseed()
		fmt.Printf("served old bytes after Reseed: %x", fount.Nonce())
	}
	children["the kernel comes back"] = func() { // the control
		fount.Nonce()
		kernel.SetRoute(kernel.RouteFail)
		kernel.SetRoute(kernel.RouteKernel)
		fount.Reseed()
		fmt.Printf("%x", fount.Nonce())
	}
}

// drawsPastTheSeed is more nonces than are made from one seed, which is 1 MiB and
// at most 64 KiB more, on each of a few Ps.
const drawsPastTheSeed = 500_000

func TestLaterReseedFails(t *testing.T) {
	for _, child := range []string{"later failure", "failure after Reseed"} {
		t.Run(child, func(t *testing.T) {
			stdout, stderr, exit := runChild(t, child)
			wantStopped(t, stdout, stderr, exit, "a test took the kernel away")
		})
	}
	stdout, stderr, exit := runChild(t, "the kernel comes back")
	if exit != 0 || len(stdout) != 32 || stderr != "" {
		t.Errorf("control: exit status %d, output %q, errors %q", exit, stdout, stderr)
	}
}

// Strict keeps nothing: with a kernel that says zeros it gives zeros, whatever was drawn before.
func TestStrictKeepsNothing(t *testing.T) {
	var s fount.Strict
	draw := func() []byte {
		b := make([]byte, 40)
		s.Read(b)
		nonce, key := s.Nonce(), s.Key()
		return append(append(b, nonce[:]...), key[:]...)
	}
	if b := draw(); bytes.Contains(b, make([]byte, 8)) {
		t.Errorf("control: Strict drew %x", b)
	}
	kernel.SetRoute(kernel.RouteZero)
	defer kernel.SetRoute(kernel.RouteKernel)
	if b := draw(); !bytes.Equal(b, make([]byte, len(b))) {
		t.Errorf("with a kernel that says zeros alone Strict drew %x", b)
	}
}

// The pools take in the kernel's bytes after each Reseed, and not only once a minute.
func TestReseedReachesThePools(t *testing.T) {
	clone.SetCounter(new(uint64)) // in mode window no draw asks the pools
	t.Cleanup(func() {
		clone.Forget()
		fount.Reseed()
	})
	fount.Nonce()
	before := entropy.Status().Extractions
	const times = 100
	for range times {
		fount.Reseed()
		fount.Nonce()
	}
	if n := entropy.Status().Extractions - before; n < times {
		t.Errorf("%d extractions after %d calls of Reseed, each followed by a draw", n, times)
	}
}
