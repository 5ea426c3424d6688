// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// Random bytes, read through the mount by other programs.

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// block is the unit in which reads are compared. Of n two are alike with a chance of n^2/2^129.
const block = 16

// dd runs dd on a file and returns what it read: no read was short.
func dd(f *os.File, size, count int) ([]byte, error) {
	cmd := exec.Command("dd", fmt.Sprintf("bs=%d", size), fmt.Sprintf("count=%d", count), "status=none")
	cmd.Stdin = f
	out, err := cmd.Output()
	if err == nil && len(out) != size*count {
		err = fmt.Errorf("dd bs=%d count=%d gave %d bytes", size, count, len(out))
	}
	return out, err
}

// 32 readers, 24 with a descriptor each and 8 that share one, read no 16 bytes twice.
func TestReadersShareNothing(t *testing.T) {
	s := mounted(t)
	const readers, each = 32, 2<<20 + 16
	results, gate := make(chan []byte), make(chan struct{})
	var f *os.File
	for i := range readers {
		if i <= 24 {
			var err error
			if f, err = os.Open(s.path("random")); err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		}
		size, own := []int{16, 4097, 65536, each}[i%4], f
		go func() {
			<-gate
			b, err := dd(own, size, min(each/size, 2000))
			if err != nil {
				t.Errorf("reader %d: %v", i, err)
			}
			results <- b
		}()
	}

	close(gate)

	seen := map[[block]byte]bool{}
	for range readers {
		for b := <-results; len(b) >= block; b = b[block:] {
			if seen[[block]byte(b)] {
				t.Fatalf("16 bytes were read twice: %x", b[:block])
			}
			seen[[block]byte(b)] = true
		}
	}
}

// What goes through the page cache fails, and never finds an end of the file: an empty secret.
func TestNoEnd(t *testing.T) {
	s := mounted(t)
	for _, name := range []string{"random", "urandom", "stats", "ctl"} {
		f, err := os.Open(s.path(name))
		require.NoError(t, err)
		defer f.Close()
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		defer w.Close()
		if n, err := unix.Sendfile(int(w.Fd()), int(f.Fd()), nil, 4096); err == nil {
			t.Errorf("%s: sendfile gives %d bytes", name, n)
		}
		if n, err := unix.Splice(int(f.Fd()), nil, int(w.Fd()), nil, 4096, 0); err == nil {
			t.Errorf("%s: splice gives %d bytes", name, n)
		}
		if b, err := unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ, unix.MAP_SHARED); err == nil {
			_ = unix.Munmap(b)
			t.Errorf("%s: mmap shares it", name)
		}
		if n, err := f.Read(make([]byte, 16)); n != 16 || err != nil {
			t.Errorf("%s: after that a read gives %d bytes, %v", name, n, err)
		}
	}
	if _, err := exec.LookPath("busybox"); err == nil {
		if out, err := s.sh("busybox cat random | head -c 32 | wc -c; busybox cat stats | grep -c urandom"); err != nil || out != "32\n1\n" {
			t.Errorf("busybox: %v, %q", err, out)
		}
	}
	if out, err := s.sh("cat stats | wc -l; wc -l <ctl; tail -n 1 stats | wc -l; head -c 8 random | wc -c"); err != nil || strings.Contains("\n"+out, "\n0\n") {
		t.Errorf("%v, %q", err, out)
	}
}

// Reads of the mount and of the kernel's device:
//
//	go test -run '^$' -bench Read -count 10 ./cmd/fount/internal/randfs/fusefs |
//		benchstat -col /file -
func BenchmarkRead(b *testing.B) {
	s := mounted(b)
	for _, size := range []int{16, 4 << 10, 1 << 20} {
		for _, path := range []string{s.path("random"), "/dev/urandom"} {
			b.Run(fmt.Sprintf("size=%d/file=%.4s", size, path[1:]), func(b *testing.B) {
				f, err := os.Open(path)
				require.NoError(b, err)
				defer f.Close()
				p := make([]byte, size)
				b.SetBytes(int64(size))
				for b.Loop() {
					if _, err := io.ReadFull(f, p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
