// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// Random bytes, read through the mount by other programs.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
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

// Each read of dd returns what it asked for, and no 16 bytes come twice.
func TestDD(t *testing.T) {
	s := mounted(t, Options{})
	blocks := seen{}
	for _, c := range []struct{ size, count int }{
		{16, 2000}, {4096, 100}, {4097, 3}, {65536, 5}, {1 << 20, 2}, {2<<20 + 16, 1},
	} {
		for _, file := range []string{"random", "urandom"} {
			b, err := dd(s.path(file), nil, c.size, c.count)
			if err == nil {
				err = blocks.add(fmt.Sprintf("dd if=%s bs=%d", file, c.size), b)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// Requests of 4 KiB, as an option: a longer read is as whole.
func TestMaxRead(t *testing.T) {
	s := mounted(t, Options{MaxRead: 4096})
	if _, err := dd(s.path("random"), nil, 100_000, 3); err != nil {
		t.Error(err)
	}
	if out, err := s.sh("ls | wc -l; echo hi > seed"); err != nil || out != "5\n" {
		t.Errorf("%v %q, want 5 names", err, out)
	}
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
	const readers, each = 32, 512 << 10
	for i := range readers {
		size := []int{16, 4096, 65536, each}[i%4]
		go func() {
			<-gate
			r := result{reader: fmt.Sprintf("reader %d (bs=%d)", i, size)}
			count := min(each/size, 4096)
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
	var last []byte
	for range readers {
		r := <-results
		if err := errors.Join(r.err, blocks.add(r.reader, r.b)); err != nil {
			t.Error(err)
		}
		last = r.b
	}
	// Negative control: a single block, anywhere, that came before is found.
	if err := blocks.add("the control", append([]byte("other sixteen .."), last[len(last)-block:]...)); err == nil {
		t.Error("a block that came before was not found")
	}
}

// rngtest reports of 1,000 blocks of 20,000 bits how many fail the tests of FIPS 140-2.
func rngtest(t *testing.T, in io.Reader) (failures int) {
	t.Helper()
	const n = 1000
	cmd := exec.Command("rngtest", "-c", strconv.Itoa(n))
	cmd.Stdin = in
	said, _ := cmd.CombinedOutput() // its exit status is 1 if one fails
	number := func(what string) int {
		m := regexp.MustCompile(`FIPS 140-2 ` + what + `: (\d+)`).FindSubmatch(said)
		if m == nil {
			t.Fatalf("no number of FIPS 140-2 %s in\n%s", what, said)
		}
		i, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	failures = number("failures")
	if done := failures + number("successes"); done != n {
		t.Fatalf("%d of %d blocks were tested\n%s", done, n, said)
	}
	return failures
}

// 20,000,000 bits pass if at most 8 of their 1,000 blocks fail. About 8 of 10,000 blocks of perfect randomness do, so
// more than 8 of 1,000 fail once in 6 million runs. A pass says that the plumbing neither repeats, drops nor pads bytes
// in a way that shows; it says nothing of the generator.
func TestRngtest(t *testing.T) {
	_, err := exec.LookPath("rngtest")
	need(t, err == nil, "rngtest is missing (Debian: rng-tools5)")
	s := mounted(t, Options{})
	const most = 8
	f, err := os.Open(s.path("random"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := rngtest(t, f)
	t.Logf("%d of 1,000 blocks failed", got)
	if got > most {
		t.Errorf("%d of 1,000 blocks failed, want at most %d", got, most)
	}
	// Negative control: one byte in sixteen is lost and reads as 0.
	b, err := dd(s.path("random"), nil, 64<<10, 40)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(b); i += block {
		b[i] = 0
	}
	if got := rngtest(t, bytes.NewReader(b)); got <= most {
		t.Errorf("with every 16th byte 0, %d of 1,000 blocks failed, want more than %d", got, most)
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
		if n, err := f.Read(make([]byte, 16)); n != 16 || err != nil {
			t.Errorf("%s: after that a read gives %d bytes, %v", name, n, err)
		}
	}
	if _, err := exec.LookPath("busybox"); err == nil {
		if out, err := s.sh("busybox cat random | head -c 32 | wc -c; busybox cat stats | grep -c other"); err != nil || out != "32\n1\n" {
			t.Errorf("busybox: %v, %q", err, out)
		}
	}
	if out, err := s.sh("cat stats | wc -l; wc -l <ctl; tail -n 1 stats | wc -l; head -c 8 random | wc -c"); err != nil || strings.Contains("\n"+out, "\n0\n") {
		t.Errorf("%v, %q", err, out)
	}
}
