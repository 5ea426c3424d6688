// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import (
	"bytes"
	"encoding/binary"
	"testing"

	"fount/cmd/fount/internal/randfs"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// offline is a loop without a kernel, with random open as 1.
func offline(t testing.TB, source randfs.Source) *loop {
	t.Helper()
	tree := randfs.New(source)
	list, err := tree.Files("")
	if err != nil {
		t.Fatal(err)
	}
	f := newFiles(tree, list)
	open := &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: list[0].Path}}
	if status := f.Open(nil, open, new(fuse.OpenOut)); status != fuse.OK {
		t.Fatal(status)
	}
	l, err := newWire(-1, f).newLoop()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

// readRequest is a READ of size bytes.
func readRequest(handle uint64, size uint32) []byte {
	in := make([]byte, 80)
	binary.NativeEndian.PutUint32(in, 80)
	binary.NativeEndian.PutUint32(in[atOpcode:], opRead)
	copy(in[atUnique:], "UNIQUE..")
	binary.NativeEndian.PutUint64(in[atHandle:], handle)
	binary.NativeEndian.PutUint32(in[atSize:], size)
	binary.NativeEndian.PutUint32(in[atFlags:], lockOwner)
	return in
}

// What the kernel does not ask for is refused: a file that is not open, more than a request may read, what would go into the
// page cache. An interrupt has no answer.
func TestRefusedReads(t *testing.T) {
	l := offline(t, randfs.Source{Read: func(b []byte) { clear(b) }})
	cached, interrupt := readRequest(1, 16), readRequest(1, 16)
	binary.NativeEndian.PutUint32(cached[atFlags:], 0)
	binary.NativeEndian.PutUint32(interrupt[atOpcode:], opInterrupt)
	for name, c := range map[string]struct {
		in   []byte
		want fuse.Status
	}{
		"not open": {readRequest(2, 16), fuse.EBADF}, "too long": {readRequest(1, maxRead+1), fuse.EBADF}, "page cache": {cached, fuse.EIO},
	} {
		out := l.serve(c.in)
		if status := -int32(binary.NativeEndian.Uint32(out[4:])); len(out) != outHeader || status != int32(c.want) {
			t.Errorf("%s: status %d, %d bytes, want %d", name, status, len(out), c.want)
		}
	}
	if out := l.serve(interrupt); len(out) != 0 {
		t.Errorf("an interrupt is answered with %d bytes, want none", len(out))
	}
}

// What was served, and what was asked, is not in the loop's buffers afterwards. A socket stands for /dev/fuse.
func TestWiped(t *testing.T) {
	l := offline(t, randfs.Source{Read: func(b []byte) { copy(b, "served served served") }})
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	l.fd = pair[0]
	if _, err := unix.Write(pair[1], readRequest(1, 20)); err != nil {
		t.Fatal(err)
	}
	if err := l.once(); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 100)
	if n, err := unix.Read(pair[1], got); err != nil || !bytes.Contains(got[:n], []byte("served served served")) {
		t.Fatalf("the answer is %q, %v", got[:n], err)
	}
	if !bytes.Equal(l.memory[:1<<20], make([]byte, 1<<20)) || bytes.Contains(l.memory, []byte("served")) {
		t.Error("the request or the answer is in the buffers still")
	}
}

// A read takes no memory.
func TestReadAllocates(t *testing.T) {
	l := offline(t, randfs.Source{Read: func(b []byte) { clear(b) }})
	for _, size := range []uint32{16, 64 << 10} {
		in := readRequest(1, size)
		if n := testing.AllocsPerRun(100, func() { l.serve(in) }); n != 0 {
			t.Errorf("a read of %d bytes allocates %v times", size, n)
		}
	}
}
