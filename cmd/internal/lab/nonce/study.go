// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The study measures again the methods of the post "Managing Syscall Overhead with crypto/rand"
// (2016).

import (
	"crypto/rand"
	"fmt"
	"time"

	"fount"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
)

// Study is fount bench nonce.
var Study = lab.Study{
	Name: "nonce", About: "seven ways to make nonces, from buffers to channels (2016)",
	Time: 50 * time.Second, Run: run,
	Headline: &lab.Headline{
		Asks:  "What does a nonce cost?",
		Group: today, Unit: "core-ns/op", Row: Fount().Name, Tells: lab.TellFewer,
		Says:   "as many from the same core time by fount as by crypto/rand",
		Charts: "core ns for 16 random bytes",
		Bars: []lab.Bar{
			{Row: CryptoRand().Name, Label: "crypto/rand"},
			{Row: amortized, Label: "256 bytes kept by each goroutine (2016)"},
			{Row: Fount().Name, Label: "fount"},
		},
	},
}

// Names of a table, and of a method of the post.
const (
	today     = "Today: Go's way to the kernel, nothing after"
	amortized = "Amortized"
)

func run(r *lab.Run) {
	p := r.Plan()
	p.Elapsed = true // most of the methods wait

	if err := machine.RawGetrandom(make([]byte, 16)); err != nil {
		r.Note("2016 is left out: it needs the getrandom system call: %v", err)
	} else {
		r.Compare("2016: a system call a read, Gosched after each nonce", p.Calling(measure.Gosched),
			append(postMethods(machine.RawGetrandom), CryptoRand(), Fount(), Strict())).Published = "the post, on its machine"
	}

	methods := append(postMethods(cryptoRead), Fount(), Strict())
	methods[0] = CryptoRand() // it is what the post calls Baseline
	r.Note("Today's Baseline is crypto/rand.")
	r.Compare(today, p, methods)
	r.Compare("Today: Go's way to the kernel, Gosched after each nonce", p.Calling(measure.Gosched), methods)
	r.Compare("Today: a round trip on loopback after each nonce, included", p.Calling(measure.Loopback), methods)

	var buffers []measure.Method
	for _, n := range []int{16, 64, 256, 1024, 4096, 16384} {
		m := own(fmt.Sprintf("%d B", n), 0, cryptoRead, n)
		m.X = float64(n)
		buffers = append(buffers, m)
	}
	r.Compare("Today: how large a buffer?", p, append(buffers, Fount())).X = "bytes a read"

	var feeders []measure.Method
	for _, n := range []int{1, 2, 16, 32} {
		m := fed(fmt.Sprintf("feeders: %d", n), 0, cryptoRead, 1, n, nonceSize)
		m.X = float64(n)
		feeders = append(feeders, m)
	}
	r.Compare("Today: feeder or channel, what is slow?", p, append(feeders,
		fed("a feeder that reads 256 B", 0, cryptoRead, 1, 1, postBuffer),
		fed("a feeder that asks fount", 0, func(b []byte) error { fount.Read(b); return nil }, 1, 1, nonceSize),
		fed("a feeder that reads nothing", 0, func([]byte) error { return nil }, 1, 1, nonceSize),
		own("no channel: Amortized", 0, cryptoRead, postBuffer),
	)).X = "feeders"
}

// The post's parameters. Its text says 16 writers, its code, which was measured, has 32.
const (
	nonceSize    = len(Nonce{})
	postBuffer   = 256
	postChannels = 32
	postWriters  = 32
	postCapacity = 1000
)

// cryptoRead fills b by crypto/rand, which is today's way to the kernel.
func cryptoRead(b []byte) error {
	rand.Read(b)
	return nil
}

// postMethods returns the seven methods of the post, with its names and its ns, and Channel in two
// versions. The post's code reuses the variable of Channel's channel for those of
// ChannelRoundRobin. So it measured the last of these, while the feeders of the others waited:
// "Channel, shadowed".
func postMethods(read func([]byte) error) []measure.Method {
	return []measure.Method{
		own("Baseline", 1120, read, nonceSize),
		own(amortized, 777, read, postBuffer),
		fed("Channel", 0, read, 1, 1, nonceSize),
		shadowed(fed("Channel, shadowed", 1820, read, postChannels, 1, nonceSize)),
		fed("ChannelAmortized", 1290, read, 1, 1, postBuffer),
		fed("ChannelRoundRobin", 1310, read, postChannels, 1, nonceSize),
		fed("ChannelManyWriters", 1290, read, 1, postWriters, nonceSize),
		fed("ChannelAmortizedManyWriters", 932, read, 1, postWriters, postBuffer),
	}
}

// own returns a method in which each goroutine reads size bytes at a time, a multiple of 16, and
// cuts nonces from them.
func own(name string, then float64, read func([]byte) error, size int) measure.Method {
	return measure.Method{Name: name, Then: then, Open: measure.Shareless(func() func([]Nonce) {
		return newCutter(read, size).draw
	})}
}

// A cutter cuts nonces from a buffer, which it fills again when it is used up. It must not be used
// by several goroutines.
type cutter struct {
	read func([]byte) error
	buf  []byte
	next int
}

func newCutter(read func([]byte) error, size int) *cutter {
	return &cutter{read, make([]byte, size), size}
}

func (c *cutter) draw(dst []Nonce) {
	for i := range dst {
		if c.next == len(c.buf) {
			if err := c.read(c.buf); err != nil {
				panic(err)
			}
			c.next = 0
		}
		dst[i] = Nonce(c.buf[c.next:])
		c.next += nonceSize
	}
}
