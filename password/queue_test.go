// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// A bcrypt of 50 ms that runs side by side, and a hash of 80 ms that holds a mebibyte.
var (
	fast  = effort{kind: kind{algorithm: 1, cost: [3]uint32{10}}, units: 50, batches: true}
	large = effort{kind: kind{algorithm: 2, cost: [3]uint32{64}}, units: 80, memory: 1 << 20}
)

// capacity is how many fast hashes a worker of five lanes does in a second, in full batches.
const capacity = 5 * 1000 / (50 * 1.44)

// signIn returns the task of a principal.
func signIn(principal uint64, stages ...effort) *task {
	return &task{principal: principal, stages: stages}
}

// from makes requests with a deadline of a second, of n principals in turn.
func from(first uint64, n int, stages ...effort) func(*rand.Rand) *request {
	i := 0
	return func(*rand.Rand) *request {
		i++
		return &request{task: signIn(first+uint64(i%n), stages...), within: time.Second}
	}
}

// by makes what next makes, as a caller's.
func by(caller uint64, next func(*rand.Rand) *request) func(*rand.Rand) *request {
	return func(rng *rand.Rand) *request {
		r := next(rng)
		r.caller = caller
		return r
	}
}

// Who asks for less than the mean is served, whoever floods. Callers share the machine before their
// principals do: one that invents 1,000 principals a second takes nothing from one that asks for
// less than three quarters of its half, even if most of that is for one principal.
func TestFlood(t *testing.T) {
	type flow struct {
		rate  float64
		next  func(*rand.Rand) *request
		least float64 // part to be served
	}
	skewed := func(rng *rand.Rand) *request {
		r := from(0, 1, fast)(rng)
		r.principal = uint64(max(rng.IntN(10), 3))
		return r
	}

	for name, flows := range map[string][]flow{
		"one of 20": {
			{rate: 4 * capacity, next: from(0, 1, fast)},
			{rate: 1.4 * capacity, next: from(1, 19, fast), least: 0.95},
			{rate: 300, next: upgrades(from(1000, 1<<30, fast))}, // which count for nothing here
		},
		"newcomers beside 20 heavy": {
			{rate: 6 * capacity, next: from(0, 20, fast)},
			{rate: 0.2 * capacity, next: from(100, 1<<30, fast), least: 0.9},
		},
		"an inventor of principals": {
			{rate: 1000, next: by(1, from(100, 1<<30, fast))},
			{rate: 0.6 * capacity, next: by(2, skewed), least: 0.97},
		},
		"an inventor, and one in another caller who has its half alone": {
			{rate: 2000, next: by(1, from(100, 1<<30, fast))},
			{rate: 4 * capacity, next: by(2, from(0, 1, fast))},
			{rate: 0.5 * capacity, next: by(2, from(1, 200, fast)), least: 0.9},
		},
		"within a heavy caller": {
			{rate: 4 * capacity, next: by(1, from(0, 1, fast))},
			{rate: capacity, next: by(1, from(1, 500, fast)), least: 0.9},
			{rate: 0.2 * capacity, next: by(2, from(0, 5, fast)), least: 0.97},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, world{workers: 2, lanes: 5}, func(t *testing.T, m *sim) {
				var loads []*load
				for _, f := range flows {
					loads = append(loads, &load{rate: f.rate, to: 20 * time.Second, next: f.next})
				}
				m.run(t, loads...)

				used := 0.0 // of the machine
				for i, l := range loads {
					got := m.tally(l, l.to/4)
					part := float64(got.answered) / float64(got.asked)
					if part < flows[i].least {
						t.Errorf("of flow %d %.3f are served; want %v", i, part, flows[i].least)
					}
					used += float64(got.answered) * m.each(l.requests[0].stages[0])
				}
				used /= float64(2 * 15 * time.Second) // what two workers have from a quarter on
				if used < 0.95 {
					t.Errorf("the machine is used for %.3f; want 0.95", used)
				}
			})
		})
	}
}

// Who has crowded another out has a third of the queue, also while nobody else asks: here two that
// run, and 100 ms of the machine's time.
func TestConfined(t *testing.T) {
	bubble(t, world{workers: 2}, func(t *testing.T, m *sim) {
		burst := func(principal uint64) (admitted int) {
			for range 30 {
				if m.asks(signIn(principal, fast)) == nil {
					admitted++
				}
			}
			return admitted
		}
		if burst(0) < 10 || burst(1) > 0 {
			t.Error("a burst has left another room, or little was admitted")
		}

		time.Sleep(5 * time.Second)
		if n := burst(0); n < 5 || n > 6 {
			t.Errorf("%d of a burst are admitted later; want 5 or 6", n)
		}
	})
}

// Who is admitted is answered in time, also where times vary.
func TestAdmittedAreInTime(t *testing.T) {
	for noise, most := range map[float64]float64{0.15: 0, 0.4: 0.02} {
		t.Run(fmt.Sprint("noise ", noise), func(t *testing.T) {
			bubble(t, world{workers: 2, lanes: 5, noise: noise}, func(t *testing.T, m *sim) {
				asks := from(0, 1000, fast)
				l := &load{rate: 4 * capacity, to: 40 * time.Second, next: func(rng *rand.Rand) *request {
					r := asks(rng)
					r.within = 350 * ms
					return r
				}}
				m.run(t, l)

				got := m.tally(l, l.to/8)
				if part := float64(got.late) / float64(got.late+got.answered); part > most {
					t.Errorf("%.4f of the admitted are late; want at most %v", part, most)
				}
			})
		})
	}
}

// What a hash holds is bounded, and it gets its part of a mixed load where memory is for half of
// the workers.
func TestMemory(t *testing.T) {
	bubble(t, world{workers: 4, memory: 2 << 20}, func(t *testing.T, m *sim) {
		small := &load{rate: 40, to: 20 * time.Second, next: from(0, 500, fast)}
		big := &load{rate: 25, to: 20 * time.Second, next: from(500, 500, large)}
		m.run(t, small, big)

		a := m.tally(small, 5*time.Second)
		b := m.tally(big, 5*time.Second)
		part := float64(b.answered) / float64(b.asked)
		if part < 0.5 || a.late+b.late > 0 {
			t.Errorf("%.2f of those that hold memory are served, %d and %d late", part, a.late, b.late)
		}
	})
}

// Tasks of one kind may hold different memory, as a wrapped hash says only its work: each counts by
// itself.
func TestMemoryOfEach(t *testing.T) {
	bubble(t, world{workers: 4, memory: 4 << 20}, func(t *testing.T, m *sim) {
		holding := func(memory int64) *task { return signIn(0, effort{kind: large.kind, units: 80, memory: memory}) }

		m.asks(holding(1 << 10))
		time.Sleep(time.Second)
		for range 4 {
			m.asks(holding(3 << 20))
		}

		if s := m.scheduler.stats(); s.Busy != 1 || s.MemoryInUse != 3<<20 {
			t.Errorf("%d run at once and hold %d bytes", s.Busy, s.MemoryInUse)
		}
		if err := m.asks(holding(5 << 20)); ReasonOf(err) != ReasonMemory {
			t.Errorf("more than all memory: %v", err)
		}
	})
}

// Nobody passes, whatever the deadlines are.
func TestFirstComeFirstServed(t *testing.T) {
	bubble(t, world{workers: 1, maxWait: time.Hour}, func(t *testing.T, m *sim) {
		var asked [6]request
		for i := range asked {
			asked[i] = request{task: signIn(uint64(i), fast), within: []time.Duration{time.Hour, time.Second, 0}[i%3]}
			go m.ask(&asked[i])
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		synctest.Wait()

		for i := range asked[1:] {
			if !asked[i].started.Before(asked[i+1].started) {
				t.Errorf("%d is begun at %v, and the next at %v", i, asked[i].started, asked[i+1].started)
			}
		}
	})
}

// A call without a deadline hears by MaxWait, also if the machine all but stops.
func TestNoDeadline(t *testing.T) {
	bubble(t, world{workers: 1, speed: course{steps: []step{{0, 0.001}}}}, func(t *testing.T, m *sim) {
		m.asks(signIn(0, fast))
		m.asks(signIn(0, fast))

		third := signIn(0, fast)
		err := m.scheduler.do(t.Context(), third)
		if ReasonOf(err) != ReasonLate || third.outcome != OutcomeDropped || m.now() > 500*ms {
			t.Errorf("%v as %v after %v; want late within half a second", err, third.outcome, m.now())
		}
	})
}

// While a machine stands still nobody asks, and right after it nobody is told to wait as long as it
// stood.
func TestStandstill(t *testing.T) {
	const stops = time.Second
	const goesOn = time.Minute
	bubble(t, world{workers: 2, speed: course{steps: []step{{0, 1}, {stops, 0}, {goesOn, 1}}}}, func(t *testing.T, m *sim) {
		m.sleepUntil(stops - 10*ms)
		for range 2 {
			m.asks(signIn(0, fast))
		}

		m.sleepUntil(goesOn)
		err := m.asks(signIn(1, fast))
		if r, _ := errors.AsType[OverloadedError](err); r.After > 2*time.Second {
			t.Errorf("%v; want 2 s at most", err)
		}
		if s := m.scheduler.stats(); s.Busy != 2 || s.Wait > s.MaxWait {
			t.Errorf("%d workers are busy, and all waits for %v; want two, and at most %v", s.Busy, s.Wait, s.MaxWait)
		}
	})
}

// A refusal says when to come back: not before what was missing has passed.
func TestRetryAfter(t *testing.T) {
	bubble(t, world{workers: 1, maxWait: 100 * ms}, func(t *testing.T, m *sim) {
		for range 2 {
			if err := m.asks(signIn(0, fast)); err != nil {
				t.Error(err)
			}
		}

		err := m.asks(signIn(0, fast))
		r, _ := errors.AsType[OverloadedError](err)
		if r.Reason != ReasonDeadline || r.After < ms || r.After > 1100*ms {
			t.Errorf("%v; want deadline, and up to a second behind what was missing", err)
		}
	})
}

// Stages are done one after the other by one worker, side by side where they can be, until one has
// the answer; a call needs the time for all.
func TestStagesInTurn(t *testing.T) {
	bubble(t, world{workers: 1, lanes: 5, maxWait: time.Minute}, func(t *testing.T, m *sim) {
		m.early = signIn(0, large, fast)
		if err := m.scheduler.do(t.Context(), m.early); err != nil || m.early.served.Round(ms) != 80*ms {
			t.Errorf("answered after the first stage: %v after %v", err, m.early.served)
		}

		m.asks(signIn(0, fast))
		var three [3]*task
		for i := range three {
			three[i] = signIn(0, large, fast)
			m.asks(three[i])
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()

		for _, one := range three { // three times 80 ms, and three bcrypts side by side
			if one.outcome != OutcomeMismatch || one.served < 240*ms+50*ms || one.served > 240*ms+60*ms || one.together != 3 {
				t.Errorf("%v, served %v beside %d", one.outcome, one.served, one.together)
			}
		}

		m.asks(signIn(0, fast))
		short := request{task: signIn(0, large, fast), within: 150 * ms}
		if err := m.ask(&short); ReasonOf(err) != ReasonDeadline {
			t.Errorf("with time for the first stage alone, behind another: %v; want deadline", err)
		}
	})
}

// Who leaves between two stages is not taken to the next.
func TestLeftBetweenStages(t *testing.T) {
	bubble(t, world{workers: 1}, func(t *testing.T, m *sim) {
		r := &request{task: signIn(0, large, fast), leaves: 40 * ms}
		if err := m.ask(r); !errors.Is(err, context.Canceled) || r.outcome != OutcomeCanceled || r.reason != ReasonLeft {
			t.Errorf("%v, %v for %v", err, r.outcome, r.reason)
		}

		time.Sleep(time.Second)
		if s := m.scheduler.stats(); m.computed.Load() != 1 || m.discarded.Load() != 1 || s.Busy != 0 || s.MemoryInUse != 0 {
			t.Errorf("%d stages, told of %d, %d busy, %d bytes", m.computed.Load(), m.discarded.Load(), s.Busy, s.MemoryInUse)
		}
	})
}

// Kinds beyond the table share one, and what they have in common is no reason to do them at once: a
// worker that took one's cost for all would refuse right passwords.
func TestManyKinds(t *testing.T) {
	bubble(t, world{workers: 1, lanes: 5, maxWait: time.Minute}, func(t *testing.T, m *sim) {
		for i := range uint32(maxKinds) {
			one := effort{kind: kind{algorithm: 2, cost: [3]uint32{i}}, batches: i == 0}
			m.scheduler.submit(t.Context(), &task{dryRun: true, stages: []effort{one}})
		}

		var all [4]*task
		for i := range all {
			own := effort{kind: kind{algorithm: 1, cost: [3]uint32{20 + uint32(i)}}, units: 50, batches: true}
			all[i] = signIn(0, own, effort{kind: kind{algorithm: 2}, units: 50, batches: true})
			m.asks(all[i])
		}
		time.Sleep(time.Minute)
		synctest.Wait()

		for i, one := range all {
			if one.outcome != OutcomeMismatch || one.together != 1 {
				t.Errorf("task %d: %v beside %d; want it done alone", i, one.outcome, one.together)
			}
		}

		if n := len(m.scheduler.stats().Hashes); n > maxKinds+1 {
			t.Errorf("%d kinds are known", n)
		}
	})
}

// Close answers all that was admitted, between stages, queued and upgrades too, and admits no more;
// if the context of the most patient Close ends, those left hear so.
func TestClose(t *testing.T) {
	for name, c := range map[string]struct {
		patience time.Duration
		want     Outcome
		err      error
	}{
		"patient":   {patience: time.Hour, want: OutcomeMismatch},
		"impatient": {patience: 20 * ms, want: OutcomeCanceled, err: context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, world{workers: 1, maxWait: time.Minute}, func(t *testing.T, m *sim) {
				tasks := []*task{signIn(0, large, fast), signIn(0, fast), {upgrade: true, stages: []effort{fast}}}
				for _, task := range tasks {
					m.asks(task)
				}

				closes := func(patience time.Duration) error {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					return m.scheduler.close(ctx)
				}
				closed := make(chan error)
				go func() { closed <- closes(c.patience) }()
				synctest.Wait()

				for range 2 {
					if err := closes(ms); err != context.DeadlineExceeded {
						t.Errorf("a Close beside it: %v; want %v", err, context.DeadlineExceeded)
					}
				}
				if s := m.scheduler.stats().SignIns; s.Running != 1 || s.Queued != 1 {
					t.Errorf("a Close beside it ended calls: %d run, %d wait", s.Running, s.Queued)
				}

				late := signIn(0, fast)
				if err := m.asks(late); !errors.Is(err, ErrClosed) || late.outcome != OutcomeRefused || late.reason != ReasonClosed {
					t.Errorf("after Close: %v, %v for %v", err, late.outcome, late.reason)
				}

				if err := <-closed; err != c.err {
					t.Errorf("Close: %v; want %v", err, c.err)
				}
				synctest.Wait()
				for i, task := range tasks {
					if task.outcome != c.want {
						t.Errorf("task %d: %v for %v; want %v", i, task.outcome, task.reason, c.want)
					}
				}

				if err := m.scheduler.close(t.Context()); err != nil {
					t.Errorf("again: %v", err)
				}
			})
		})
	}
}

// A context that ends without an error would be a match; and one whose deadline has no monotonic
// reading, or a wild one, is judged.
func TestContexts(t *testing.T) {
	bubble(t, world{workers: 1, maxWait: time.Hour}, func(t *testing.T, m *sim) {
		m.asks(signIn(0, fast))

		one := signIn(0, fast)
		if err := m.scheduler.do(lying{t.Context()}, one); !errors.Is(err, context.Canceled) || one.outcome != OutcomeCanceled {
			t.Errorf("a context that ends with nil: %v, %v", err, one.outcome)
		}
	})

	for deadline, answered := range map[time.Time]bool{time.Unix(1, 0): false, time.Unix(1<<40, 0): true} {
		bubble(t, world{workers: 1}, func(t *testing.T, m *sim) {
			r := &request{task: signIn(0, fast), clock: deadline}
			if err := m.ask(r); (err == nil) != answered {
				t.Errorf("deadline %v: %v", deadline, err)
			}
		})
	}
}

type lying struct{ context.Context }

func (lying) Done() <-chan struct{} { c := make(chan struct{}); close(c); return c }
func (lying) Err() error            { return nil }

// What Ready refuses, Verify refuses, and what it admits leaves nothing.
func TestReadyAsksAlike(t *testing.T) {
	bubble(t, world{workers: 1, maxWait: 100 * ms}, func(t *testing.T, m *sim) {
		refused := 0
		for i := range 40 {
			before := m.scheduler.stats().SignIns.Of(OutcomeRefused)
			_, err := m.scheduler.submit(t.Context(), &task{principal: uint64(i % 3), dryRun: true, stages: []effort{fast}})
			if n := m.scheduler.stats().SignIns.Of(OutcomeRefused) - before; (n == 1) != (err != nil) {
				t.Errorf("call %d: %v is counted %d times", i, err, n)
			}

			if done := m.asks(signIn(uint64(i%3), fast)); (done == nil) != (err == nil) {
				t.Errorf("call %d: asked, %v; done, %v", i, err, done)
			}

			if err != nil {
				refused++
			}
			time.Sleep(20 * ms)
		}

		if refused == 0 || refused == 40 {
			t.Errorf("%d of 40 are refused: the test can't tell", refused)
		}
	})
}

// The table of principals is bounded, however many come and go, and those who have nothing any more
// are forgotten.
func TestPrincipalsAreForgotten(t *testing.T) {
	bubble(t, world{workers: 1, maxWait: ms}, func(t *testing.T, m *sim) {
		for i := range uint64(2 * maxShares) {
			m.asks(signIn(i, fast))
		}
		if n := m.scheduler.admission.shares.known; n > maxShares+10 {
			t.Errorf("%d shares are known", n)
		}

		time.Sleep(time.Minute)
		m.scheduler.do(t.Context(), signIn(1, fast))
		if n := m.scheduler.admission.shares.known; n != 2 {
			t.Errorf("a minute later %d shares are known; want a caller's and a principal's", n)
		}
	})
}
