// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The seven methods of the post "Managing Syscall Overhead with crypto/rand" (2016), under its names. In the post the
// variable of Channel's channel is later used for the channels of ChannelRoundRobin, so that what it measured as Channel
// is a channel of the other; here each method keeps its own state.

import (
	"fmt"
)

// Parameters are those of the seven methods.
type Parameters struct {
	Via      *Via // where all of them get their bytes
	Capacity int  // nonces that a channel holds
	Buffer   int  // bytes read at a time where the cost of a read is to be spread, a multiple of 16
	Channels int  // of ChannelRoundRobin
	Writers  int  // goroutines that feed one channel, of the methods with many writers
}

// Post are the post's parameters; the bytes come the default way.
func Post() Parameters {
	return Parameters{Via: DefaultVia(), Capacity: 1000, Buffer: 256, Channels: 32, Writers: 32}
}

// Seven are the methods in the order of the post, Baseline first.
func Seven(p Parameters) []Method {
	return []Method{
		Baseline{p.Via},
		Channel{p.Via, p.Capacity},
		Amortized{p.Via, p.Buffer},
		ChannelAmortized{p.Via, p.Capacity, p.Buffer},
		ChannelRoundRobin{p.Via, p.Capacity, p.Channels},
		ChannelManyWriters{p.Via, p.Capacity, p.Writers},
		ChannelAmortizedManyWriters{p.Via, p.Capacity, p.Writers, p.Buffer},
	}
}

// Baseline reads a nonce when one is needed. Its idea is that there is nothing to maintain and nothing that a clone could
// repeat; its weakness that each nonce costs a call, with what the machine adds to a call.
type Baseline struct{ Via *Via }

func (Baseline) Name() string     { return "Baseline" }
func (Baseline) Weakness() string { return "" }

func (m Baseline) Open() (Source, error) { return each(m.Via) }

// Channel has one goroutine that reads nonces and sends them into a buffered channel. Its idea is that the request only
// receives: the feeder reads while the server waits for something else. Its weaknesses are that a receive takes the
// channel's lock and may wake the feeder, that all goroutines meet at one lock and one feeder, and that a clone repeats
// what is in the channel.
type Channel struct {
	Via      *Via
	Capacity int
}

func (Channel) Name() string       { return "Channel" }
func (m Channel) Weakness() string { return stock(m.Capacity) }

func (m Channel) Open() (Source, error) { return feed(m.Via, m.Capacity, 1, len(Nonce{})) }

// Amortized reads a buffer in each goroutine and cuts nonces from it. Its idea is that one call serves 16 nonces and that
// goroutines share nothing; its weaknesses are that every sixteenth nonce pays for all, and that a clone repeats the rest
// of each buffer.
type Amortized struct {
	Via    *Via
	Buffer int
}

func (Amortized) Name() string { return "Amortized" }
func (m Amortized) Weakness() string {
	return fmt.Sprintf("a clone repeats up to %d B per goroutine", m.Buffer)
}

func (m Amortized) Open() (Source, error) { return amortized(m.Via, m.Buffer) }

// ChannelAmortized is Channel with a feeder that reads a buffer at a time. Its idea is to make the one feeder faster; its
// weakness that the channel costs more than what it saves where the call was cheap.
type ChannelAmortized struct {
	Via      *Via
	Capacity int
	Buffer   int
}

func (ChannelAmortized) Name() string       { return "ChannelAmortized" }
func (m ChannelAmortized) Weakness() string { return stock(m.Capacity) }

func (m ChannelAmortized) Open() (Source, error) { return feed(m.Via, m.Capacity, 1, m.Buffer) }

// ChannelRoundRobin has many channels, each with a feeder; a goroutine takes them in turn. Its idea is that goroutines
// meet less often at a lock; its weaknesses are that all begin at the same channel, that each turn goes to memory last
// used by another core, and that a clone repeats what is in all the channels.
type ChannelRoundRobin struct {
	Via      *Via
	Capacity int
	Channels int
}

func (ChannelRoundRobin) Name() string       { return "ChannelRoundRobin" }
func (m ChannelRoundRobin) Weakness() string { return stock(m.Capacity * m.Channels) }

func (m ChannelRoundRobin) Open() (Source, error) {
	r := make(ring, 0, m.Channels)
	for range m.Channels {
		f, err := feed(m.Via, m.Capacity, 1, len(Nonce{}))
		if err != nil {
			r.Close()
			return nil, err
		}
		r = append(r, f)
	}
	return r, nil
}

// ChannelManyWriters is Channel with many feeders. Its idea is that one feeder may be what the others wait for; its
// weakness that the feeders now meet at the channel's lock too.
type ChannelManyWriters struct {
	Via      *Via
	Capacity int
	Writers  int
}

func (ChannelManyWriters) Name() string       { return "ChannelManyWriters" }
func (m ChannelManyWriters) Weakness() string { return stock(m.Capacity) }

func (m ChannelManyWriters) Open() (Source, error) {
	return feed(m.Via, m.Capacity, m.Writers, len(Nonce{}))
}

// ChannelAmortizedManyWriters is ChannelManyWriters with feeders that read a buffer at a time: all of the post's ideas but
// the ring at once, with the weaknesses of each.
type ChannelAmortizedManyWriters struct {
	Via      *Via
	Capacity int
	Writers  int
	Buffer   int
}

func (ChannelAmortizedManyWriters) Name() string       { return "ChannelAmortizedManyWriters" }
func (m ChannelAmortizedManyWriters) Weakness() string { return stock(m.Capacity) }

func (m ChannelAmortizedManyWriters) Open() (Source, error) {
	return feed(m.Via, m.Capacity, m.Writers, m.Buffer)
}

// stock is the weakness of channels that hold so many nonces.
func stock(nonces int) string {
	return fmt.Sprintf("a clone repeats up to %d B of stock", nonces*len(Nonce{}))
}
