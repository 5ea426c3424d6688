// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Methods whose goroutines share nothing: they read when they need to, a nonce or a buffer at a time.

import (
	"fmt"

	"fount/lab/measure"
)

// each opens a method that reads every nonce by itself.
func each(via *Via) func() (measure.Source, error) {
	return private(via, func(fill func([]byte) error) func([]Nonce) {
		return func(dst []Nonce) {
			for i := range dst {
				if err := fill(dst[i][:]); err != nil {
					failed(err)
				}
			}
		}
	})
}

// amortized opens a method that reads size bytes at a time, for each goroutine, and cuts nonces from them.
func amortized(via *Via, size int) func() (measure.Source, error) {
	return private(via, func(fill func([]byte) error) func([]Nonce) { return newCutter(fill, size).draw })
}

// private opens a method that gives each goroutine a way to the kernel of its own, if there is one at all.
func private(via *Via, draw func(fill func([]byte) error) func([]Nonce)) func() (measure.Source, error) {
	return func() (measure.Source, error) {
		_, done, err := via.open()
		if err != nil {
			return nil, err
		}
		done()
		return measure.Workers(func(int) measure.Worker {
			fill, done, err := via.open()
			if err != nil {
				panic(err)
			}
			return &worker{Fill: draw(fill), End: done}
		}), nil
	}
}

// A cutter cuts nonces from a buffer and reads the next when it is used up. One goroutine uses it.
type cutter struct {
	fill func([]byte) error
	buf  []byte
	next int
}

// newCutter returns a cutter with a buffer of size bytes, a multiple of 16.
func newCutter(fill func([]byte) error, size int) *cutter {
	if size <= 0 || size%len(Nonce{}) != 0 {
		panic(fmt.Sprintf("a buffer of %d bytes holds no whole number of nonces", size))
	}
	return &cutter{fill: fill, buf: make([]byte, size), next: size}
}

func (c *cutter) draw(dst []Nonce) {
	for i := range dst {
		if c.next == len(c.buf) {
			if err := c.fill(c.buf); err != nil {
				failed(err)
			}
			c.next = 0
		}
		dst[i] = Nonce(c.buf[c.next:])
		c.next += len(Nonce{})
	}
}

// failed ends a draw whose kernel gave bytes when the method was opened and now does not.
func failed(err error) {
	panic(fmt.Sprintf("random bytes were to be had and now are not: %v", err))
}
