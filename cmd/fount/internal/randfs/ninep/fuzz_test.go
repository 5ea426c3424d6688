// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Whole conversations from any bytes.

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"9fans.net/go/plan9"
)

// A tape plays a client's bytes, in pieces of one length, and records the answers.
type tape struct {
	noDeadlines
	in    []byte
	piece int
	out   bytes.Buffer
}

func (t *tape) Read(b []byte) (int, error) {
	if len(t.in) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), t.piece)], t.in)
	t.in = t.in[n:]
	return n, nil
}

func (t *tape) Write(b []byte) (int, error) { return t.out.Write(b) }
func (t *tape) Close() error                { return nil }

// play has a server talk to a tape, and returns the answers and how it ended.
func play(t *testing.T, in []byte, piece int) ([]*fcall, error) {
	t.Helper()
	src := new(source)
	s := &Server{Tree: src.tree()}
	s.init()
	go func() {
		for range src.seeds {
		}
	}()
	tp := &tape{in: in, piece: piece}
	err := newConn(s, tp, peer{"tape", unknown}).serve()
	var answers []*fcall
	for tp.out.Len() > 0 {
		size := tp.out.Len()
		f, err := plan9.ReadFcall(&tp.out)
		if err != nil {
			t.Fatalf("after %d answers: %v", len(answers), err)
		}
		if size -= tp.out.Len(); size > maxMsize {
			t.Fatalf("an answer of %d bytes", size)
		}
		answers = append(answers, f)
	}
	close(src.seeds)
	return answers, err
}

// FuzzConversation sends any bytes. Each whole message is answered once, with its tag, by its
// answer or an error, no longer than msize; what comes after a size that can't be is not; and
// pieces make no difference.
func FuzzConversation(f *testing.F) {
	var long []byte
	add := func(calls ...*fcall) {
		var all []byte
		for _, c := range calls {
			all = append(all, bytesOf(f, c)...)
		}
		long = append(long, all...)
		f.Add(all, uint8(1))
		f.Add(long, uint8(100))
	}
	version := &fcall{Type: plan9.Tversion, Tag: noTag, Msize: 8192, Version: "9P2000.L"}
	attach := attachRoot
	add(version, attach)
	for _, name := range []string{"random", "seed", "stats", "ctl", ".."} {
		add(&fcall{Type: plan9.Twalk, Newfid: 1, Wname: []string{name}},
			&fcall{Type: plan9.Topen, Fid: 1, Mode: plan9.OWRITE},
			&fcall{Type: plan9.Topen, Fid: 1, Mode: plan9.OREAD},
			&fcall{Type: plan9.Twrite, Fid: 1, Data: []byte("reseed\n")},
			&fcall{Type: plan9.Tread, Fid: 1, Offset: 10, Count: 100},
			&fcall{Type: plan9.Tread, Fid: 1, Count: 1 << 31},
			&fcall{Type: plan9.Tclunk, Fid: 1})
	}
	for _, c := range examples(1, 2, "random", make([]byte, 600)) {
		add(version, attach, c)
	}
	for _, bad := range [][]byte{ // in a message of the right size
		message(headSize, plan9.Tread, 5), message(headSize+4, plan9.Rread, 5, 0, 0, 0, 0), message(headSize, plan9.Terror, 5),
		message(headSize+16, plan9.Twrite, 5, append(make([]byte, 12), 255, 255, 255, 255)...),
		message(headSize+10, plan9.Twalk, 5, append(make([]byte, 8), 255, 255)...),
		message(headSize+8, plan9.Tversion, 5, 0, 32, 0, 0, 255, 255, '9', 'P'), message(headSize+7, plan9.Twstat, 5, 0, 0, 0, 0, 50, 0, 1),
	} {
		f.Add(append(slices.Clone(long), bad...), uint8(3))
	}
	f.Add(append(long, 0, 0, 0, 0, 100, 1, 1), uint8(7))
	f.Add([]byte{255, 255, 255, 255, 100, 1, 1}, uint8(7))
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		answers, err := play(t, in, len(in)+1)
		whole := messages(in, answers)
		if len(answers) != len(whole) && len(answers) != len(whole)+1 {
			t.Fatalf("%d answers to %d messages: %v", len(answers), len(whole), err)
		}
		for i, m := range whole {
			a := answers[i]
			if a.Tag != tagOf(m) || a.Type != m[4]+1 && a.Type != plan9.Rerror {
				t.Fatalf("message %d, %x, is answered %v", i, m, a)
			}
		}
		if len(answers) > len(whole) && (err == nil || answers[len(whole)].Type != plan9.Rerror) {
			t.Fatalf("after the last message: %v, %v", answers[len(whole)], err)
		}
		again, err2 := play(t, in, max(1, int(piece)))
		if len(again) != len(answers) || (err2 == nil) != (err == nil) {
			t.Fatalf("in pieces of %d: %d answers and %v, in one %d and %v", piece, len(again), err2, len(answers), err)
		}
		for i := range again {
			if again[i].Type != answers[i].Type || again[i].Tag != answers[i].Tag || len(again[i].Data) != len(answers[i].Data) {
				// The text of stats differs in length when the clock's figures do.
				if again[i].Type != plan9.Rread || answers[i].Type != plan9.Rread {
					t.Fatalf("in pieces of %d, answer %d is %v, in one %v", piece, i, again[i], answers[i])
				}
			}
		}
	})
}

// messages cuts bytes at sizes that can be: those that the server agreed to in its answers.
func messages(in []byte, answers []*fcall) (all [][]byte) {
	msize := uint32(aheadSize)
	for len(in) >= headSize {
		size := uint32(in[0]) | uint32(in[1])<<8 | uint32(in[2])<<16 | uint32(in[3])<<24
		if size < headSize || size > msize || uint64(size) > uint64(len(in)) {
			break
		}
		m := in[:size]
		in = in[size:]
		all = append(all, m)
		if len(all) > len(answers) {
			break
		}
		if m[4] == plan9.Tversion {
			a := answers[len(all)-1]
			switch {
			case a.Type == plan9.Rversion && a.Version == protocol:
				msize = a.Msize
			case wellFormed(m):
				msize = aheadSize
			}
		}
	}
	return all
}
