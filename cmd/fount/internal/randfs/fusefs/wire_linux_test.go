// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"
	"os"
	"testing"

	"fount/cmd/fount/internal/randfs"
	"fount/internal/test/require"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// offline is a loop without a kernel, with random open as 1.
func offline(t testing.TB, source randfs.Source) *loop {
	t.Helper()
	tree := randfs.New(source)
	f := newFiles(tree)
	open := &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: f.list[0].Path}}
	if status := f.Open(nil, open, new(fuse.OpenOut)); status != fuse.OK {
		t.Fatal(status)
	}
	l, err := newWire(-1, f).newLoop()
	require.NoError(t, err)
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

// What the kernel does not ask for is refused: a file that is not open, more than a request may
// read, what would go into the page cache. An interrupt has no answer.
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

// Neither answer nor request stays in the loop's buffers. A socket stands for /dev/fuse.
func TestWiped(t *testing.T) {
	l := offline(t, randfs.Source{Read: func(b []byte) { copy(b, "served served served") }})
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	l.fd = pair[0]
	_, err = unix.Write(pair[1], readRequest(1, 20))
	require.NoError(t, err)
	require.NoError(t, l.once())
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

// request is a request for a file, with what follows its head.
func request(op uint32, node uint64, rest ...byte) []byte {
	in := make([]byte, atHandle, atHandle+len(rest))
	binary.NativeEndian.PutUint32(in, uint32(atHandle+len(rest)))
	binary.NativeEndian.PutUint32(in[atOpcode:], op)
	copy(in[atUnique:], "UNIQUE..")
	binary.NativeEndian.PutUint64(in[16:], node)
	return append(in, rest...)
}

// FuzzServe: whatever a request says, it gets no answer or one whose head is of it, and the next is
// served as ever. The seeds are of all kinds there are, and some that are not.
func FuzzServe(f *testing.F) {
	log.SetOutput(io.Discard) // where go-fuse writes what it can't parse
	f.Cleanup(func() { log.SetOutput(os.Stderr) })
	zeros := make([]byte, 128)
	for op := range uint32(60) {
		for _, node := range []uint64{0, 1, 16, 18, 20} {
			f.Add(request(op, node, zeros[:int(op)%100+20]...))
		}
		f.Add(request(op, 1))
		f.Add(request(op, 16, append([]byte("random"), 0)...))
	}
	f.Add(request(26, 1, 7, 0, 0, 0, 31, 0, 0, 0, 0, 0, 2, 0, 255, 255, 255, 255)) // INIT
	f.Add(request(1, 1, append([]byte("stats"), 0)...))                            // LOOKUP
	f.Add(request(14, 19, zeros[:8]...))                                           // OPEN
	f.Add(readRequest(1, 1<<20))
	f.Add(readRequest(1, 1<<32-1))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < atHandle || len(in) > maxRead {
			return // once ends, and the kernel sends none
		}
		l := offline(t, randfs.Source{Read: func(b []byte) { clear(b) }, Seed: func([]byte) {}, Reseed: func() {}})
		unique := bytes.Clone(in[atUnique:][:8])
		if out := l.serve(bytes.Clone(in)); len(out) > 0 {
			status := -int32(binary.NativeEndian.Uint32(out[4:]))
			switch {
			case len(out) < outHeader || int(binary.NativeEndian.Uint32(out)) != len(out):
				t.Errorf("an answer of %d bytes says that it has %d", len(out), binary.NativeEndian.Uint32(out))
			case !bytes.Equal(out[8:16], unique):
				t.Errorf("the answer to %q is one to %q", unique, out[8:16])
			case status < 0 || status > 511 || status != 0 && len(out) != outHeader:
				t.Errorf("error %v with %d bytes", unix.Errno(status), len(out))
			}
		}
		if out := l.serve(readRequest(1, 16)); len(out) != outHeader+16 {
			if binary.NativeEndian.Uint32(in[atOpcode:]) != 18 { // it may have been RELEASE
				t.Errorf("a read is answered with %d bytes", len(out))
			}
		}
	})
}
