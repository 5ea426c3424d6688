// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"testing"

	"fount/internal/seedfile"
)

// take is what a hands out next.
func take(t *testing.T, a *added) []byte {
	t.Helper()
	b := make([]byte, sha512.Size)
	if n, err := a.fill(b); n != len(b) || err != nil {
		t.Fatalf("fill: %d, %v", n, err)
	}
	return b
}

// The hash again, from its definition.
func TestAddDefinition(t *testing.T) {
	var a added
	var chain [64]byte
	sum := func(parts ...[]byte) [64]byte { return sha512.Sum512(bytes.Join(parts, nil)) }
	for range 2 {
		for _, name := range []string{"", "tpm", "a longer name"} {
			b := bytes.Repeat([]byte(name+"x"), 1000)
			a.add(name, b)
			chain = sum(chain[:], binary.LittleEndian.AppendUint64(nil, uint64(len(name))), []byte(name), b)
		}
		want := sum([]byte("give"), chain[:])
		chain = sum([]byte("keep"), chain[:])
		if got := take(t, &a); !bytes.Equal(got, want[:]) {
			t.Errorf("got  %x\nwant %x", got, want)
		}
		if n, err := a.fill(make([]byte, 64)); n != 0 || err != errDry {
			t.Errorf("with nothing new: %d, %v", n, err)
		}
	}
}

// Everything changes what comes out: name, bytes, order, where a name ends, and
// what was handed out before.
func TestAddDistinguishes(t *testing.T) {
	type call struct{ name, b string }
	seen := map[string]int{}
	for i, calls := range [][]call{
		{{"a", "b"}}, {{"a", "c"}}, {{"b", "b"}}, {{"", "ab"}}, {{"ab", "c"}}, {{"a", "bc"}},
		{{"a", "b"}, {"a", "c"}}, {{"a", "c"}, {"a", "b"}}, {{"a", "b"}, {"a", "b"}},
	} {
		var a added
		for _, c := range calls {
			a.add(c.name, []byte(c.b))
		}
		got := string(take(t, &a))
		if j, ok := seen[got]; ok {
			t.Errorf("calls %d and %d give the same", i, j)
		}
		seen[got] = i
		a.add("a", []byte("b"))
		if again := string(take(t, &a)); again == got {
			t.Errorf("calls %d: the next is the same again", i)
		}
	}
}

func TestAddNothing(t *testing.T) {
	var a added
	a.add("a", nil)
	if n, err := a.fill(make([]byte, 64)); n != 0 || err != errDry {
		t.Errorf("%d, %v", n, err)
	}
}

// Add goes through Gather, once.
func TestAddIsGathered(t *testing.T) {
	count := func() (n int) {
		Gather(func(name string, b []byte, credit int) {
			if name == "caller" {
				n++
				if len(b) != 64 || credit != 0 {
					t.Errorf("%d bytes that count for %d bits", len(b), credit)
				}
			}
		})
		return n
	}
	count()
	Add("test", []byte("bytes"))
	if n := count(); n != 1 {
		t.Errorf("gathered %d times", n)
	}
	if n := count(); n != 0 {
		t.Errorf("gathered %d times more", n)
	}
}

func TestSeedFile(t *testing.T) {
	before := seedfile.Bytes()
	for _, step := range []struct {
		n    int
		err  error
		want SourceStatus
	}{
		{0, errors.New("seed.bin is missing"), SourceStatus{Name: "seed file", Why: "seed.bin is missing"}},
		{64, nil, SourceStatus{Name: "seed file", Available: true, Healthy: true, Bytes: 64}},
		{64, nil, SourceStatus{Name: "seed file", Available: true, Healthy: true, Bytes: 128}},
		{0, errors.New("seed.bin is short"), SourceStatus{Name: "seed file", Why: "seed.bin is short", Bytes: 128}},
	} {
		if step.err != nil {
			seedfile.Failed(step.err)
		} else {
			seedfile.Mixed(step.n)
		}
		step.want.Bytes += before
		if got := seedFileSource.status(); got != step.want {
			t.Errorf("status %+v, want %+v", got, step.want)
		}
	}
}
