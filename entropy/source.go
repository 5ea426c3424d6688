// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What a source of randomness is to this package, and the list of them.

package entropy

import (
	"errors"
	"sync"
	"sync/atomic"

	"fount/internal/erase"
)

// A SourceStatus is what is known of one source.
type SourceStatus struct {
	Name      string `json:"name"`
	Available bool   `json:"available"`            // this machine and this build have it
	Credit    int    `json:"credit_bits_per_byte"` // bits of entropy that count for each byte, 0 to 8
	Healthy   bool   `json:"healthy"`              // its tests have passed so far; false before they have run
	CutOff    bool   `json:"cut_off"`              // it failed a test, and is not asked again by this process
	Why       string `json:"why,omitempty"`        // why it is not available, or not healthy
	Bytes     uint64 `json:"bytes"`                // given so far, by Gather and Draw
}

// List returns the status of every source, in the order in which [Gather] asks them.
// It does not ask the sources or wait for them. It may be called from any goroutine.
func List() []SourceStatus {
	list := make([]SourceStatus, len(sources))
	for i, s := range sources {
		list[i] = s.status()
	}
	return list
}

// sources are all sources. The kernel comes first, so that what counts does not wait
// for the others.
var sources = [...]*source{&kernelSource, &rdseedSource, &rdrandSource, &jitterSource, &seedFileSource, &callerSource}

// source is one of them. The fields up to fill never change.
type source struct {
	name    string
	credit  int           // bits a byte
	length  int           // bytes asked of it by Gather, at most maxLength
	tested  bool          // it has tests, so it is healthy only when they have passed
	passive bool          // it passes on what it was given, so Draw has nothing to ask for
	absent  func() string // why this machine or build has no such source, "" if it has
	given   func() uint64 // bytes so far, of a source that is read elsewhere

	// fill writes at most len(b) bytes and returns their number, with errDry if
	// there are no more of them now. Any other error is for good. Calls take turns.
	fill func(b []byte) (int, error)

	mu      sync.Mutex             // held while fill runs; status does without
	gave    atomic.Bool            // something, so its tests have run
	failure atomic.Pointer[string] // why it was cut off
	bytes   atomic.Uint64
}

const maxLength = 64

var (
	errDry   = errors.New("it has none now")
	errAsked = errors.New("somebody else asks it at the moment")
)

// ask fills the front of b. A source that fails a test is cut off: it is not asked
// again in this process, and its last answer is wiped.
func (s *source) ask(b []byte) (int, error) {
	if why := s.absent(); why != "" {
		return 0, errors.New(why)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answer(b)
}

// askFree is ask, but fails if another goroutine is asking the source. It never waits:
// in a forked child a lock that another thread held at the fork is held for good.
func (s *source) askFree(b []byte) (int, error) {
	if why := s.absent(); why != "" {
		return 0, errors.New(why)
	}
	if !s.mu.TryLock() {
		return 0, errAsked
	}
	defer s.mu.Unlock()
	return s.answer(b)
}

// answer is ask with the lock held.
func (s *source) answer(b []byte) (int, error) {
	if why := s.failure.Load(); why != nil {
		return 0, errors.New(*why)
	}
	n, err := s.fill(b)
	if err != nil && err != errDry {
		s.cutOff(err)
		erase.Wipe(b)
		return 0, err
	}
	if n > 0 {
		s.gave.Store(true)
		s.bytes.Add(uint64(n))
	}
	return n, nil
}

func (s *source) cutOff(err error) {
	why := err.Error()
	s.failure.CompareAndSwap(nil, &why)
}

func (s *source) status() SourceStatus {
	st := SourceStatus{Name: s.name, Available: true, Credit: s.credit, Bytes: s.bytes.Load()}
	if s.given != nil {
		st.Bytes = s.given()
	}
	if why := s.absent(); why != "" {
		st.Available, st.Why = false, why
	} else if why := s.failure.Load(); why != nil {
		st.CutOff, st.Why = true, "cut off: "+*why
	} else if s.tested && !s.gave.Load() {
		st.Why = "it has given nothing yet"
	} else {
		st.Healthy = true
	}
	return st
}

// present is the absent of a source that is everywhere.
func present() string { return "" }
