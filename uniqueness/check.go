// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// Check: climbing the ladder, and looking again at the rung that was taken.

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
)

// A rung is one way to a word.
type rung struct {
	mode string
	try  func() (source, error) // an error that is a later leaves the rung open
	why  string                 // why it was not taken
	shut bool                   // it is not tried again
}

// A source is a word that was found.
type source struct {
	why   string
	word  *uint64      // nil: there is nothing to detect, and the still word will do
	early bool         // the word moves before the kernel has reseeded
	check func() error // an error means that this is not the word (any more); nil where nothing can be checked
}

// later is the reason of a rung that may be taken at another Check.
type later string

func (l later) Error() string { return string(l) }

// ladder is the state of Check. All of it is guarded by mu.
type ladder struct {
	mu    sync.Mutex
	rungs []rung // nil before the first Check
	mode  string // of the source, "" if there is none
	source
	seen uint64 // the source's word at the last Check
}

var (
	climb     ladder
	settled   atomic.Bool // Check has nothing left to do
	published atomic.Pointer[Report]
)

// Check looks for the word at its first call, and at later ones until it is found; then it compares the word with what it
// should be, and drops it for good if they differ. It belongs to each reseed, and not into an init function or where the
// P is pinned: the call that finds the word reads files and takes 0.2 ms, the others call the kernel's vDSO and take 0.2 µs,
// or a system call more if the kernel has reseeded since. While another goroutine is in Check it returns at once.
func Check() {
	if settled.Load() || !climb.mu.TryLock() {
		return
	}
	defer climb.mu.Unlock()
	climb.check()
}

func (l *ladder) check() {
	switch {
	case l.mode != "":
		l.again()
	case l.rungs == nil:
		l.rungs = rungs()
		l.find(true)
	default:
		l.find(false)
	}
}

// find tries the open rungs from the top. It allocates only if something has changed since the last time.
func (l *ladder) find(changed bool) {
	open := false
	for i := range l.rungs {
		r := &l.rungs[i]
		if r.shut {
			continue
		}
		s, err := r.try()
		if err == nil {
			if err = l.take(r.mode, s); err == nil {
				l.publish(l.mode, s.why)
				return
			}
		}
		why := err.Error()
		_, again := err.(later)
		changed = changed || r.why != why
		r.why, r.shut = why, !again
		open = open || again
	}
	if changed {
		l.publish(modeWindow, "no word was found that moves when this machine is cloned")
	}
	settled.Store(!open)
}

func (l *ladder) take(mode string, s source) error {
	if s.word == nil {
		held.Store(true)
		settled.Store(true)
	} else if err := watch(s.word); err != nil {
		return err
	}
	l.mode, l.source, l.seen = mode, s, Load()
	if s.early {
		sawMove(l.seen)
		settle.on.Store(true)
	}
	return nil
}

// again looks at the word in force. A word that went back is not the one it was taken for, whatever else it looks like.
func (l *ladder) again() {
	err := l.source.check()
	now := Load()
	if err == nil && now < l.seen {
		err = errors.New("it went back")
	}
	if err == nil {
		l.seen = now
		return
	}
	settled.Store(true)
	abandon(l.seen)
	settle.on.Store(false)
	for i := range l.rungs {
		if r := &l.rungs[i]; r.mode == l.mode {
			r.why, r.shut = "dropped for good: "+err.Error(), true
		}
	}
	why := `the word of mode "` + l.mode + `" was dropped for good: ` + err.Error()
	l.mode, l.source = "", source{}
	l.publish(modeWindow, why)
}

// publish makes a Report for Status.
func (l *ladder) publish(mode, why string) {
	r := &Report{Mode: mode, Why: strings.ReplaceAll(why, "\n", " ")}
	for i := range l.rungs {
		if l.rungs[i].why != "" {
			r.Refused = append(r.Refused, Refusal{l.rungs[i].mode, l.rungs[i].why})
		}
	}
	published.Store(r)
}
