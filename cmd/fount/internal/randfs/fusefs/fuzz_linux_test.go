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

	"golang.org/x/sys/unix"
)

// request is a request for a file, with what follows its head.
func request(op uint32, node uint64, rest ...byte) []byte {
	in := make([]byte, atHandle, atHandle+len(rest))
	binary.NativeEndian.PutUint32(in, uint32(atHandle+len(rest)))
	binary.NativeEndian.PutUint32(in[atOpcode:], op)
	copy(in[atUnique:], "UNIQUE..")
	binary.NativeEndian.PutUint64(in[16:], node)
	return append(in, rest...)
}

// FuzzServe: whatever a request says, it gets no answer or one whose head is of it, and the next is served as ever. The
// seeds are of all kinds there are, and some that are not.
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
