// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
	"fount/password"
)

// A refuser is a broker whose workers refuse: the first that is asked when it is heard again, after being taken for gone, the others at once.
type refuser struct {
	mu    sync.Mutex
	asked []string // subjects
	stops int
}

const refusing = time.Millisecond

func (r *refuser) Request(_ context.Context, subject string, _ []byte) ([]byte, error) {
	r.mu.Lock()
	r.asked = append(r.asked, subject)
	first := len(r.asked) == 1
	r.mu.Unlock()
	if first {
		time.Sleep(choice.Quiet + 3*refusing/2)
	} else {
		time.Sleep(refusing)
	}
	return fleet.Refusal{Reason: fleet.Busy}.AppendTo(nil), nil
}

func (r *refuser) Subscribe(string, func([]byte)) (func(), error) {
	return func() { r.stops++ }, nil
}

func (*refuser) Publish(string, []byte) error { return nil }

// isAsked reports whether a worker has had a request.
func (r *refuser) isAsked(id fleet.WorkerID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.asked, fleet.Subject(DefaultSubject).Worker(id))
}

func newRefuser(t *testing.T) (*NATSClient, *refuser) {
	t.Helper()
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	r := new(refuser)
	c, err := NATS(r, k.Public().String(), NATSOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

// A call that others had because its worker was taken for gone goes to no more of them when that one refuses after all.
func TestNATSRefusedByOneThatIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRefuser(t)
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 6 {
			go func() {
				for id := workerID(i); ctx.Err() == nil && !r.isAsked(id); time.Sleep(choice.Every) {
					c.receive(fleet.News{Worker: id}.AppendTo(nil, fleet.MaxNews))
				}
			}()
		}
		synctest.Wait()
		_, err := c.Verify(t.Context(), caller, []byte("p"), "p")
		if !errors.As(err, new(password.OverloadedError)) {
			t.Errorf("%v; want OverloadedError", err)
		}
		r.mu.Lock()
		if len(r.asked) != 3 {
			t.Errorf("%d workers are asked; want the first, and two until it refused", len(r.asked))
		}
		r.mu.Unlock()
		cancel()
		time.Sleep(choice.Every) // those that publish end
	})
}

// Who closes a client twice ends its subscription once.
func TestNATSCloseTwice(t *testing.T) {
	c, r := newRefuser(t)
	for range 2 {
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if r.stops != 1 {
		t.Errorf("stop is called %d times; want once", r.stops)
	}
}

// A call with all the time in the world waits for its reply as long as others do.
func TestNATSLongestTimeout(t *testing.T) {
	for _, left := range []time.Duration{10 * time.Second, math.MaxInt64 / 2, math.MaxInt64} {
		if got := new(NATSClient).silence(left, 0); got != longestSilence {
			t.Errorf("with %v left another worker gets the call after %v; want %v", left, got, longestSilence)
		}
	}
}

// A worker whose request a lost connection has ended is told so, before the call is sent again, or when its caller has gone.
func TestNATSLostIsCanceled(t *testing.T) {
	for _, gone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c, b := newScripted(t, 3, NATSOptions{})
			synctest.Wait()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(each/2, func() { b.disconnect(time.Millisecond) })
			if gone { // before other workers can be heard
				time.AfterFunc(each/2+2*time.Millisecond, cancel)
			}
			if _, err := c.Verify(ctx, caller, []byte("p"), "p"); (err != nil) != gone {
				t.Errorf("the caller goes away: %v: %v", gone, err)
			}
			time.Sleep(3 * hop)
			b.mu.Lock()
			defer b.mu.Unlock()
			if s := c.Stats(); s.Cancels != 1 || s.Attempts == 1 != gone {
				t.Errorf("the caller goes away: %v: %+v; want one worker told", gone, s)
			}
		})
	}
}
