// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"fount/password"
	"fount/remote"
	"fount/remote/api"
)

// A way is one of several to make a call.
type way struct {
	name string
	call func() error
}

// takeTurns has the ways take turns, call by call, so that a machine that gets slower or faster does so for all of them. It
// reports the median of each, and of what a call took longer than the first way's beside it.
func takeTurns(b *testing.B, ways ...way) {
	took := make([][]float64, len(ways)) // µs
	for round := 0; b.Loop(); round++ {
		for i := range ways {
			i = (i + round) % len(ways)
			start := time.Now()
			if err := ways[i].call(); err != nil {
				b.Fatalf("%s: %v", ways[i].name, err)
			}
			took[i] = append(took[i], float64(time.Since(start).Nanoseconds())/1000)
		}
	}
	for i, w := range ways {
		b.ReportMetric(median(took[i]), w.name+"-p50-µs")
		if i > 0 {
			more := make([]float64, len(took[i]))
			for call := range more {
				more[call] = took[i][call] - took[0][call]
			}
			b.ReportMetric(median(more), w.name+"-more-p50-µs")
		}
	}
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}

// What the socket puts on top of a hash: a verify by the pool, by a request on a connection that is kept, and by the client of
// package remote.
func BenchmarkVerify(b *testing.B) {
	o := patient()
	o.Policy = password.Default()
	s := serve(b, o, 100)
	s.Change(api.Policy{}, false)
	encoded := stored(b, password.Default(), "secret")
	raw := s.kept()
	body := request(fmt.Sprintf(`{"password":"secret","hash":%q}`, encoded))
	client, err := remote.HTTP(s.path, remote.HTTPOptions{Timeout: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close(context.Background())
	verify := func(v password.Verifier) func() error {
		return func() error {
			_, err := v.Verify(context.Background(), password.Login{}, []byte("secret"), encoded)
			return err
		}
	}
	takeTurns(b, way{"pool", verify(s.pool.Now())}, way{"http", func() error { return raw.send(body) }}, way{"remote", verify(client)})
}

// kept is a connection for one call after the other.
type kept struct {
	net.Conn
	in *bufio.Reader
}

func (s *served) kept() kept {
	c := s.dial()
	c.SetDeadline(time.Time{})
	return kept{c, bufio.NewReader(c)}
}

func (k kept) send(request string) error {
	if _, err := io.WriteString(k, request); err != nil {
		return err
	}
	return answered(k.in)
}
