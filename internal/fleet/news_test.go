// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

func someNews(kinds int) News {
	n := News{Worker: WorkerID{1, 2, 3, 4, 5, 6, 7, 8}, Draining: true, Wait: 300 * time.Millisecond}
	for i := range kinds {
		n.Kinds = append(n.Kinds, Estimate{Cost{1, 0, 0, uint32(i)}, time.Duration(i) * time.Millisecond, 5 * time.Microsecond})
	}
	return n
}

func TestNews(t *testing.T) {
	for _, kinds := range []int{0, 1, MaxKinds} {
		n := someNews(kinds)
		b := n.AppendTo(nil, MaxNews)
		if got, err := ParseNews(b); err != nil || !reflect.DeepEqual(got, n) {
			t.Errorf("%d kinds: %+v, %v", kinds, got, err)
		}
		if len(b) != newsHeader+kinds*newsKind {
			t.Errorf("%d kinds take %d bytes", kinds, len(b))
		}
	}
	if n, err := ParseNews(someNews(MaxKinds+1).AppendTo(nil, MaxNews)); err != nil || len(n.Kinds) != MaxKinds {
		t.Errorf("of %d kinds %d arrive, %v; want %d", MaxKinds+1, len(n.Kinds), err, MaxKinds)
	}
	if b := someNews(MaxKinds).AppendTo([]byte("before"), 100); len(b) > 106 || len(b) < 100-newsKind {
		t.Errorf("%d bytes; want at most 100, and as many kinds as fit", len(b))
	}
	vector := []byte{1, 0, 3, 18, 16, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 4, 0x93, 0xe0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5}
	if b := someNews(1).AppendTo(nil, MaxNews); !bytes.Equal(b, vector) { // do NOT change
		t.Errorf("version 1 is %v; want %v", b, vector)
	}
}

// A later minor version may lengthen the header and each kind, and set bits that this one does not know.
func TestNewsOfALaterVersion(t *testing.T) {
	want := someNews(2)
	b := want.AppendTo(nil, MaxNews)
	later := append([]byte{Major, 7, formNews, newsHeader + 3, newsKind + 2}, b[5:newsHeader]...)
	later[13] |= 0x80
	later = append(later, 9, 9, 9)
	for i := range 2 {
		later = append(append(later, b[newsHeader+i*newsKind:][:newsKind]...), 9, 9)
	}
	if got, err := ParseNews(later); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// Whatever arrives, what is taken for news is bounded, and is what would be written.
func FuzzNews(f *testing.F) {
	f.Add(someNews(3).AppendTo(nil, MaxNews))
	f.Add(someNews(0).AppendTo(nil, MaxNews))
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := ParseNews(b)
		if err != nil {
			return
		}
		if len(n.Kinds) > MaxKinds || n.Wait < 0 || n.Wait > MaxLeft {
			t.Fatalf("%+v", n)
		}
		for _, k := range n.Kinds {
			if k.Alone < 0 || k.Alone > MaxLeft || k.Drain < 0 || k.Drain > MaxLeft {
				t.Fatalf("%+v", k)
			}
		}
		if again, err := ParseNews(n.AppendTo(nil, MaxNews)); err != nil || !reflect.DeepEqual(n, again) {
			t.Fatalf("%+v is written as %+v, %v", n, again, err)
		}
	})
}
