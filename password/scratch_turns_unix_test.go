// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package password

import (
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
)

// On one P, whoever waits for the network runs while memory is wiped. With runtime.Gosched between the pieces only
// sysmon asks the network poller, each 10 ms: that is once or twice.
func TestWipesAskTheNetwork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const pieces = 256
	const want = pieces / 32 // at least each 16th is followed by a park; a hop may miss one
	for name, wipe := range map[string]func(*loan){
		"drop": func(l *loan) { l.drop() },
		"wipe": func(l *loan) {
			s := &store{free: []*loan{l}}
			s.wipe()
			if l.dirty > 0 || left(l.blocks) > 0 {
				t.Error("not wiped")
			}
			l.drop()
		},
	} {
		most := int64(0) // of some tries: the system may stop the thread that answers
		for range 5 {
			l := new(loan)
			l.use(pieces * 256)
			hops := pingPong(t)
			before := hops.Load()
			wipe(l)
			if most = max(most, hops.Load()-before); most >= want {
				break
			}
		}
		if most < want {
			t.Errorf("%s of %d pieces: the network had %d turns; want %d at least", name, pieces, most, want)
		}
	}
}

// pingPong has two goroutines send a byte to and fro, each of which waits for the network poller, until the test ends,
// and returns how often it has come.
func pingPong(t *testing.T) *atomic.Int64 {
	hops := new(atomic.Int64)
	r1, w1, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	for _, end := range []struct {
		r io.ReadCloser
		w io.WriteCloser
	}{{r1, w2}, {r2, w1}} {
		t.Cleanup(func() { end.r.Close() })
		go func() {
			defer end.w.Close()
			var b [1]byte
			for {
				if _, err := end.r.Read(b[:]); err != nil {
					return
				}
				hops.Add(1)
				if _, err := end.w.Write(b[:]); err != nil {
					return
				}
			}
		}()
	}
	if _, err := w1.Write([]byte{0}); err != nil {
		t.Fatal(err)
	}
	return hops
}
