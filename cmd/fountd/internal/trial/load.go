// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial

// Clients of the fleet, and the load that they make.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"fount"
	"fount/password"
	"fount/remote"
	"fount/remote/natsconn"
)

// Clients ask a fleet, each over a connection of its own, as the processes of a service do.
type Clients struct {
	all   []*remote.NATSClient
	conns []*nats.Conn
}

// Connect returns n clients. They keep looking for the broker while it is away.
func (f *Fleet) Connect(n int, o remote.NATSOptions) (*Clients, error) {
	c := &Clients{}
	for range n {
		conn, err := nats.Connect(f.URL(), natsconn.Options()...)
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("client: %w", err)
		}
		c.conns = append(c.conns, conn)
		client, err := remote.NATS(natsconn.New(conn), f.PublicKey, o)
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("client: %w", err)
		}
		c.all = append(c.all, client)
	}
	return c, nil
}

// Stats are the sums of the clients' counts.
func (c *Clients) Stats() (sum remote.NATSStats) {
	for _, client := range c.all {
		s := client.Stats()
		sum.Submitted += s.Submitted
		sum.InFlight += s.InFlight
		sum.Answered += s.Answered
		sum.Refused += s.Refused
		sum.Expired += s.Expired
		sum.Canceled += s.Canceled
		sum.Local += s.Local
		sum.Attempts += s.Attempts
		sum.Seconds += s.Seconds
	}
	return sum
}

// Close ends the clients and their connections.
func (c *Clients) Close() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	for _, client := range c.all {
		client.Close(now)
	}
	for _, conn := range c.conns {
		conn.Close()
	}
}

// Await returns when the fleet has answered a call of every client.
func (c *Clients) Await(ctx context.Context) error {
	for _, client := range c.all {
		for {
			call, cancel := context.WithTimeout(ctx, time.Second)
			_, err := client.Verify(call, password.Login{Principal: "await"}, []byte("await"), "")
			cancel()
			if errors.Is(err, password.ErrMismatch) {
				break
			}
			if ctx.Err() != nil {
				return fmt.Errorf("no worker answers: %w", err)
			}
			time.Sleep(slot / 10)
		}
	}
	return nil
}

// A Load is calls that come when they come: an open loop.
type Load struct {
	Rate     float64       // calls a second, on average
	Deadline time.Duration // of each call
	Policy   password.Policy
	Leavers  float64 // the part of the callers who go away before their deadline

}

// principals are how many addresses the calls come from.
const principals = 100

// Run makes calls until ctx is done, and returns when all of them have ended.
func (c *Clients) Run(ctx context.Context, load Load, l *Ledger) error {
	right, wrong := []byte("correct horse"), []byte("battery staple")
	stored, err := password.Hash(load.Policy, right)
	if err != nil {
		return err
	}
	var calls sync.WaitGroup
	defer calls.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for due := time.Now(); ; due = due.Add(time.Duration(fount.ExpFloat64() / load.Rate * float64(time.Second))) {
		timer.Reset(time.Until(due))
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		client, match := c.all[rand.IntN(len(c.all))], rand.IntN(2) == 0
		login := password.Login{Principal: fmt.Sprintf("192.0.2.%d", rand.IntN(principals))}
		began := l.begin()
		calls.Go(func() {
			call, cancel := context.WithTimeout(context.Background(), load.Deadline)
			defer cancel()
			if rand.Float64() < load.Leavers {
				defer time.AfterFunc(time.Duration(rand.Int64N(int64(load.Deadline))), cancel).Stop()
			}
			secret := wrong
			if match {
				secret = right
			}
			_, err := client.Verify(call, login, secret, stored)
			took := l.Now() - began
			o := outcome(match, err, took, load.Deadline)
			l.end(Call{began, took, o}, err)
		})
	}
}

// PerCore estimates how many hashes a second a core of this machine does, in half a second.
func PerCore(ctx context.Context, p password.Policy) (float64, error) {
	const callers, lasts = 16, 500 * time.Millisecond
	pool, err := password.NewPool(password.Options{Policy: p, Workers: 1, MaxWait: time.Hour})
	if err != nil {
		return 0, err
	}
	defer pool.Close(context.Background())
	began := time.Now()
	var mu sync.Mutex
	hashes, last := 0, began
	var all sync.WaitGroup
	var errs [callers]error
	for i := range callers {
		all.Go(func() {
			for errs[i] == nil && time.Since(began) < lasts {
				_, errs[i] = pool.Hash(ctx, password.Login{Principal: fmt.Sprint(i)}, []byte("secret"))
				mu.Lock()
				hashes, last = hashes+1, time.Now()
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return float64(hashes) / last.Sub(began).Seconds(), errors.Join(errs[:]...)
}
