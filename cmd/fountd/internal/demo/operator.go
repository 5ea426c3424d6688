// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package demo

import (
	"errors"
	"sync"

	"fount/cmd/fountd/internal/trial"
)

// An operator kills and starts workers and the broker, one after the other, while others go on.
type operator struct {
	fleet *trial.Fleet
	turn  sync.Mutex     // held while something is done
	tasks sync.WaitGroup // what was asked for

	mu     sync.Mutex
	closed bool
	errs   []error
}

// toggle kills a worker that runs, and starts one that does not.
func (o *operator) toggle(i int) {
	o.do(func() error {
		w := o.fleet.Workers[i]
		if w.State() == trial.Down {
			return w.Start()
		}
		w.Kill()
		return nil
	})
}

// toggleBroker does the same with the broker.
func (o *operator) toggleBroker() {
	o.do(func() error {
		if state, _ := o.fleet.Broker(); state == trial.Down {
			return o.fleet.StartBroker()
		}
		o.fleet.KillBroker()
		return nil
	})
}

// do does it soon, or not at all after close.
func (o *operator) do(f func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	o.tasks.Go(func() {
		o.turn.Lock()
		defer o.turn.Unlock()
		if err := f(); err != nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.errs = append(o.errs, err)
		}
	})
}

// close returns when what was asked for is done, and says what of it failed.
func (o *operator) close() error {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.tasks.Wait()
	return errors.Join(o.errs...)
}
