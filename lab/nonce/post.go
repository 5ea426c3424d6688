// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The seven methods of the post "Managing Syscall Overhead with crypto/rand" (2016), under its names. In the post the
// variable of Channel's channel is later used for the channels of ChannelRoundRobin, so that what it measured as Channel
// is a channel of the other; here each method keeps its own state.

import (
	"fmt"

	"fount/lab/measure"
	"fount/lab/show"
)

// Parameters are those of the seven methods.
type Parameters struct {
	Via      *Via `json:"-"`        // where all of them get their bytes
	Capacity int  `json:"capacity"` // nonces that a channel holds
	Buffer   int  `json:"buffer"`   // bytes read at a time where the cost of a read is to be spread, a multiple of 16
	Channels int  `json:"channels"` // of ChannelRoundRobin
	Writers  int  `json:"writers"`  // goroutines that feed one channel, of the methods with many writers
}

// PostParameters are those of the post's code; the bytes come the default way. Its text has half as many writers.
func PostParameters() Parameters {
	return Parameters{Via: DefaultVia(), Capacity: 1000, Buffer: 256, Channels: 32, Writers: postWriters}
}

// The writers of the post's methods with many.
const (
	postWriters     = 32 // in its code, which was measured
	postTextWriters = 16 // in its text
)

// Seven are the methods in the order of the post, Baseline first.
func Seven(p Parameters) []measure.Method {
	return []measure.Method{baseline(p), Channel(p), amortizedReads(p), channelAmortized(p), channelRoundRobin(p), channelManyWriters(p),
		channelAmortizedManyWriters(p)}
}

// Baseline is the name of the method that the others are compared with.
const Baseline = "Baseline"

// baseline reads a nonce when one is needed. Its idea is that there is nothing to maintain and nothing that a clone could
// repeat; its weakness that each nonce costs a call, with what the machine adds to a call.
func baseline(p Parameters) measure.Method {
	return measure.Method{Name: Baseline, About: "a read for each nonce", Open: each(p.Via)}
}

// Channel has one goroutine that reads nonces and sends them into a buffered channel. Its idea is that the request only
// receives: the feeder reads while the server waits for something else. Its weaknesses are that a receive takes the
// channel's lock and may wake the feeder, that all goroutines meet at one lock and one feeder, and that a clone repeats
// what is in the channel.
func Channel(p Parameters) measure.Method {
	return measure.Method{Name: "Channel", About: "a channel and a feeder", Weakness: stock(p.Capacity),
		Open: feed(p.Via, p.Capacity, 1, len(Nonce{}))}
}

// amortizedReads reads a buffer in each goroutine and cuts nonces from it. Its idea is that one call serves 16 nonces and that
// goroutines share nothing; its weaknesses are that every sixteenth nonce pays for all, and that a clone repeats the rest
// of each buffer.
func amortizedReads(p Parameters) measure.Method {
	return measure.Method{Name: "Amortized", About: "a buffer for each goroutine", Weakness: rest(p.Buffer), Open: amortized(p.Via, p.Buffer)}
}

// channelAmortized is Channel with a feeder that reads a buffer at a time. Its idea is to make the one feeder faster; its
// weakness that the channel costs more than what it saves where the call was cheap.
func channelAmortized(p Parameters) measure.Method {
	return measure.Method{Name: "ChannelAmortized", About: "a channel and a feeder with a buffer", Weakness: stock(p.Capacity),
		Open: feed(p.Via, p.Capacity, 1, p.Buffer)}
}

// channelRoundRobin has many channels, each with a feeder; a goroutine takes them in turn. Its idea is that goroutines
// meet less often at a lock; its weaknesses are that all begin at the same channel, that each turn goes to memory last
// used by another core, and that a clone repeats what is in all the channels.
func channelRoundRobin(p Parameters) measure.Method {
	return measure.Method{Name: "ChannelRoundRobin", About: "many channels in turn", Weakness: stock(p.Capacity * p.Channels),
		Open: func() (measure.Source, error) {
			r := make(ring, 0, p.Channels)
			for range p.Channels {
				f, err := newFeeding(p.Via, p.Capacity, 1, len(Nonce{}))
				if err != nil {
					r.Close()
					return nil, err
				}
				r = append(r, f)
			}
			return r, nil
		}}
}

// channelManyWriters is Channel with many feeders. Its idea is that one feeder may be what the others wait for; its
// weakness that the feeders now meet at the channel's lock too.
func channelManyWriters(p Parameters) measure.Method {
	return measure.Method{Name: "ChannelManyWriters", About: "a channel and many feeders", Weakness: stock(p.Capacity),
		Open: feed(p.Via, p.Capacity, p.Writers, len(Nonce{}))}
}

// channelAmortizedManyWriters is channelManyWriters with feeders that read a buffer at a time: all of the post's ideas but
// the ring at once, with the weaknesses of each.
func channelAmortizedManyWriters(p Parameters) measure.Method {
	return measure.Method{Name: "ChannelAmortizedManyWriters", About: "a channel and many feeders with buffers", Weakness: stock(p.Capacity),
		Open: feed(p.Via, p.Capacity, p.Writers, p.Buffer)}
}

// stock is the weakness of channels that hold so many nonces.
func stock(nonces int) string {
	return fmt.Sprintf("a clone repeats up to %s of stock", show.Size(float64(nonces*len(Nonce{}))))
}
