// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// Check: climbing the ladder, and looking again at the rung that was taken.

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A rung is one way to a word.
type rung struct {
	mode string
	try  func() (source, error) // an error that is a later or a shortage leaves the rung open
	why  string                 // why it is not in force
	shut bool                   // it is not tried again
}

// A source is a word that was found.
type source struct {
	why   string
	word  *uint64
	early bool         // the word moves before the kernel has reseeded
	check func() error // an error means that this is not the word (any more)

	// told names what moves the word when the machine is cloned; an error says that nothing does,
	// as far as can be seen. It is nil where the hypervisor itself writes the word.
	told func() (string, error)
}

// later is the reason of a rung that may be taken at another Check.
type later string

func (l later) Error() string { return string(l) }

// A shortage is a later for lack of descriptors or memory, which others may give back, or of a
// difference between words of the kernel. While it lasts the search is repeated only after a pause,
// because it can take 0.2 ms, and in mode "window" a Check comes with every 224 bytes.
type shortage string

func (s shortage) Error() string { return string(s) }

const pause = 100 * time.Millisecond

// ladder is the state of Check. All of it is guarded by mu.
type ladder struct {
	mu    sync.Mutex
	rungs []rung    // nil before the first Check
	rest  time.Time // when a search that met a shortage goes on; zero if it met none
	taken *rung     // whose word is in force, nil if there is none
	source
	seen uint64 // the source's word at the last Check
}

var (
	climb     ladder
	settled   atomic.Bool // Check has nothing left to do
	published atomic.Pointer[Report]
)

// Check looks for the word until it is found; from then on it compares the word with what it should
// be, and drops it for good if they differ. Call it at each reseed, not in an init function or
// while the P is pinned: the call that finds the word reads files and takes 0.2 ms; the others call
// the kernel's vDSO and take 0.2 µs, and one system call more after the kernel has reseeded. While
// another goroutine is in Check, it returns at once.
func Check() {
	if settled.Load() || !climb.mu.TryLock() {
		return
	}
	defer climb.mu.Unlock()
	climb.check()
}

func (l *ladder) check() {
	switch {
	case l.taken != nil:
		l.again()
	case l.rungs == nil:
		l.rungs = rungs()
		l.find(true)
	case !l.resting():
		l.find(false)
	}
}

// resting reports whether a shortage was met less than a pause ago.
func (l *ladder) resting() bool { return time.Now().Before(l.rest) }

// short takes down whether err is a shortage.
func (l *ladder) short(err error) bool {
	_, short := err.(shortage)
	l.rest = time.Time{}
	if short {
		l.rest = time.Now().Add(pause)
	}
	return short
}

// find tries the open rungs from the top. One that can't be tried now keeps those below it from
// being taken: they are worse. It allocates only if something has changed since the last time.
func (l *ladder) find(changed bool) {
	for i := range l.rungs {
		r := &l.rungs[i]
		if r.shut {
			continue
		}
		s, err := r.try()
		if err == nil {
			if err = l.take(r, s); err == nil {
				return
			}
		}
		why := err.Error()
		_, again := err.(later)
		again = l.short(err) || again
		changed = changed || r.why != why
		r.why, r.shut = why, !again
		if again {
			if changed {
				l.publish(modeWindow, "the search for a word goes on: "+why)
			}
			return
		}
	}
	if changed {
		why := "no word was found that moves when this machine is cloned"
		for _, r := range l.rungs {
			why += "; " + r.mode + ": " + r.why
		}
		l.publish(modeWindow, why)
	}
	settled.Store(true)
}

// take puts the word of a rung in force.
func (l *ladder) take(r *rung, s source) error {
	if err := watch(s.word); err != nil {
		return err
	}
	l.taken, l.source, l.seen = r, s, Load()
	if s.early {
		sawMove(l.seen)
		settle.on.Store(true)
	}
	l.listen()
	return nil
}

// listen decides whether the word is held: it is if something moves it when the machine is cloned.
// A word that nothing moves then is kept all the same, because it moves whenever the kernel reseeds
// by itself, and clones part there.
func (l *ladder) listen() {
	who, err := "", error(nil)
	if l.told != nil {
		who, err = l.told()
	}
	l.short(err)
	if err != nil {
		l.taken.why = "nobody would tell this kernel that it was cloned: " + err.Error()
		l.publish(modeWindow, l.taken.why)
		return
	}
	l.taken.why = ""
	held.Store(true)
	why := l.why
	if who != "" {
		why += "; " + who + " tells the kernel of clones"
	}
	l.publish(l.taken.mode, why)
}

// again looks at the word in force. A word that went back is not the one it was taken for, whatever
// else it looks like. If nothing moved it so far, again asks once more when it has moved: a driver
// may be loaded at any time.
func (l *ladder) again() {
	err := l.source.check()
	now := Load()
	if err == nil && now < l.seen {
		err = errors.New("it went back")
	}
	if err == nil {
		moved := now != l.seen
		l.seen = now
		if !Held() && (moved || !l.rest.IsZero() && !l.resting()) {
			l.listen()
		}
		return
	}
	settled.Store(true)
	abandon(l.seen)
	settle.on.Store(false)
	l.taken.why, l.taken.shut = "dropped for good: "+err.Error(), true
	why := `the word of mode "` + l.taken.mode + `" was dropped for good: ` + err.Error()
	l.taken, l.source = nil, source{}
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
