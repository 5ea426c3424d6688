// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Channels of nonces, and the goroutines that feed them.

import (
	"sync"
	"sync/atomic"

	"fount/lab/measure"
)

// A feeding is a channel of nonces with its feeders. It is the Source of a method with one channel.
type feeding struct {
	nonces  chan Nonce
	feeders sync.WaitGroup
	stop    atomic.Bool
}

// feed opens a method of one channel.
func feed(via *Via, capacity, writers, buffer int) func() (measure.Source, error) {
	return func() (measure.Source, error) {
		f, err := newFeeding(via, capacity, writers, buffer)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

// newFeeding starts writers feeders, each of which reads buffer bytes at a time, for a channel that holds capacity nonces.
func newFeeding(via *Via, capacity, writers, buffer int) (*feeding, error) {
	f := &feeding{nonces: make(chan Nonce, capacity)}
	for range writers {
		fill, done, err := via.open()
		if err != nil {
			f.Close()
			return nil, err
		}
		f.feeders.Go(func() {
			defer done()
			f.run(newCutter(fill, buffer))
		})
	}
	return f, nil
}

// run is a feeder. It sends plainly, as the post's do: a select with a second channel, to be stopped by, would make each
// nonce dearer.
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

// Close ends the feeders. Those that wait in a send, the channel being full, get it done: what they send is thrown away
// until the last of them has ended.
func (f *feeding) Close() {
	f.stop.Store(true)
	go func() {
		f.feeders.Wait()
		close(f.nonces)
	}()
	for range f.nonces {
	}
}

// A ring is channels that each worker takes in turn. It is the Source of ChannelRoundRobin.
type ring []*feeding

func (r ring) Worker(int) measure.Worker {
	turn := 0
	return &worker{Fill: func(dst []Nonce) {
		for i := range dst {
			dst[i] = <-r[turn].nonces
			if turn++; turn == len(r) {
				turn = 0
			}
		}
	}}
}

func (r ring) Close() {
	for _, f := range r {
		f.Close()
	}
}
