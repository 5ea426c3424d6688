// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/cmd/fountd/internal/daemon"
	"fount/cmd/fountd/internal/trial"
	"fount/internal/test/require"
	"fount/password"
	"fount/remote"
)

const asProgram = "FOUNT_TEST_FOUNTD"

// TestMain is fountd where a fleet has started it as that.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Unsetenv(asProgram)
		os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// unequal are the cores of three workers.
var unequal = []float64{1, 0.5, 0.25}

var policy = password.Policy{Algorithm: password.Bcrypt, Cost: 10}

// open starts a fleet of this test's program, and ends it with the test.
func open(t testing.TB, o trial.Options) *trial.Fleet {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	o.Program, o.Env, o.Policy = []string{self}, []string{asProgram + "=1"}, policy
	f, err := trial.Open(o)
	require.Started(t, err)
	if errors.Is(err, trial.ErrNoNetwork) {
		require.Skip(t, "fleet", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	if f.NoQuotas != nil && require.Names("fleet") {
		t.Fatalf("FOUNT_REQUIRE has fleet, and there are no CPU quotas: %v", f.NoQuotas)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			for _, w := range f.Workers {
				t.Logf("worker %s: %s", w.Name, w.Log())
			}
		}
	})
	return f
}

func connect(t testing.TB, f *trial.Fleet, o remote.NATSOptions) *trial.Clients {
	t.Helper()
	o.Timeout = time.Minute // the calls' own deadlines are before that
	c, err := f.Connect(4, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.Await(ctx); err != nil {
		t.Fatal(err)
	}
	return c
}

// A run is a load that runs.
type run struct {
	t      testing.TB
	ledger *trial.Ledger
	before remote.NATSStats
	client *trial.Clients
	stop   context.CancelFunc
	done   sync.WaitGroup
}

// begin has clients make a load.
func begin(t testing.TB, c *trial.Clients, load trial.Load) *run {
	r := &run{t: t, ledger: trial.NewLedger(), before: c.Stats(), client: c}
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	r.done.Go(func() {
		if err := c.Run(ctx, load, r.ledger); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		r.stop()
		r.done.Wait()
	})
	return r
}

// end ends the load, waits for its calls, and returns what is wrong with them.
func (r *run) end() (counts trial.Counts, wrong error) {
	r.stop()
	r.done.Wait()
	c, s, b := r.ledger.Counts(), r.client.Stats(), r.before
	sum := c.Answered + c.Late + c.Refused + c.Expired + c.Canceled + c.Wrong + c.Failed
	var all []error
	for what, is := range map[string]bool{
		fmt.Sprintf("of %d calls %d have an end", c.Submitted, sum):                     c.InFlight == 0 && c.Submitted == sum,
		fmt.Sprintf("%d wrong verdicts", c.Wrong):                                       c.Wrong == 0,
		fmt.Sprintf("%d errors that are none of the pool's", c.Failed):                  c.Failed == 0,
		fmt.Sprintf("%d calls without a word in their deadline", c.Expired+c.Late):      c.Expired+c.Late == 0,
		fmt.Sprintf("the clients' counts don't add up: %+v", s):                         s.InFlight == 0 && s.Submitted == s.Answered+s.Refused+s.Expired+s.Canceled,
		fmt.Sprintf("%d calls, and the clients count %+v after %+v", c.Submitted, s, b): s.Submitted-b.Submitted == uint64(c.Submitted) && s.Answered-b.Answered == uint64(c.Answered+c.Late+c.Wrong),
	} {
		if !is {
			all = append(all, errors.New(what))
		}
	}
	return c, errors.Join(append(all, r.ledger.Failures())...)
}

// until waits for what has no event.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// back waits until goodput is back, and returns after how long it was.
func (r *run) back(from time.Duration, what string) time.Duration {
	r.t.Helper()
	var after time.Duration
	until(r.t, what+": goodput is back", func() (ok bool) {
		after, ok = r.ledger.Back(from, 1e9)
		return ok
	})
	return after
}

// calls waits until n more calls have begun.
func (r *run) calls(n int) {
	r.t.Helper()
	n += r.ledger.Counts().Submitted
	until(r.t, "calls begin", func() bool { return r.ledger.Counts().Submitted >= n })
}

// easy is a load that half of the workers can do, with deadlines that no busy machine misses: a call that gets nothing was lost.
func easy(t testing.TB) trial.Load {
	t.Helper()
	perCore, err := trial.PerCore(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	return trial.Load{Rate: perCore * 0.3, Deadline: 20 * time.Second, Policy: policy, Leavers: 0.02}
}

// A fault is something that befalls a fleet.
type fault struct {
	name       string
	begin, end func(*trial.Fleet) error
	worker     int  // that it befalls, from 0
	whole      bool // all of them: nothing is answered until its end
}

var faults = []fault{
	{"kill", func(f *trial.Fleet) error { f.Workers[0].Kill(); return nil }, func(f *trial.Fleet) error { return f.Workers[0].Start() }, 0, false},
	{"broker", func(f *trial.Fleet) error { f.KillBroker(); return nil }, (*trial.Fleet).StartBroker, 0, true},
	{"stop", func(f *trial.Fleet) error { return f.Workers[0].Stop(true) }, func(f *trial.Fleet) error { return f.Workers[0].Stop(false) }, 0, false},
	{"term-1", terminate(0), restart(0), 0, false},
	{"term-2", terminate(1), restart(1), 1, false},
	{"term-3", terminate(2), restart(2), 2, false},
	{"partition", func(f *trial.Fleet) error { return f.Part(true) }, func(f *trial.Fleet) error { return f.Part(false) }, 2, false},
}

func terminate(i int) func(*trial.Fleet) error {
	return func(f *trial.Fleet) error { return f.Workers[i].Terminate() }
}

func restart(i int) func(*trial.Fleet) error {
	return func(f *trial.Fleet) error { return f.Workers[i].Start() }
}

// Whatever befalls a fleet of three, each call is answered once or refused in its deadline, and goodput comes back.
func TestFleetFaults(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: processes are killed for half a minute")
	}
	for _, network := range []bool{false, true} {
		f := open(t, trial.Options{Cores: unequal, Network: network})
		c := connect(t, f, remote.NATSOptions{})
		for _, x := range faults {
			if (x.name == "partition") != network {
				continue
			}
			t.Run(x.name, func(t *testing.T) {
				r := begin(t, c, easy(t))
				r.calls(10)
				began := r.ledger.Now()
				if err := x.begin(f); err != nil {
					t.Fatal(err)
				}
				if !x.whole {
					t.Logf("goodput was back %v after the fault began", r.back(began, "with the fault"))
				}
				ended := r.ledger.Now()
				if err := x.end(f); err != nil {
					t.Fatal(err)
				}
				t.Logf("goodput was back %v after it ended", r.back(ended, "after the fault"))
				counts, err := r.end()
				if err != nil {
					t.Error(err)
				}
				t.Logf("%+v, %d requests", counts, c.Stats().Attempts-r.before.Attempts)
			})
		}
	}
}

// hang stops a worker under load, so that what is sent to it then is lost when it is killed, and returns what is wrong.
func hang(t *testing.T, o remote.NATSOptions) error {
	f := open(t, trial.Options{Cores: []float64{1, 1}})
	c := connect(t, f, o)
	load := easy(t)
	load.Deadline = 5 * time.Second
	r := begin(t, c, load)
	r.calls(10)
	if err := f.Workers[0].Stop(true); err != nil {
		t.Fatal(err)
	}
	r.calls(20) // of which a queue group has each with the one that hangs in one of two cases
	f.Workers[0].Kill()
	r.calls(10)
	counts, err := r.end()
	t.Logf("%+v", counts)
	return err
}

// A worker that hangs and then dies loses no call, but for a client that waits for it: the control.
func TestFleetLosesNoCall(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: two fleets run")
	}
	if err := hang(t, remote.NATSOptions{}); err != nil {
		t.Error(err)
	}
	if err := hang(t, patient); err == nil || !strings.Contains(err.Error(), "without a word") {
		t.Errorf("clients that never ask a second worker lost no call: %v", err)
	}
}

// patient clients send each call to a worker that the broker draws, and wait.
var patient = remote.NATSOptions{Route: remote.QueueGroup, Silence: time.Hour}

// Requests that clients sent are requests that workers received, and answers that clients got are answers that workers gave.
func TestFleetCounts(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: a fleet runs in overload")
	}
	opened := time.Now()
	f := open(t, trial.Options{Cores: unequal, Flags: []string{"--max-wait", "500ms"}})
	c := connect(t, f, remote.NATSOptions{})
	load := easy(t)
	load.Rate, load.Leavers = load.Rate*15, 0
	before := sum(t, f)
	r := begin(t, c, load)
	until(t, "calls are refused and answered", func() bool {
		c := r.ledger.Counts()
		return c.Answered > 20 && c.Refused > 20
	})
	counts, err := r.end()
	if err != nil {
		t.Error(err)
	}
	sent := c.Stats().Attempts - r.before.Attempts
	var after trial.Report
	until(t, "workers are done", func() bool {
		after = sum(t, f)
		return after.InFlight == 0
	})
	if received := after.Received() - before.Received(); received != sent {
		t.Errorf("clients sent %d requests, workers received %d", sent, received)
	}
	if answered := after.Answered - before.Answered; answered < uint64(counts.Answered) {
		t.Errorf("clients got %d answers, workers gave %d", counts.Answered, answered)
	}
	for _, w := range f.Workers { // the kernel holds a group to its quota in each period of 100 ms
		if used, most := w.Total().Time.Seconds(), w.Cores*(time.Since(opened).Seconds()+0.2); f.NoQuotas == nil && used > most {
			t.Errorf("worker %s used %.2f s of a core; its quota allows %.2f", w.Name, used, most)
		}
	}
	t.Logf("%+v, %d requests; workers %+v after %+v", counts, sent, after, before)
}

// sum is what all workers have counted.
func sum(t *testing.T, f *trial.Fleet) (sum trial.Report) {
	t.Helper()
	for _, w := range f.Workers {
		r, err := w.Report(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(r)
	}
	return sum
}
