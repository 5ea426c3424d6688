// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"os"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// While bytes are hashed the pool is free. Here the test holds it, and the second page of what is
// added can't be read: only a hash that needs no pool comes so far.
func TestAddHashesBeforeItLocks(t *testing.T) {
	page := os.Getpagesize()
	b, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(b)
	if err := unix.Mprotect(b[page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}

	p := somePools(1)
	p.input.mu.Lock()
	fault := make(chan any)
	go func() {
		defer func() { fault <- recover() }()
		debug.SetPanicOnFault(true)
		p.input.mix("test", b)
	}()

	select {
	case got := <-fault:
		if got == nil {
			t.Error("control: the second page was read")
		}
		p.input.mu.Unlock()
	case <-time.After(20 * time.Second): // of a wait for ever
		t.Error("whoever adds bytes holds the pool while they are hashed")
		p.input.mu.Unlock()
		<-fault
	}
}
