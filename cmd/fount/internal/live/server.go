// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

// The process of a way, which hashes.

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/measure"
	"fount/internal/cputime"
)

// A call asks for a login or, as a ping, for no hash. It comes back as its answer.
type call struct {
	ID      int64     `json:"id"`
	Came    time.Time `json:"came"`
	Ping    bool      `json:"ping,omitempty"`
	Refused bool      `json:"refused,omitempty"`

	// Of the answer to a ping: the seconds of CPU time that the server has used, and waited for.
	Used   float64 `json:"used,omitempty"`
	Waited float64 `json:"waited,omitempty"`
}

// A setup is what a server is told first.
type setup struct {
	Mechanism string // of package logins
	Cost      int    // of bcrypt
}

// Child answers calls by one way, each on a goroutine of its own, until in ends.
func Child(in *json.Decoder, out *json.Encoder) error {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the pool says there that it is overloaded

	var s setup
	if err := in.Decode(&s); err != nil {
		return err
	}
	login, err := s.server()
	if err != nil {
		return err
	}

	var mu sync.Mutex
	for {
		c := new(call)
		if err := in.Decode(c); err != nil {
			return nil
		}

		go func() {
			if c.Ping {
				c.measure()
			} else {
				c.Refused = login(*c) != nil
			}

			mu.Lock()
			defer mu.Unlock()
			_ = out.Encode(c) // nobody is there to be told
		}()
	}
}

// measure sets the CPU time of this process, where the system tells for how long it waited.
func (c *call) measure() {
	if waited := cputime.Waited(); waited >= 0 {
		c.Used = measure.CPUSeconds()
		c.Waited = waited
	}
}

// server returns what answers a login; its error is a refusal.
func (s setup) server() (login func(call) error, err error) {
	c := logins.Post()
	c.Mechanism = s.Mechanism
	c.Cost = s.Cost
	c.Deadline = patience
	c.Rate = 1 // callers don't wait

	m, err := c.Open()
	return func(c call) error {
		ctx, cancel := context.WithDeadline(context.Background(), c.Came.Add(patience))
		defer cancel()
		return m.Compare(ctx, fmt.Sprint(c.ID))
	}, err
}
