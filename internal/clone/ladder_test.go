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
	climb.mu.Lock()
	defer climb.mu.Unlock()
	held.Store(false)
	atomic.StoreUint64(&still, 0)
	word.Store(&still)
	settle.on.Store(false)
	climb.rungs, climb.rest, climb.taken, climb.source, climb.seen = nil, time.Time{}, nil, source{}, 0
	settled.Store(false)
	published.Store(nil)
}

// climbing puts a ladder under Check, and the usual one back at the end of the test.
func climbing(t testing.TB, rungs ...rung) {
	forget()
	t.Cleanup(forget)
	climb.rungs = rungs
}

// good is a check that finds nothing wrong.
func good() error { return nil }

// a returns a rung with a word that is taken at once.
func a(mode string, word *uint64, check func() error) rung {
	return rung{mode: mode, try: func() (source, error) { return source{why: "a test says so", word: word, check: check}, nil }}
}

func refusing(mode string, err error) rung {
	return rung{mode: mode, try: func() (source, error) { return source{}, err }}
}

func want(t *testing.T, mode string, heldWanted bool, why string) {
	t.Helper()
	switch r := Status(); {
	case r.Mode != mode || r.Held != heldWanted || Held() != heldWanted:
		t.Fatalf("mode %q, held %v (%s), want %q, %v", r.Mode, r.Held, r.Why, mode, heldWanted)
	case !strings.Contains(r.Why, why):
		t.Fatalf("mode %q: why is %q, must contain %q", mode, r.Why, why)
	case r.Word != Load():
		t.Fatalf("Status has word %d, Load %d", r.Word, Load())
	}
}

func TestFirstRungThatHoldsIsTaken(t *testing.T) {
	low, lower := uint64(7), uint64(8)
	climbing(t, refusing("one", errors.New("reason one")), a("two", &low, good), a("three", &lower, good))
	Check()
	want(t, "two", true, "a test says so")
	if Load() != 7 {
		t.Fatalf("Load is %d, want 7", Load())
	}
	atomic.AddUint64(&low, 1)
	if Load() != 8 {
		t.Fatal("Load did not move with the word")
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
	climbing(t, rung{mode: "one", try: func() (source, error) { tries++; return source{}, errors.New("no") }})
	for range 3 {
		Check()
	}
	want(t, "window", false, "no word was found")
	if tries != 1 {
		t.Fatalf("a rung that is shut was tried %d times", tries)
	}
}

// TestLaterRungIsNotPassedOver: what is below a rung that must wait would stay in force for good.
func TestLaterRungIsNotPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, wait := range []error{later("not yet"), shortage("too many open files")} {
			high, low := uint64(3), uint64(4)
			err := wait
			climbing(t, rung{mode: "one", try: func() (source, error) { return source{word: &high, check: good}, err }}, a("two", &low, good))
			Check()
			want(t, "window", false, wait.Error())
			err = nil
			time.Sleep(pause)
			Check()
			want(t, "one", true, "")
			if len(Status().Refused) > 0 {
				t.Fatalf("refused: %v", Status().Refused)
			}
		}
	})
}

// TestShortageRests: while a shortage lasts, the search is repeated after a pause only.
func TestShortageRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		climbing(t, rung{mode: "one", try: func() (source, error) { tries++; return source{}, shortage("out of memory") }})
		for range 10 {
			Check()
			Check()
			time.Sleep(pause / 2)
		}
		if tries != 5 {
			t.Fatalf("%d tries in five pauses, want 5", tries)
		}
		want(t, "window", false, "out of memory")
	})
}

// TestNobodyTells: a word that nobody moves when the machine is cloned is not held. It is followed
// all the same, and held as soon as there is somebody: looked for again when the word has moved,
// and after a shortage.
func TestNobodyTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		word, asked := uint64(5), 0
		err := errors.New("no driver")
		climbing(t, rung{mode: "one", try: func() (source, error) {
			return source{why: "found", word: &word, check: good, told: func() (string, error) { asked++; return "a device", err }}, nil
		}})
		for range 3 {
			Check()
		}
		want(t, "window", false, "nobody would tell this kernel that it was cloned: no driver")
		if r := Status().Refused; asked != 1 || len(r) != 1 || r[0].Mode != "one" {
			t.Fatalf("asked %d times, want 1; refused: %v", asked, r)
		}
		atomic.AddUint64(&word, 1)
		if Load() != 6 {
			t.Fatal("Load does not follow a word that is not held")
		}
		err = shortage("too many open files")
		Check()
		want(t, "window", false, "too many open files")
		Check()
		if asked != 2 {
			t.Fatalf("asked %d times, want 2", asked)
		}
		if n := testing.AllocsPerRun(100, Check); n != 0 {
			t.Fatalf("a Check of a word that is not held allocates %v times", n)
		}
		err = nil
		time.Sleep(pause)
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
			word := uint64(10)
			var err error
			climbing(t, a("one", &word, func() error { return err }), a("two", new(uint64), good))
			Check()
			const before = uint64(1 << 40)
			atomic.StoreUint64(&word, before)
			Check()
			want(t, "one", true, "")
			spoil(&word, &err)
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
				t.Fatal("Load moves in mode window")
			}
		})
	}
}

// TestWordTooSmallOrTooGreat: a word is not taken if values would repeat.
func TestWordTooSmallOrTooGreat(t *testing.T) {
	atomic.StoreUint64(&still, 100)
	great, small := uint64(1<<63), uint64(99)
	climbing(t, a("great", &great, good), a("small", &small, good))
	atomic.StoreUint64(&still, 100)
	Check()
	want(t, "window", false, "")
	if r := Status().Refused; len(r) != 2 || r[0].Why != errLimit.Error() || r[1].Why != errBehind.Error() {
		t.Fatalf("refused: %v", r)
	}
}

// TestMonotone is a property: whatever words do and checks say, Load never goes back.
func TestMonotone(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		words := make([]uint64, 3)
		var rungs []rung
		var bad error
		open := 0
		for i := range words {
			words[i] = rng.Uint64N(1 << (1 + rng.Uint64N(63)))
			hesitant := rng.IntN(3)
			r := a("some", &words[i], func() error { return bad })
			try := r.try
			r.try = func() (source, error) {
				if open++; open <= hesitant {
					return source{}, later("not yet")
				}
				return try()
			}
			rungs = append(rungs, r)
		}
		climbing(t, rungs...)
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
				i := rng.IntN(len(words))
				atomic.AddUint64(&words[i], 1+rng.Uint64N(3))
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

// TestCheckDoesNotWait: who finds another in Check returns at once.
func TestCheckDoesNotWait(t *testing.T) {
	word := uint64(1)
	inside, leave := make(chan struct{}), make(chan struct{})
	climbing(t, a("one", &word, func() error { close(inside); <-leave; return nil }))
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
		word := uint64(5)
		early := a("early", &word, good)
		late := a("late", &word, good)
		find := early.try
		early.try = func() (source, error) { s, err := find(); s.early = true; return s, err }

		climbing(t, late)
		Check()
		atomic.AddUint64(&word, 1)
		if Settling() {
			t.Fatal("a word that moves after the kernel has reseeded needs no time to settle")
		}

		climbing(t, early)
		if Settling() {
			t.Fatal("settling before a word was found")
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
			atomic.AddUint64(&word, 1) // the clock starts when the move is first seen
			time.Sleep(time.Minute)
		}
	})
}

// TestNoAllocations: Check runs in each reseed.
func TestNoAllocations(t *testing.T) {
	word := uint64(1)
	climbing(t, refusing("one", errors.New("no")), a("two", &word, good))
	Check()
	if n := testing.AllocsPerRun(100, func() { Check(); Load(); Held(); Settling() }); n != 0 {
		t.Fatalf("a Check of a word allocates %v times", n)
	}
	climbing(t, refusing("one", later("not yet")))
	Check()
	if n := testing.AllocsPerRun(100, Check); n != 0 {
		t.Fatalf("a Check that finds nothing new allocates %v times", n)
	}
}

// TestThisMachine looks for the real word, and holds whatever is found to the contract.
func TestThisMachine(t *testing.T) {
	forget()
	t.Cleanup(forget)
	Check()
	r := Status()
	t.Logf("%+v", r)
	if r.Held != (r.Mode != "window") || r.Why == "" {
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
