// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import (
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The mount against /dev/urandom, each read as dd does: one read(2) after the other into one page-aligned buffer. The
// two take turns of about 20 ms, so that what else the machine does meets both alike. One operation is a turn of each;
// fuse-ns and urandom-ns are the time of one read, ratio is how many times as fast the mount is.
//
//	go test -run '^$' -bench Read -count 10 ./cmd/fount/internal/randfs/fusefs
func BenchmarkRead(b *testing.B) {
	s := mounted(b, Options{})
	for _, c := range []struct {
		name string
		size int
	}{
		{"16B", 16}, {"4KiB", 4 << 10}, {"64KiB", 64 << 10}, {"1MiB", 1 << 20},
	} {
		b.Run("size="+c.name, func(b *testing.B) {
			mount, device := newTurns(b, s.path("random"), c.size), newTurns(b, "/dev/urandom", c.size)
			for b.Loop() {
				mount.take(b)
				device.take(b)
			}
			b.ReportMetric(0, "ns/op") // that of a turn means nothing
			mount.report(b, "fuse")
			device.report(b, "urandom")
			b.ReportMetric(device.perRead()/mount.perRead(), "ratio")
		})
	}
}

// turns are what one file takes.
type turns struct {
	fd    int
	buf   []byte
	each  int // reads a turn
	reads int
	total time.Duration
}

func newTurns(b *testing.B, path string, size int) *turns {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		b.Fatal(err)
	}
	memory, err := unix.Mmap(-1, 0, max(size, 4096), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		unix.Close(fd)
		_ = unix.Munmap(memory)
	})
	t := &turns{fd: fd, buf: memory[:size], each: 1}
	for t.total < 20*time.Millisecond {
		t.each *= 2
		t.total = 0
		t.take(b)
	}
	t.reads, t.total = 0, 0
	return t
}

func (t *turns) take(b *testing.B) {
	begin := time.Now()
	for range t.each {
		for n := 0; n < len(t.buf); { // /dev/urandom breaks a long read off at a signal, of which Go makes many
			k, err := syscall.Read(t.fd, t.buf[n:])
			if err != nil && err != syscall.EINTR || err == nil && k == 0 {
				b.Fatalf("%d of %d bytes, then %d: %v", n, len(t.buf), k, err)
			}
			n += max(k, 0)
		}
	}
	t.total += time.Since(begin)
	t.reads += t.each
}

func (t *turns) perRead() float64 { return float64(t.total.Nanoseconds()) / float64(t.reads) }

func (t *turns) report(b *testing.B, name string) {
	b.ReportMetric(t.perRead(), name+"-ns")
	b.ReportMetric(float64(len(t.buf))/t.perRead()*1e3, name+"-MB/s")
}
