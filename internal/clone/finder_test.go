// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// forget forgets what was found. Mapped pages stay mapped.
func forget() {
	global.mu.Lock()
	defer global.mu.Unlock()
	trusted.Store(false)
	atomic.StoreUint64(&fixed, 0)
	counter.Store(&fixed)
	settling.enabled.Store(false)
	global.methods, global.pauseUntil, global.current, global.source, global.seen = nil, time.Time{}, nil, source{}, 0
	finished.Store(false)
	published.Store(nil)
}

// useMethods has Check try these methods, and the usual ones again after the test.
func useMethods(t testing.TB, methods ...method) {
	forget()
	t.Cleanup(forget)
	global.methods = methods
}

// good is a check that finds nothing wrong.
func good() error { return nil }

// a returns a method that finds a counter at once.
func a(mode string, counter *uint64, check func() error) method {
	return method{mode: mode, try: func() (source, error) { return source{why: "a test says so", counter: counter, check: check}, nil }}
}

func refusing(mode string, err error) method {
	return method{mode: mode, try: func() (source, error) { return source{}, err }}
}

func want(t *testing.T, mode string, wantTrusted bool, why string) {
	t.Helper()
	switch r := Status(); {
	case r.Mode != mode || r.Trusted != wantTrusted || Trusted() != wantTrusted:
		t.Fatalf("mode %q, trusted %v (%s), want %q, %v", r.Mode, r.Trusted, r.Why, mode, wantTrusted)
	case !strings.Contains(r.Why, why):
		t.Fatalf("mode %q: why is %q, must contain %q", mode, r.Why, why)
	case r.Counter != Load():
		t.Fatalf("Status has counter %d, Load %d", r.Counter, Load())
	}
}

func TestFirstMethodThatWorksIsUsed(t *testing.T) {
	low, lower := uint64(7), uint64(8)
	useMethods(t, refusing("one", errors.New("reason one")), a("two", &low, good), a("three", &lower, good))
	Check()
	want(t, "two", true, "a test says so")
	if Load() != 7 {
		t.Fatalf("Load is %d, want 7", Load())
	}
	atomic.AddUint64(&low, 1)
	if Load() != 8 {
		t.Fatal("Load did not change with the counter")
	}
	r := Status().Refused
	if len(r) != 1 || r[0] != (Refusal{"one", "reason one"}) {
		t.Fatalf("refused: %v", r)
	}
	if _, err := json.Marshal(Status()); err != nil {
		t.Fatal(err)
	}
}

func TestNothingHolds(t *testing.T) {
	tries := 0
	useMethods(t, method{mode: "one", try: func() (source, error) { tries++; return source{}, errors.New("no") }})
	for range 3 {
		Check()
	}
	want(t, "window", false, "no counter was found")
	if tries != 1 {
		t.Fatalf("a method that is excluded was tried %d times", tries)
	}
}

// A method that must be tried later is not skipped: the next one would stay in use for good.
func TestMethodToTryLaterIsNotSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, wait := range []error{tryLater("not yet"), shortage("too many open files")} {
			high, low := uint64(3), uint64(4)
			err := wait
			useMethods(t, method{mode: "one", try: func() (source, error) { return source{counter: &high, check: good}, err }}, a("two", &low, good))
			Check()
			want(t, "window", false, wait.Error())
			err = nil
			time.Sleep(searchPause)
			Check()
			want(t, "one", true, "")
			if len(Status().Refused) > 0 {
				t.Fatalf("refused: %v", Status().Refused)
			}
		}
	})
}

// While a shortage lasts, the search is repeated only after a pause.
func TestShortagePauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		useMethods(t, method{mode: "one", try: func() (source, error) { tries++; return source{}, shortage("out of memory") }})
		for range 10 {
			Check()
			Check()
			time.Sleep(searchPause / 2)
		}
		if tries != 5 {
			t.Fatalf("%d tries in five pauses, want 5", tries)
		}
		want(t, "window", false, "out of memory")
	})
}

// A counter that nothing changes when the machine is cloned is not trusted, but Load returns it. It
// is trusted once there is a notifier, which is searched for when the counter has changed and after
// a shortage.
func TestNoNotifier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counter, asked := uint64(5), 0
		err := errors.New("no driver")
		useMethods(t, method{mode: "one", try: func() (source, error) {
			return source{why: "found", counter: &counter, check: good, notifier: func() (string, error) { asked++; return "a device", err }}, nil
		}})
		for range 3 {
			Check()
		}
		want(t, "window", false, "nothing would tell this kernel that it was cloned: no driver")
		if r := Status().Refused; asked != 1 || len(r) != 1 || r[0].Mode != "one" {
			t.Fatalf("asked %d times, want 1; refused: %v", asked, r)
		}
		atomic.AddUint64(&counter, 1)
		if Load() != 6 {
			t.Fatal("Load does not return a counter that is not trusted")
		}
		err = shortage("too many open files")
		Check()
		want(t, "window", false, "too many open files")
		Check()
		if asked != 2 {
			t.Fatalf("asked %d times, want 2", asked)
		}
		if n := testing.AllocsPerRun(100, Check); n != 0 {
			t.Fatalf("a Check of a counter that is not trusted allocates %v times", n)
		}
		err = nil
		time.Sleep(searchPause)
		Check()
		want(t, "one", true, "found; a device tells the kernel of clones")
		if len(Status().Refused) > 0 {
			t.Fatalf("refused: %v", Status().Refused)
		}
	})
}

func TestDropIsForGood(t *testing.T) {
	for name, spoil := range map[string]func(w *uint64, err *error){
		"mismatch":  func(w *uint64, err *error) { *err = errors.New("it is another") },
		"went back": func(w *uint64, err *error) { atomic.StoreUint64(w, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			counter := uint64(10)
			var err error
			useMethods(t, a("one", &counter, func() error { return err }), a("two", new(uint64), good))
			Check()
			const before = uint64(1 << 40)
			atomic.StoreUint64(&counter, before)
			Check()
			want(t, "one", true, "")
			spoil(&counter, &err)
			Check()
			want(t, "window", false, "dropped for good")
			if now := Load(); now <= before {
				t.Fatalf("after a drop Load is %d, was %d", now, before)
			}
			err = nil
			stands := Load()
			Check()
			want(t, "window", false, "dropped for good")
			if Load() != stands {
				t.Fatal("Load changes in mode window")
			}
		})
	}
}

// A counter is not used if values would repeat.
func TestCounterTooSmallOrTooLarge(t *testing.T) {
	atomic.StoreUint64(&fixed, 100)
	great, small := uint64(1<<63), uint64(99)
	useMethods(t, a("great", &great, good), a("small", &small, good))
	atomic.StoreUint64(&fixed, 100)
	Check()
	want(t, "window", false, "")
	if r := Status().Refused; len(r) != 2 || r[0].Why != errLimit.Error() || r[1].Why != errBehind.Error() {
		t.Fatalf("refused: %v", r)
	}
}

// Whatever counters do and checks say, Load never goes back.
func TestMonotone(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		counters := make([]uint64, 3)
		var methods []method
		var bad error
		open := 0
		for i := range counters {
			counters[i] = rng.Uint64N(1 << (1 + rng.Uint64N(63)))
			hesitant := rng.IntN(3)
			r := a("some", &counters[i], func() error { return bad })
			try := r.try
			r.try = func() (source, error) {
				if open++; open <= hesitant {
					return source{}, tryLater("not yet")
				}
				return try()
			}
			methods = append(methods, r)
		}
		useMethods(t, methods...)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				last := Load()
				for {
					select {
					case <-stop:
						return
					default:
					}
					v := Load()
					if v < last {
						t.Errorf("seed %d: Load went from %d to %d", seed, last, v)
						return
					}
					last = v
				}
			})
		}
		last := Load()
		for range 60 {
			switch rng.IntN(8) {
			case 0:
				if rng.IntN(10) == 0 {
					bad = errors.New("bad")
				}
			case 1, 2, 3:
				i := rng.IntN(len(counters))
				atomic.AddUint64(&counters[i], 1+rng.Uint64N(3))
			default:
				Check()
			}
			v := Load()
			if v < last {
				t.Fatalf("seed %d: Load went from %d to %d", seed, last, v)
			}
			last = v
		}
		close(stop)
		readers.Wait()
	}
}

// If another goroutine is in Check, it returns at once.
func TestCheckDoesNotWait(t *testing.T) {
	counter := uint64(1)
	inside, leave := make(chan struct{}), make(chan struct{})
	useMethods(t, a("one", &counter, func() error { close(inside); <-leave; return nil }))
	Check()
	done := make(chan struct{})
	go func() { Check(); close(done) }()
	<-inside
	Check() // would wait for ever
	close(leave)
	<-done
}

func TestSettling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counter := uint64(5)
		early := a("early", &counter, good)
		late := a("late", &counter, good)
		find := early.try
		early.try = func() (source, error) { s, err := find(); s.beforeReseed = true; return s, err }

		useMethods(t, late)
		Check()
		atomic.AddUint64(&counter, 1)
		if Settling() {
			t.Fatal("a counter that changes after the kernel has reseeded needs no time to settle")
		}

		useMethods(t, early)
		if Settling() {
			t.Fatal("settling before a counter was found")
		}
		Check()
		for range 2 {
			for _, step := range []struct {
				after time.Duration
				want  bool
			}{{0, true}, {settleTime - 1, true}, {1, false}, {time.Hour, false}} {
				time.Sleep(step.after)
				if got := Settling(); got != step.want {
					t.Fatalf("after another %v: Settling is %v", step.after, got)
				}
			}
			atomic.AddUint64(&counter, 1) // the time runs from when the change is first seen
			time.Sleep(time.Minute)
		}
	})
}

// Check runs in each reseed.
func TestNoAllocations(t *testing.T) {
	counter := uint64(1)
	useMethods(t, refusing("one", errors.New("no")), a("two", &counter, good))
	Check()
	if n := testing.AllocsPerRun(100, func() { Check(); Load(); Trusted(); Settling() }); n != 0 {
		t.Fatalf("a Check of a counter allocates %v times", n)
	}
	useMethods(t, refusing("one", tryLater("not yet")))
	Check()
	if n := testing.AllocsPerRun(100, Check); n != 0 {
		t.Fatalf("a Check that finds nothing new allocates %v times", n)
	}
}

// What is found on this machine keeps the contract.
func TestThisMachine(t *testing.T) {
	forget()
	t.Cleanup(forget)
	Check()
	r := Status()
	t.Logf("%+v", r)
	if r.Trusted != (r.Mode != "window") || r.Why == "" {
		t.Fatalf("%+v", r)
	}
	before := Load()
	for range 100 {
		Check()
	}
	if after := Status(); after.Mode != r.Mode || Load() < before {
		t.Fatalf("became %+v", after)
	}
	if n := testing.AllocsPerRun(100, Check); n != 0 {
		t.Fatalf("Check allocates %v times", n)
	}
}
