// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Channels of nonces, and the goroutines that feed them.

import (
	"sync"
	"sync/atomic"
	"time"

	"fount/cmd/internal/lab/measure"
)

// fed returns a method in which workers take nonces from channels, one after the other. Each
// channel has feeders, which read size bytes at a time until the turn ends.
func fed(name string, then float64, read func([]byte) error, channels, feeders, size int) measure.Method {
	m := measure.Method{Name: name, Then: then}
	if channels > 1 {
		m.Warmup = 16 * time.Millisecond // 32,000 system calls take 10 ms on one core
	}

	m.Open = func() (measure.Source, error) {
		if err := read(make([]byte, nonceSize)); err != nil {
			return nil, err
		}

		r := make(ring, channels)
		for i := range r {
			r[i] = newFeeding(read, feeders, size)
		}
		if channels == 1 {
			return r[0], nil
		}
		return r, nil
	}
	return m
}

// A feeding is a channel of nonces with its feeders. It is the Source of a method with one channel.
type feeding struct {
	nonces  chan Nonce
	feeders sync.WaitGroup
	stop    atomic.Bool
}

func newFeeding(read func([]byte) error, feeders, size int) *feeding {
	f := &feeding{nonces: make(chan Nonce, postCapacity)}
	for range feeders {
		f.feeders.Go(func() { f.run(newCutter(read, size)) })
	}
	return f
}

// run is a feeder. It sends without a select, as in the post: a second channel, to stop it, would
// make each nonce dearer.
func (f *feeding) run(c *cutter) {
	var n [1]Nonce
	for !f.stop.Load() {
		c.draw(n[:])
		f.nonces <- n[0]
	}
}

func (f *feeding) Worker(int) measure.Worker {
	return &worker{Fill: func(dst []Nonce) {
		for i := range dst {
			dst[i] = <-f.nonces
		}
	}}
}

// Close ends the feeders. Some may wait to send into the full channel, so Close receives and drops
// nonces until the last feeder has ended.
func (f *feeding) Close() {
	f.stop.Store(true)
	go func() {
		f.feeders.Wait()
		close(f.nonces)
	}()
	for range f.nonces {
	}
}

// A ring is a list of channels. Each worker takes from one after the other.
type ring []*feeding

func (r ring) Worker(int) measure.Worker {
	turn := 0
	return &worker{Fill: func(dst []Nonce) {
		for i := range dst {
			dst[i] = <-r[turn].nonces
			turn++
			if turn == len(r) {
				turn = 0
			}
		}
	}}
}

// shadowed returns a method with the channels of m, where workers take from the last channel only.
func shadowed(m measure.Method) measure.Method {
	open := m.Open
	m.Open = func() (measure.Source, error) {
		src, err := open()
		if err != nil {
			return nil, err
		}

		r := src.(ring)
		return last{r, r[len(r)-1]}, nil
	}
	return m
}

type last struct {
	ring
	feeding *feeding
}

func (l last) Worker(k int) measure.Worker { return l.feeding.Worker(k) }

func (r ring) Close() {
	for _, f := range r {
		f.Close()
	}
}
