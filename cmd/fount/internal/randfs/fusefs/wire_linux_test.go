// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unsafe"

	"fount/cmd/fount/internal/randfs"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// The fields are where go-fuse's structures have them.
func TestLayout(t *testing.T) {
	var in fuse.ReadIn
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"opcode", unsafe.Offsetof(in.Opcode), atOpcode},
		{"unique", unsafe.Offsetof(in.Unique), atUnique},
		{"fh", unsafe.Offsetof(in.Fh), atHandle},
		{"offset", unsafe.Offsetof(in.Offset), atOffset},
		{"size", unsafe.Offsetof(in.Size), atSize},
		{"out header", unsafe.Sizeof(fuse.OutHeader{}), outHeader},
	} {
		if c.got != c.want {
			t.Errorf("%s is at %d, want %d", c.name, c.got, c.want)
		}
	}
}

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
	l, err := newWire(-1, f, DefaultMaxRead).newLoop()
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

func TestReadAnswer(t *testing.T) {
	l := offline(t, randfs.Source{Read: func(b []byte) { copy(b, bytes.Repeat([]byte{7}, len(b))) }})
	answer := func(in []byte) (length uint32, status int32, unique string, data []byte) {
		out := l.serve(in)
		return binary.NativeEndian.Uint32(out), int32(binary.NativeEndian.Uint32(out[4:])), string(out[8:16]), out[16:]
	}
	for _, size := range []uint32{0, 1, 16, 4096, 1 << 20} {
		length, status, unique, data := answer(readRequest(1, size))
		want := bytes.Repeat([]byte{7}, int(size))
		if length != size+16 || status != 0 || unique != "UNIQUE.." || !bytes.Equal(data, want) {
			t.Errorf("%d bytes: length %d, status %d, unique %q, %d of data", size, length, status, unique, len(data))
		}
	}
	for name, in := range map[string][]byte{
		"unknown handle": readRequest(2, 16), "too long": readRequest(1, 1<<20+1),
	} {
		const want = -int32(fuse.EBADF)
		length, status, unique, _ := answer(in)
		if length != 16 || status != want || unique != "UNIQUE.." {
			t.Errorf("%s: length %d, status %d, unique %q, want 16, %d", name, length, status, unique, want)
		}
	}
	interrupt := readRequest(1, 16)
	binary.NativeEndian.PutUint32(interrupt[atOpcode:], opInterrupt)
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
