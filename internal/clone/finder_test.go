// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

import (
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

	global.methods = nil
	global.pauseUntil = time.Time{}
	global.mode = ""
	global.source = source{}
	global.seen = 0

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

// finding returns a method that finds a counter at once.
func finding(mode string, counter *uint64, check func() error) method {
	return method{mode: mode, try: func() (source, error) { return source{why: "a test says so", counter: counter, check: check}, nil }}
}

// failing returns a method that finds none.
func failing(mode string, err error) method {
	return method{mode: mode, try: func() (source, error) { return source{}, err }}
}

// wantMode checks which counter is in use, and that Status says why.
func wantMode(t *testing.T, mode string, isTrusted bool, why string) {
	t.Helper()

	r := Status()
	if r.Mode != mode || Trusted() != isTrusted {
		t.Fatalf("mode %q, trusted %v (%s), want %q, %v", r.Mode, Trusted(), r.Why, mode, isTrusted)
	}
	if !strings.Contains(r.Why, why) {
		t.Fatalf("mode %q because %q, want %q in it", mode, r.Why, why)
	}
}

func wantLoad(t *testing.T, want uint64) {
	t.Helper()
	if got := Load(); got != want {
		t.Fatalf("Load is %d, want %d", got, want)
	}
}

func TestFirstMethodThatWorksIsUsed(t *testing.T) {
	second, third := uint64(7), uint64(8)
	useMethods(t, failing("first", errors.New("no")), finding("second", &second, good), finding("third", &third, good))

	Check()
	wantMode(t, "second", true, "a test says so")
	wantLoad(t, 7)

	atomic.AddUint64(&second, 1)
	wantLoad(t, 8)
}

func TestNoMethodWorks(t *testing.T) {
	tries := 0
	useMethods(t, method{mode: "one", try: func() (source, error) { tries++; return source{}, errors.New("no") }})

	for range 3 {
		Check()
	}

	wantMode(t, "window", false, "no counter was found that changes when this machine is cloned; one: no")
	if tries != 1 {
		t.Fatalf("a method that is excluded was tried %d times", tries)
	}
}

// A method that must be tried later is not skipped: the next one would stay in use for good.
func TestMethodToTryLaterIsNotSkipped(t *testing.T) {
	for name, later := range map[string]error{
		"try later": tryLater("not yet"),
		"shortage":  shortage("too many open files"),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				best, next := uint64(3), uint64(4)
				err := later
				hesitant := method{mode: "best", try: func() (source, error) { return source{counter: &best, check: good}, err }}
				useMethods(t, hesitant, finding("next", &next, good))

				Check()
				wantMode(t, "window", false, later.Error())

				err = nil
				time.Sleep(searchPause)
				Check()
				wantMode(t, "best", true, "")
			})
		})
	}
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
		wantMode(t, "window", false, "out of memory")
	})
}

// A counter that nothing changes when the machine is cloned is not trusted, but Load returns it. It
// is trusted once there is a notifier, which is searched for when the counter has changed and after
// a shortage.
func TestNoNotifier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counter := uint64(5)
		searches := 0
		err := errors.New("no driver")
		notifier := func() (string, error) { searches++; return "a device", err }
		useMethods(t, method{mode: "one", try: func() (source, error) {
			return source{why: "found", counter: &counter, check: good, notifier: notifier}, nil
		}})

		for range 3 {
			Check()
		}
		wantMode(t, "window", false, "nothing would tell this kernel that it was cloned: no driver")
		if searches != 1 {
			t.Fatalf("%d searches for a notifier, want 1", searches)
		}

		atomic.AddUint64(&counter, 1)
		wantLoad(t, 6)
		err = shortage("too many open files")
		Check()
		wantMode(t, "window", false, "too many open files")
		Check()
		if searches != 2 {
			t.Fatalf("%d searches for a notifier, want 2", searches)
		}
		if n := testing.AllocsPerRun(100, Check); n != 0 {
			t.Fatalf("a Check of a counter that is not trusted allocates %v times", n)
		}

		err = nil
		time.Sleep(searchPause)
		Check()
		wantMode(t, "one", true, "found; a device tells the kernel of clones")
	})
}

func TestDropIsForGood(t *testing.T) {
	for name, spoil := range map[string]func(counter *uint64, err *error){
		"the check fails": func(counter *uint64, err *error) { *err = errors.New("it is another") },
		"it goes back":    func(counter *uint64, err *error) { atomic.StoreUint64(counter, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			counter := uint64(10)
			var err error
			useMethods(t, finding("one", &counter, func() error { return err }), finding("two", new(uint64), good))

			Check()
			const before = uint64(1 << 40)
			atomic.StoreUint64(&counter, before)
			Check()
			wantMode(t, "one", true, "")

			spoil(&counter, &err)
			Check()
			wantMode(t, "window", false, "dropped for good")
			dropped := Load()
			if dropped <= before {
				t.Fatalf("after a drop Load is %d, was %d", dropped, before)
			}

			err = nil
			Check()
			wantMode(t, "window", false, "dropped for good")
			wantLoad(t, dropped)

			global.check() // as a Check does that began before the drop
			wantMode(t, "window", false, "dropped for good")
		})
	}
}

// A counter is not used if values would repeat.
func TestCounterTooSmallOrTooLarge(t *testing.T) {
	large, small := uint64(1<<63), uint64(99)
	useMethods(t, finding("large", &large, good), finding("small", &small, good))
	atomic.StoreUint64(&fixed, 100)
	Check()
	wantMode(t, "window", false, "large: "+errLimit.Error()+"; small: "+errBehind.Error())
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
			r := finding("some", &counters[i], func() error { return bad })
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
	useMethods(t, finding("one", &counter, func() error { close(inside); <-leave; return nil }))
	Check() // finds it

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
		early := finding("early", &counter, good)
		late := finding("late", &counter, good)
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
			}{
				{after: 0, want: true},
				{after: settleTime - 1, want: true},
				{after: 1, want: false},
				{after: time.Hour, want: false},
			} {
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
	useMethods(t, failing("one", errors.New("no")), finding("two", &counter, good))
	Check()
	if n := testing.AllocsPerRun(100, func() { Check(); Load(); Trusted(); Settling() }); n != 0 {
		t.Fatalf("a Check of a counter allocates %v times", n)
	}

	useMethods(t, failing("one", tryLater("not yet")))
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
	found := Status()
	t.Logf("%+v", found)
	if Trusted() != (found.Mode != "window") || found.Why == "" {
		t.Fatalf("%+v, trusted %v", found, Trusted())
	}

	before := Load()
	for range 100 {
		Check()
	}
	if now := Status(); now.Mode != found.Mode || Load() < before {
		t.Fatalf("became %+v", now)
	}

	if n := testing.AllocsPerRun(100, Check); n != 0 {
		t.Fatalf("Check allocates %v times", n)
	}
}
