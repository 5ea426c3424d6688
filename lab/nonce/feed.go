// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Channels of nonces, and the goroutines that feed them.

import (
	"sync"
	"sync/atomic"
)

// A feeding is a channel of nonces with its feeders. It is the Source of a method with one channel.
type feeding struct {
	nonces  chan Nonce
	feeders sync.WaitGroup
	stop    atomic.Bool
}

// feed starts writers feeders, each of which reads buffer bytes at a time, for a channel that holds capacity nonces.
func feed(via *Via, capacity, writers, buffer int) (*feeding, error) {
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

func (f *feeding) Worker() (draw func(dst []Nonce), close func()) {
	return func(dst []Nonce) {
		for i := range dst {
			dst[i] = <-f.nonces
		}
	}, func() {}
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

func (r ring) Worker() (draw func(dst []Nonce), close func()) {
	turn := 0
	return func(dst []Nonce) {
		for i := range dst {
			dst[i] = <-r[turn].nonces
			if turn++; turn == len(r) {
				turn = 0
			}
		}
	}, func() {}
}

func (r ring) Close() {
	for _, f := range r {
		f.Close()
	}
}
