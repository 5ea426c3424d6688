// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// Check: the search for a counter, and the later checks of the one in use.

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A method is one way to find a counter.
type method struct {
	mode     string
	try      func() (source, error) // may be tried again after a tryLater or a shortage
	why      string                 // why it is not in use
	excluded bool                   // it is not tried again
}

// A source is a counter that a method found.
type source struct {
	why          string
	counter      *uint64
	beforeReseed bool         // the counter changes before the kernel has reseeded
	check        func() error // returns an error if this is not the counter any more

	// notifier returns the name of what tells the kernel of clones, or an error if nothing seems
	// to. It is nil if the hypervisor itself writes the counter.
	notifier func() (string, error)
}

// A tryLater is an error of a method that may succeed at a later Check.
type tryLater string

func (e tryLater) Error() string { return string(e) }

// A shortage is like a tryLater, but the next try comes only after searchPause: a search can take
// 0.2 ms, and in mode "window" Check is called for every 224 bytes. Its cause is a lack of
// descriptors or memory, or several words of the kernel that can't be told apart yet.
type shortage string

func (e shortage) Error() string { return string(e) }

const searchPause = 100 * time.Millisecond

// mayPass reports whether a method that failed with err may succeed later.
func mayPass(err error) bool {
	switch err.(type) {
	case tryLater, shortage:
		return true
	}
	return false
}

// A finder is the state of Check. mu guards all of it.
type finder struct {
	mu         sync.Mutex
	methods    []method  // best first; nil before the first Check
	pauseUntil time.Time // zero unless the last search met a shortage
	mode       string    // of the counter in use, "" if there is none
	source     source    // that counter
	seen       uint64    // its value at the last Check
}

var (
	global    finder
	finished  atomic.Bool // Check has nothing left to do
	published atomic.Pointer[Report]
)

// Check searches for a counter until it finds one. From then on it verifies that counter, and drops
// it for good if it is wrong. Call it at each reseed, but not in an init function or while the P is
// pinned. The call that finds the counter reads files and takes 0.2 ms. Others call the kernel's
// vDSO and take 0.2 µs, plus a system call if the kernel has reseeded. If another goroutine is in
// Check, it returns at once.
func Check() {
	if finished.Load() || !global.mu.TryLock() {
		return
	}
	defer global.mu.Unlock()
	global.check()
}

func (f *finder) check() {
	switch {
	case finished.Load(): // another Check has dropped the counter, after Check looked
	case f.mode != "":
		f.recheck()
	case f.methods == nil:
		f.methods = methods()
		f.find(true)
	case !f.pausing():
		f.find(false)
	}
}

// pausing reports whether a shortage was met less than searchPause ago.
func (f *finder) pausing() bool { return time.Now().Before(f.pauseUntil) }

// setPause starts a pause if err is a shortage, and else ends it.
func (f *finder) setPause(err error) {
	f.pauseUntil = time.Time{}
	if _, short := err.(shortage); short {
		f.pauseUntil = time.Now().Add(searchPause)
	}
}

// find tries the methods that are not excluded, the best first. If one must be tried later, find
// stops there: those after it are worse, and once in use would stay so. find allocates only if a
// reason has changed since the last search.
func (f *finder) find(changed bool) {
	for i := range f.methods {
		m := &f.methods[i]
		if m.excluded {
			continue
		}

		err := f.use(m)
		if err == nil {
			return
		}

		f.setPause(err)
		why := err.Error()
		changed = changed || m.why != why
		m.why = why
		m.excluded = !mayPass(err)
		if m.excluded {
			continue
		}

		if changed {
			publish(modeWindow, "the search for a counter goes on: "+why)
		}
		return
	}

	if changed {
		publish(modeWindow, "no counter was found that changes when this machine is cloned"+f.reasons())
	}
	finished.Store(true)
}

// reasons returns why each method is not in use.
func (f *finder) reasons() (list string) {
	for _, m := range f.methods {
		list += "; " + m.mode + ": " + m.why
	}
	return list
}

// use puts the counter of a method in use.
func (f *finder) use(m *method) error {
	s, err := m.try()
	if err != nil {
		return err
	}
	if err := install(s.counter); err != nil {
		return err
	}

	f.mode = m.mode
	f.source = s
	f.seen = Load()
	if s.beforeReseed {
		noteChange(f.seen)
		settling.enabled.Store(true)
	}
	f.decideTrust()
	return nil
}

// decideTrust trusts the counter if something changes it when the machine is cloned. Load returns
// an untrusted counter too: it changes when the kernel reseeds by itself, and so do the states of
// clones.
func (f *finder) decideTrust() {
	var who string
	var err error
	if f.source.notifier != nil {
		who, err = f.source.notifier()
	}

	f.setPause(err)
	if err != nil {
		publish(modeWindow, "nothing would tell this kernel that it was cloned: "+err.Error())
		return
	}

	trusted.Store(true)
	why := f.source.why
	if who != "" {
		why += "; " + who + " tells the kernel of clones"
	}
	publish(f.mode, why)
}

// recheck verifies the counter in use. A counter that went back is not the right one, whatever its
// check says. An untrusted one is reconsidered whenever it has changed, as a driver may have been
// loaded since.
func (f *finder) recheck() {
	err := f.source.check()
	now := Load()
	if err == nil && now < f.seen {
		err = errors.New("it went back")
	}
	if err != nil {
		f.drop(err)
		return
	}

	changed := now != f.seen
	f.seen = now
	isPauseOver := !f.pauseUntil.IsZero() && !f.pausing()
	if !Trusted() && (changed || isPauseOver) {
		f.decideTrust()
	}
}

// drop stops the use of the counter, and all search for another.
func (f *finder) drop(err error) {
	finished.Store(true)
	retire(f.seen)
	settling.enabled.Store(false)

	publish(modeWindow, `the counter of mode "`+f.mode+`" was dropped for good: `+err.Error())
}

// publish makes a Report for Status.
func publish(mode, why string) {
	published.Store(&Report{mode, strings.ReplaceAll(why, "\n", " ")})
}
