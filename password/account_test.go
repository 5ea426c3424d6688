// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Every call is accounted for: random programs of calls, in simulated time, and what three accounts say of them: the callers',
// the observer's and Stats'.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/blowfish"
	"fount/password/internal/sched"
)

// A told is a call as its caller saw it.
type told struct {
	op       string
	err      error
	began    time.Time
	took     time.Duration
	panicked bool
}

// An account is what a program of calls came to.
type account struct {
	callers  []told
	observed []Observation
	panics   uint64 // of the observer
	stats    Stats
	between  []Stats // while it ran
}

// simulated returns a pool whose hashes take time, as long as took says, and no work: a password that begins with "r" matches.
func simulated(t *testing.T, o Options, took *atomic.Int64) *Pool {
	t.Helper()
	p := newPool(t, o)
	p.sched = sched.New(sched.Config{
		Workers: o.Workers, Queue: p.options.Queue, MaxWait: p.options.MaxWait, Memory: p.options.Memory, Lanes: o.Lanes,
		Relative: blowfish.Relative, Start: startApart, Jitter: func(time.Duration) time.Duration { return 1 },
		Run: func(_ int, tasks []*sched.Task) {
			for began := time.Now(); time.Since(began) < time.Duration(took.Load()); time.Sleep(time.Millisecond) {
				if !anybody(tasks) {
					return
				}
			}
			for _, task := range tasks {
				c := task.Payload.(*call)
				sum := make([]byte, len(c.work.hash.Sum))
				if len(c.work.key) > 0 && c.work.key[0] == 'r' {
					copy(sum, c.work.hash.Sum)
				}
				c.conclude(sum)
			}
		},
	})
	p.sched.Seed(uint8(Bcrypt), usual, 16)
	p.SetRehash(!o.NoRehash)
	return p
}

// usual is how long a hash takes, but for slow times.
const usual = 50 * time.Millisecond

func anybody(tasks []*sched.Task) bool {
	for _, t := range tasks {
		if !t.Gone() {
			return true
		}
	}
	return false
}

// play runs the program of a seed.
func play(t *testing.T, seed uint64) (a account) {
	rng := rand.New(rand.NewPCG(seed, 21))
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		o := Options{
			Workers: 1 + rng.IntN(2), MaxWait: time.Duration(50+rng.IntN(1000)) * time.Millisecond, Queue: 2 + rng.IntN(40),
			Lanes:    1 + rng.IntN(3),
			NoRehash: rng.IntN(3) == 0, Memory: 1 << 20,
			Observe: func(_ context.Context, o Observation) {
				mu.Lock()
				a.observed = append(a.observed, o)
				fails := o.Start.UnixMicro()%5 == 0
				if fails {
					a.panics++
				}
				mu.Unlock()
				if fails {
					panic("observer")
				}
			},
		}
		var took atomic.Int64
		took.Store(int64(usual))
		p := simulated(t, o, &took)
		var callers sync.WaitGroup
		for range 20 + rng.IntN(60) {
			callers.Go(caller(p, rng, func(one told) {
				mu.Lock()
				a.callers = append(a.callers, one)
				mu.Unlock()
			}))
			switch rng.IntN(12) {
			case 0:
				p.SetWorkers(1 + rng.IntN(4))
			case 1:
				p.SetMaxWait(time.Duration(50+rng.IntN(1000)) * time.Millisecond)
			case 2:
				p.SetRehash(rng.IntN(2) == 0)
			case 3:
				took.Store(int64(usual) * int64(1+3*rng.IntN(2)))
			case 4, 5:
				a.between = append(a.between, p.Stats())
			}
			time.Sleep(time.Duration(rng.ExpFloat64() * float64(10*time.Millisecond)))
		}
		if rng.IntN(2) == 0 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(300))*time.Millisecond)
			p.Close(ctx)
			cancel()
		}
		for range rng.IntN(4) {
			callers.Go(caller(p, rng, func(one told) {
				mu.Lock()
				a.callers = append(a.callers, one)
				mu.Unlock()
			}))
		}
		callers.Wait()
		p.Close(context.Background()) // so that also what its callers left is counted
		a.stats = p.Stats()
	})
	return a
}

// caller returns one call of any kind, which tells what became of it.
func caller(p *Pool, rng *rand.Rand, tell func(told)) func() {
	op := []string{"verify", "verify", "verify", "hash"}[rng.IntN(4)]
	given := []byte(append(slices.Repeat([]string{"right", "wrong"}, 6), "", "r\x00", strings.Repeat("r", 5000))[rng.IntN(15)])
	encoded := append(slices.Repeat([]string{goodBcrypt4}, 8), "", "nonsense", goodBcrypt31)[rng.IntN(11)]
	login := Login{Principal: fmt.Sprint(max(rng.IntN(8)-4, 0)), Class: Class(rng.IntN(3))}
	if rng.IntN(20) == 0 {
		login.Class = 7
	}
	kind, after := rng.IntN(12), time.Duration(rng.IntN(600))*time.Millisecond
	return func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		switch kind {
		case 0:
			cancel()
		case 1:
			time.AfterFunc(after, cancel)
		case 2, 3, 4:
			ctx, cancel = context.WithTimeout(ctx, after)
			defer cancel()
		case 5:
			ctx = lastGasp{ctx}
		}
		one := told{op: op, began: time.Now()}
		defer func() {
			one.took = time.Since(one.began)
			one.panicked = recover() != nil
			tell(one)
		}()
		if op == "hash" {
			_, one.err = p.Hash(ctx, login, given)
		} else {
			_, one.err = p.Verify(ctx, login, given, encoded)
		}
	}
}

// lastGasp is a context that panics when its call is in the queue or with a worker.
type lastGasp struct{ context.Context }

func (lastGasp) Done() <-chan struct{} { panic("context") }

var (
	goodBcrypt4  = "$2b$04$" + goodBcrypt[7:]
	goodBcrypt31 = "$2b$31$" + goodBcrypt[7:]
)

// faults returns what is wrong with the account.
func (a *account) faults() (list []string) {
	fault := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if len(a.observed) != len(a.callers) {
		fault("%d calls, %d observations", len(a.callers), len(a.observed))
	}
	// The callers': each call has one observation that agrees with what it returned.
	match := func(c told, o Observation) bool {
		return o.Op == c.op && o.Start.Equal(c.began) && o.Total == c.took && agrees(c, o)
	}
	left := append([]Observation(nil), a.observed...)
	for _, c := range a.callers {
		found := false
		for i, o := range left {
			if found = match(c, o); found {
				left = append(left[:i], left[i+1:]...)
				break
			}
		}
		if !found {
			fault("a call of %s that returned %v after %v has no observation", c.op, c.err, c.took)
		}
	}
	// The observer's alone, and Stats' alone: each call is in one place.
	s := &a.stats
	if got, want := s.endings(), endingsOf(a.observed); !reflect.DeepEqual(got, want) {
		fault("Stats counts %v, the observer %v", got, want)
	}
	if s.ObserverPanics != a.panics {
		fault("%d panics are counted, there were %d", s.ObserverPanics, a.panics)
	}
	for class, c := range s.Classes() {
		a.check(class, c, fault)
	}
	for _, between := range append(a.between, *s) {
		for class, c := range between.Classes() {
			sum := c.Calls.InFlight
			for _, o := range c.Calls.Outcomes {
				sum += o.Count
			}
			if sum != c.Calls.Started {
				fault("%v: %d calls have started, and %d are accounted for", class, c.Calls.Started, sum)
			}
		}
	}
	return list
}

// check holds a class's counts and sums against the observer's, and against those of the scheduler.
func (a *account) check(class Class, c ClassStats, fault func(string, ...any)) {
	var wait, service time.Duration
	total := map[Outcome]time.Duration{}
	panicked := uint64(0) // calls whose context panicked: the scheduler runs them to the end
	for _, o := range a.observed {
		if o.Class != class {
			continue
		}
		total[o.Outcome] += o.Total
		if o.Outcome.Answered() {
			wait += o.Wait
			service += o.Service
			if o.Wait+o.Service != o.Total || o.Lanes < 1 {
				fault("%v: waited %v and was served %v of %v, beside %d", o.Outcome, o.Wait, o.Service, o.Total, o.Lanes)
			}
		}
		if o.Outcome == OutcomeCanceled && o.Reason == ReasonLeft && o.Err == nil {
			panicked++
		}
	}
	calls := c.Calls
	if calls.InFlight != 0 {
		fault("%v: %d calls are in flight after all", class, calls.InFlight)
	}
	if calls.Wait.Sum != wait || calls.Service.Sum != service {
		fault("%v: waits of %v and service of %v, observed %v and %v", class, calls.Wait.Sum, calls.Service.Sum, wait, service)
	}
	answered, dropped := calls.Answered().Count, calls.Of(OutcomeDropped)
	if calls.Wait.Count != answered || calls.Service.Count != answered {
		fault("%v: %d calls are answered, waits of %d, service of %d", class, answered, calls.Wait.Count, calls.Service.Count)
	}
	for _, o := range calls.Outcomes {
		var byReason, byBucket uint64
		for _, r := range o.Reasons {
			byReason += r.Count
		}
		for _, n := range o.Total.Counts {
			byBucket += n
		}
		if byReason != o.Count || byBucket != o.Count || o.Total.Count != o.Count || o.Total.Sum != total[o.Outcome] {
			fault("%v, %v: %d, by reason %d, by bucket %d; in %v, observed %v", class, o.Outcome, o.Count, byReason, byBucket,
				o.Total.Sum, total[o.Outcome])
		}
	}
	// The scheduler's own account, which has all but what the guards stop.
	if panicked == 0 && (c.Completed != answered || c.Refused != calls.Of(OutcomeRefused).Count || c.Dropped != dropped.Count ||
		c.Evicted != dropped.For(ReasonEvicted) || c.Expired != calls.Of(OutcomeExpired).Count ||
		c.Canceled != calls.Of(OutcomeCanceled).Count || c.RefusedFor.Share != calls.Of(OutcomeRefused).For(ReasonShare)) {
		fault("%v: the scheduler counts %+v", class, c)
	}
	if n := c.Completed + c.Refused + c.Dropped + c.Expired + c.Canceled; n != c.Submitted || c.Queued+c.Running != 0 {
		fault("%v: %d hashes were submitted, and %d are accounted for", class, c.Submitted, n)
	}
}

// agrees reports whether an outcome is one of those that the returned error allows.
func agrees(c told, o Observation) bool {
	if c.panicked {
		return o.Outcome == OutcomeCanceled && o.Reason == ReasonLeft
	}
	if !errors.Is(c.err, o.Err) || (c.err == nil) != (o.Err == nil) {
		return false
	}
	_, overloaded := errors.AsType[OverloadedError](c.err)
	switch {
	case c.err == nil && c.op == "hash":
		return o.Outcome == OutcomeHashed
	case c.err == nil:
		return o.Outcome == OutcomeMatch
	case overloaded:
		return o.Outcome == OutcomeRefused && o.Service == 0 || o.Outcome == OutcomeDropped && o.Service == 0
	case errors.Is(c.err, ErrMismatch):
		return o.Outcome == OutcomeMismatch || o.Outcome == OutcomeUnknown || o.Reason == ReasonEmpty
	case errors.Is(c.err, ErrClosed):
		return o.Reason == ReasonClosed
	case errors.Is(c.err, context.DeadlineExceeded):
		return o.Outcome == OutcomeExpired || o.Reason == ReasonGone
	case errors.Is(c.err, context.Canceled):
		return o.Reason == ReasonLeft || o.Reason == ReasonGone
	}
	return o.Outcome == OutcomeInvalid
}

// programs is how many are played.
func programs() uint64 {
	if os.Getenv("FOUNT_LONG") == "1" {
		return 10_000
	}
	return 150
}

func TestEveryCallIsAccountedFor(t *testing.T) {
	met := map[string]bool{}
	for seed := range programs() {
		a := play(t, seed)
		for _, fault := range a.faults() {
			t.Errorf("seed %d: %s", seed, fault)
		}
		if t.Failed() {
			return
		}
		for _, o := range a.observed {
			met[o.Outcome.String()+" "+o.Reason.String()] = true
		}
	}
	for o := range Outcomes() {
		for r := range o.Reasons() {
			switch r {
			case ReasonMemory, ReasonKey: // TestPoolGuards has the one; a pool without a ring has no key to miss
				continue
			}
			if !met[o.String()+" "+r.String()] {
				t.Errorf("no program has led to %v, %v", o, r)
			}
		}
	}
}
