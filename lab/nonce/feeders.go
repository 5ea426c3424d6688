// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What a channel of nonces waits for. A reader of the post supposed that it is the feeder and not the channel's lock; the post
// answers with more feeders, which the lock meets too. Here feeders also get faster, up to one that reads nothing.

import (
	"fmt"
	"strings"

	"fount"
	"fount/lab/measure"
	"fount/lab/show"
)

// Feeders asks whether the feeder or the channel is what a method with a channel waits for. A channel is fed by so many feeders
// that read each nonce by itself, in turn for each number of the list, and by one that is faster.
func Feeders(numbers []int) *Question {
	return &Question{
		name: "NonceFeeders", unit: "ns per nonce", base: feedersName(numbers[0]), columns: Which.columns,
		methods: func(p Parameters) (list []measure.Method) {
			for _, n := range numbers {
				p.Writers = n
				m := channelManyWriters(p)
				m.Name = feedersName(n)
				list = append(list, m)
			}
			m := channelAmortized(p)
			m.Name = bufferedFeeder
			return append(list, m, amortizedReads(p))
		},
		beside: func(p Parameters) []measure.Method {
			free := fed(p, freeFeeder, func([]byte) {})
			free.Weakness, free.Control = "no nonce", true
			return []measure.Method{fed(p, fountFeeder, func(b []byte) { fount.Read(b) }), free, Empty()}
		},
		conclude: Trial.concludeFeeders,
	}
}

// The faster feeders.
const (
	bufferedFeeder = "BufferedFeeder" // reads as Amortized
	fountFeeder    = "FountFeeder"    // has nonces of fount
	freeFeeder     = "FreeFeeder"     // has none: what is left is the channel's cost
	feedersPrefix  = "Feeders"
)

func feedersName(n int) string { return fmt.Sprintf("%s%d", feedersPrefix, n) }

// fed is Channel with a feeder that fills nonces in its own way.
func fed(p Parameters, name string, fill func([]byte)) measure.Method {
	p.Via = &Via{Name: own, open: func() (func([]byte) error, func(), error) {
		return func(b []byte) error { fill(b); return nil }, func() {}, nil
	}}
	m := Channel(p)
	m.Name = name
	return m
}

// concludeFeeders answers the reader's question.
func (t Trial) concludeFeeders() measure.Conclusion {
	many := measure.Filter(t.Steady, func(name string) bool { return strings.HasPrefix(name, feedersPrefix) })
	free, ok := measure.Find(t.Steady, freeFeeder)
	amortized, _ := measure.Find(t.Steady, "Amortized")
	text, _ := measure.Find(many, feedersName(postTextWriters))
	code, _ := measure.Find(many, feedersName(postWriters))
	c := measure.Conclusion{Docket: new(measure.Docket)}
	if len(many) > 0 {
		c.Docket.EnterPairs(mean, measure.Cost, many[:1], t.Steady)
	}
	c.Docket.Enter(mean, measure.Cost, amortized, free)
	c.Docket.Enter(mean, measure.Cost, code, text)
	c.Docket.Decide()
	if len(many) == 0 || !ok {
		c.Sentences = []string{"A number of feeders or FreeFeeder was not measured: there is nothing to conclude."}
		return c
	}
	one := many[0]
	c.Say(parts(one, free, c.Docket))
	if fast, ok := measure.Find(t.Steady, bufferedFeeder); ok {
		c.Say("A faster feeder: " + against(fast, one, c.Docket) + ".")
	}
	var more []string
	for _, m := range many[1:] {
		more = append(more, against(m, one, c.Docket))
	}
	if more != nil {
		c.Say("More feeders: " + show.Series(more) + ".")
	}
	if c.Docket.Less(mean, amortized.Name, free.Name) {
		c.Say(fmt.Sprintf("Even with a feeder that reads nothing a channel costs more than a buffer of the goroutine's own: %s takes %s ns, %s %s.",
			free.Name, free.NS, amortized.Name, amortized.NS))
	}
	if text.NS != nil && code.NS != nil {
		c.Say(fmt.Sprintf("The post's text says %d feeders, its code has %d: %s.", postTextWriters, postWriters, against(code, text, c.Docket)))
	}
	return c
}

// parts is the answer: how much of a nonce's time a feeder that reads nothing leaves.
func parts(one, free measure.Row, d *measure.Docket) string {
	if !d.Less(mean, free.Name, one.Name) {
		return fmt.Sprintf("What reading costs can't be seen: a feeder that reads nothing (%s) takes %s ns a nonce, and %s %s, not measurably more.",
			free.Name, free.NS, one.Name, one.NS)
	}
	part := 1 - free.NS.Median/one.NS.Median
	slow := "The feeder is slow"
	if part < 0.5 {
		slow = "The channel is slow more than the feeder"
	}
	return fmt.Sprintf("%s: reading is %.0f %% of the %s ns that %s takes; a feeder that reads nothing (%s) leaves %s, which are the channel's.",
		slow, 100*part, one.NS, one.Name, free.Name, free.NS)
}

// against is a row beside another.
func against(r, to measure.Row, d *measure.Docket) string {
	if !d.Costs(r.Name, to.Name) {
		return fmt.Sprintf("%s (%s ns) can't be told apart from %s (%s)", r.Name, r.NS, to.Name, to.NS)
	}
	return fmt.Sprintf("%s takes %s ns, %sx %s's %s", r.Name, r.NS, show.Ratio(r.NS.Median/to.NS.Median), to.Name, to.NS)
}
