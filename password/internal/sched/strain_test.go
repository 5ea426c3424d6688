// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// silent is a context that closes Done and does not say why.
type silent struct {
	context.Context
	done chan struct{}
}

func (s silent) Done() <-chan struct{} { return s.done }
func (silent) Err() error              { return nil }

// A task that its context takes back is no success, whatever the context says of it.
func TestSilentContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		ctx := silent{t.Context(), make(chan struct{})}
		var wg sync.WaitGroup
		for range 2 { // one runs, one waits
			wg.Go(func() {
				if err := l.Do(ctx, task(hash)); err != context.Canceled {
					t.Errorf("got %v, want context.Canceled", err)
				}
			})
			synctest.Wait()
		}
		close(ctx.done)
		wg.Wait()
		time.Sleep(time.Second)
		if n := l.Stats().Classes[1]; n.Canceled != 2 || n.Completed != 0 {
			t.Errorf("counted as %+v", n)
		}
	})
}

// The time of overloads adds up, goes on while one lasts, and stands still otherwise, also when Close has cut one short.
func TestStrain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, MaxWait: 100 * ms})
		var wg sync.WaitGroup
		overload := func() {
			for range 20 {
				wg.Go(func() { l.Do(context.Background(), task(hash)) })
			}
			synctest.Wait()
		}
		want := func(moment string, began, ended uint64, d time.Duration) {
			t.Helper()
			if s := l.Stats().Strain; s.Began != began || s.Ended != ended || s.Time != d {
				t.Errorf("%s: %+v; want %d, %d, %v", moment, s, began, ended, d)
			}
		}
		want("at first", 0, 0, 0)
		overload()
		time.Sleep(3 * time.Second)
		want("in the first", 1, 0, 3*time.Second)
		time.Sleep(10 * time.Second)
		first := l.Stats().Strain.Time
		if first < calm || first > calm+time.Second {
			t.Errorf("the first lasted %v", first)
		}
		want("between", 1, 1, first)
		overload()
		time.Sleep(time.Second)
		want("in the second", 2, 1, first+time.Second)
		if err := l.Close(context.Background()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		want("when closed", 2, 2, first+time.Second)
		wg.Wait()
	})
}
