// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the seven methods: what each reads, who feeds it, and that nothing of one is in another.

package nonce

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"fount/lab/measure"
)

// A register is a way to bytes that tells where each came from: every 8 bytes are the number of the opening, from 1 on,
// and of the 8 bytes within it, from 0 on.
type register struct {
	mu             sync.Mutex
	opened, closed int
	fails          int         // the opening that fails; 0 for none
	reads          map[int]int // by length
}

func (r *register) via() *Via {
	r.reads = map[int]int{}
	return &Via{Name: "register", open: func() (func([]byte) error, func(), error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.opened++
		if r.opened == r.fails {
			return nil, nil, errors.New("no more")
		}
		number, next := uint32(r.opened), uint32(0)
		fill := func(b []byte) error {
			r.mu.Lock()
			r.reads[len(b)]++
			r.mu.Unlock()
			for ; len(b) > 0; b = b[8:] {
				binary.BigEndian.PutUint32(b, number)
				binary.BigEndian.PutUint32(b[4:], next)
				next++
			}
			return nil
		}
		return fill, func() { r.mu.Lock(); defer r.mu.Unlock(); r.closed++ }, nil
	}}
}

// origin is the opening that a nonce comes from, and its place among that one's nonces.
func origin(n Nonce) (opening, place int) {
	return int(binary.BigEndian.Uint32(n[:])), int(binary.BigEndian.Uint32(n[4:])) / 2
}

func (r *register) open(t *testing.T, m measure.Method) measure.Source {
	t.Helper()
	src, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func drawSome(src measure.Source, n int) []Nonce {
	w := src.Worker(0).(*worker)
	defer w.Close()
	nonces := make([]Nonce, n)
	w.Fill(nonces)
	return nonces
}

func TestSeven(t *testing.T) {
	p := PostParameters()
	if p.Capacity != 1000 || p.Buffer != 256 || p.Channels != 32 || p.Writers != 32 {
		t.Errorf("parameters %+v are not the post's", p)
	}
	var names []string
	for _, m := range Seven(p) {
		names = append(names, m.Name)
		if !IsOfPost(m.Name) {
			t.Errorf("%s has no result in the post", m.Name)
		}
	}
	want := []string{"Baseline", "Channel", "Amortized", "ChannelAmortized", "ChannelRoundRobin", "ChannelManyWriters", "ChannelAmortizedManyWriters"}
	if !slices.Equal(names, want) || len(postNS) != len(want) {
		t.Errorf("methods %v, want %v", names, want)
	}
}

// Each method reads as its description says: how many ways to the kernel, and how many bytes at a time.
func TestSevenReads(t *testing.T) {
	for _, test := range []struct {
		method          func(Parameters) measure.Method
		openings, bytes int
	}{
		{baseline, 2, 16}, // one to see that it works, one of the goroutine
		{Channel, 1, 16}, {amortizedReads, 2, 64}, {channelAmortized, 1, 64}, {channelRoundRobin, 5, 16}, {channelManyWriters, 7, 16},
		{channelAmortizedManyWriters, 7, 64},
	} {
		var r register
		m := test.method(Parameters{Via: r.via(), Capacity: 10, Buffer: 64, Channels: 5, Writers: 7})
		t.Run(m.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				src := r.open(t, m)
				next := map[int]int{} // by opening
				for i, n := range drawSome(src, 1000) {
					opening, place := origin(n)
					if place != next[opening] {
						t.Fatalf("nonce %d is the %d. of opening %d, want the %d.: lost or twice", i, place, opening, next[opening])
					}
					next[opening]++
				}
				src.Close()
				if r.opened != test.openings || r.closed != r.opened {
					t.Errorf("%d openings, %d closed; want %d, all closed", r.opened, r.closed, test.openings)
				}
				if len(r.reads) != 1 || r.reads[test.bytes] == 0 {
					t.Errorf("reads by length %v, want %d B only", r.reads, test.bytes)
				}
			})
		})
	}
}

// In the post, Channel's variable ends as a channel of ChannelRoundRobin. Here both can be open at once, and each has its
// own feeders' nonces.
func TestChannelIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r register
		p := Parameters{Via: r.via(), Capacity: 10, Channels: 4}
		channel := r.open(t, Channel(p)) // opening 1
		ring := r.open(t, channelRoundRobin(p))
		later := r.open(t, Channel(p)) // opening 6
		for i, n := range drawSome(channel, 100) {
			if opening, place := origin(n); opening != 1 || place != i {
				t.Fatalf("Channel's nonce %d is the %d. of feeder %d, want the %d. of feeder 1", i, place, opening, i)
			}
		}
		for i, n := range drawSome(ring, 100) {
			if opening, place := origin(n); opening != 2+i%4 || place != i/4 {
				t.Fatalf("ChannelRoundRobin's nonce %d is the %d. of feeder %d, want the %d. of feeder %d", i, place, opening, i/4, 2+i%4)
			}
		}
		for i, n := range drawSome(later, 100) {
			if opening, place := origin(n); opening != 6 || place != i {
				t.Fatalf("the second Channel's nonce %d is the %d. of feeder %d, want the %d. of feeder 6", i, place, opening, i)
			}
		}
		later.Close()
		ring.Close()
		channel.Close()
	})
}

// A feeder that waits in a send into a full channel ends at Close, as does one that never got to send. Synctest fails
// the test if one is left.
func TestCloseEndsFeeders(t *testing.T) {
	for _, capacity := range []int{0, 1, 1000} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var r register
				for _, m := range Seven(Parameters{Via: r.via(), Capacity: capacity, Buffer: 64, Channels: 5, Writers: 5}) {
					if !hasChannels(m.Name) {
						continue
					}
					r.open(t, m).Close() // before they may have run
					full := r.open(t, m)
					synctest.Wait() // all of them wait in a send
					full.Close()
					used := r.open(t, m)
					drawSome(used, 10)
					used.Close()
				}
				if r.opened != r.closed {
					t.Errorf("%d openings, %d closed", r.opened, r.closed)
				}
			})
		})
	}
}

// If one of many feeders can't be had, the others end.
func TestOpenFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := Parameters{Capacity: 10, Buffer: 64, Channels: 5, Writers: 5}
		for _, method := range []func(Parameters) measure.Method{baseline, amortizedReads, channelRoundRobin, channelManyWriters} {
			r := register{fails: 1}
			p.Via = r.via()
			if _, err := method(p).Open(); err == nil {
				t.Error("opened without a way to the kernel")
			}
			r = register{fails: 3}
			p.Via = r.via()
			src, err := method(p).Open()
			if err == nil {
				src.Close()
			}
			synctest.Wait()
			if want := min(r.opened, 2); r.closed != want {
				t.Errorf("%s: %d openings, %d closed; want %d", method(p).Name, r.opened, r.closed, want)
			}
		}
	})
}

func TestCutterRefusesOddBuffers(t *testing.T) {
	for _, size := range []int{-16, 0, 8, 17, 255} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a buffer of %d bytes was taken", size)
				}
			}()
			newCutter(nil, size)
		}()
	}
}

// A kernel that stops giving bytes ends the draw: no nonce is made of what was there.
func TestFailingFill(t *testing.T) {
	broken := &Via{open: func() (func([]byte) error, func(), error) {
		return func([]byte) error { return errors.New("no bytes") }, func() {}, nil
	}}
	for _, m := range []measure.Method{baseline(Parameters{Via: broken}), amortizedReads(Parameters{Via: broken, Buffer: 64})} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s draws without bytes", m.Name)
				}
			}()
			src, err := m.Open()
			if err != nil {
				t.Fatal(err)
			}
			drawSome(src, 1)
		}()
	}
}

// Every way fills, or says that the system has none.
func TestVias(t *testing.T) {
	for _, via := range Vias {
		fill, done, err := via.open()
		if errors.Is(err, errors.ErrUnsupported) {
			t.Logf("%s: %v", via.Name, err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", via.Name, err)
			continue
		}
		nonces := make([]Nonce, 100)
		b := make([]byte, len(nonces)*len(Nonce{}))
		if err := fill(b); err != nil {
			t.Errorf("%s: %v", via.Name, err)
		}
		for i := range nonces {
			nonces[i] = Nonce(b[i*len(Nonce{}):])
		}
		if f := fault(nonces); f != "" {
			t.Errorf("%s: %s", via.Name, f)
		}
		done()
	}
	if _, _, err := DefaultVia().open(); err != nil {
		t.Errorf("the default, %s, does not work: %v", DefaultVia().Name, err)
	}
}
