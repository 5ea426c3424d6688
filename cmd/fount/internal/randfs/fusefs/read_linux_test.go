// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// Random bytes, read through the mount by other programs.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// block is the unit in which reads are compared. Two of n random ones are alike with a chance of n^2/2^129.
const block = 16

// seen are the blocks of several readers.
type seen map[[block]byte]string

// add notes the whole blocks of what a reader read, and returns an error at the first that was there before.
func (s seen) add(reader string, b []byte) error {
	for i := 0; i+block <= len(b); i += block {
		key := [block]byte(b[i:])
		if first, twice := s[key]; twice {
			return fmt.Errorf("16 bytes of %s at offset %d were read by %s too: %x", reader, i, first, key)
		}
		s[key] = reader
	}
	return nil
}

// dd runs dd and returns what it read. Without a path it reads from the standard input that is given.
func dd(path string, stdin *os.File, size, count int) ([]byte, error) {
	args := []string{fmt.Sprintf("bs=%d", size), fmt.Sprintf("count=%d", count)}
	if path != "" {
		args = append(args, "if="+path)
	}
	cmd := exec.Command("dd", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	if stdin != nil {
		cmd.Stdin = stdin
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, said.String())
	}
	// A short read would be counted after the plus sign.
	if want := fmt.Sprintf("%d+0 records in\n", count); !bytes.HasPrefix(said.Bytes(), []byte(want)) {
		return nil, fmt.Errorf("dd bs=%d says %q, want %q", size, said.String(), want)
	}
	if out.Len() != size*count {
		return nil, fmt.Errorf("dd bs=%d count=%d gave %d bytes", size, count, out.Len())
	}
	return out.Bytes(), nil
}

// 32 readers at once, 24 with a descriptor of their own and 8 that share one, read no 16 bytes twice.
func TestReadersShareNothing(t *testing.T) {
	s := mounted(t, Options{})
	shared, err := os.Open(s.path("random"))
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	type result struct {
		reader string
		b      []byte
		err    error
	}
	results := make(chan result)
	gate := make(chan struct{})
	const readers, each = 32, 2<<20 + 16
	for i := range readers {
		size := []int{16, 4097, 65536, each}[i%4]
		go func() {
			<-gate
			r := result{reader: fmt.Sprintf("reader %d (bs=%d)", i, size)}
			count := min(each/size, 2000)
			if i < 24 {
				r.b, r.err = dd(s.path("random"), nil, size, count)
			} else {
				r.b, r.err = dd("", shared, size, count)
			}
			results <- r
		}()
	}
	close(gate)
	blocks := seen{}
	for range readers {
		r := <-results
		if err := errors.Join(r.err, blocks.add(r.reader, r.b)); err != nil {
			t.Error(err)
		}
	}
}

// What goes through the page cache fails, and never finds an end of the file: an empty secret.
func TestNoEnd(t *testing.T) {
	s := mounted(t, Options{})
	for _, name := range []string{"random", "urandom", "stats", "ctl"} {
		f, err := os.Open(s.path(name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
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
