// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package main

// The figures of docs/results/moves.md, which says what they are.

import (
	"cmp"
	"database/sql"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fount/examples/login/internal/store"
	"fount/password"
)

var (
	moveFile    = flag.String("moves", filepath.Join("testdata", "moves.txt"), "the store of TestMovesUnderLoad, as testdata/moves.py prints it")
	moveRate    = flag.Float64("moverate", 40, "its sign-ins a second")
	moveSeconds = flag.Int("moveseconds", 8, "for how many seconds its users come as they please")
)

const (
	zipf      = 0.8 // the exponent: the user of rank k comes 1/k^0.8 times as often as the first
	burstFrom = 0.3 // of the time until
	burstTo   = 0.35
	burst     = 5   // times the rate
	killAt    = 0.6 // of the time

	// Of the sign-ins: a wrong password, an unknown user, three at once, and a change of the password after it.
	wrongShare, unknownShare, thriceShare, changeShare = 0.03, 0.01, 0.03, 0.01
)

// An arrival is one sign-in that was asked for.
type arrival struct {
	at, took time.Duration // since the beginning; from when it was meant until the answer
	tries    int
}

// A move is a store that moves under load, in a process of its own.
type move struct {
	*movers
	t        *testing.T
	database string
	policy   password.Policy
	process  *process
	visits   chan arrival
	coming   sync.WaitGroup
}

// TestMovesUnderLoad has the users of a store sign in by a Zipf law, five times as many for a while, has the service killed once, and
// then has all others sign in. In the end nobody is locked out, no hash is lowered, and all that were to move have moved.
func TestMovesUnderLoad(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this takes ten seconds")
	}
	users, policy := readMovers(t, *moveFile)
	m := &move{movers: newMovers(users), t: t, database: filepath.Join(t.TempDir(), "login.db"), policy: policy, visits: make(chan arrival, 1<<20)}
	m.wait = func(after time.Duration) { time.Sleep(after/2 + rand.N(after+100*time.Millisecond)) }
	importMovers(t, m.database, users)
	m.launch()
	seen := m.watch()
	span := time.Duration(*moveSeconds) * time.Second

	began := time.Now()
	kill := time.AfterFunc(time.Duration(killAt*float64(span)), func() {
		m.process.end(syscall.SIGKILL)
		m.launch()
	})
	expected := m.load(began, span, true)
	moved := time.Since(began)
	if kill.Stop() {
		t.Error("the service was not killed")
	}
	m.rest()
	swept := time.Since(began)
	t.Logf("moved by sign-ins as they came: %v; all: %v", moved, swept)
	during := m.drain(span)

	m.process.end(syscall.SIGTERM) // after which no stored hash but those that stay takes other work than the policy's
	m.launch()
	m.load(time.Now(), span/5, false)
	after := m.drain(span)
	series := seen()
	t.Logf("during: %v", during)
	t.Logf("after: %v", after)

	db, err := store.Open(t.Context(), m.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n, wrongs := prove(t, db, users, policy)
	for _, wrong := range append(wrongs, m.wrongs()...) {
		t.Error(wrong)
	}
	t.Logf("%+v of %d; %d refusals and %d without an answer were tried again", n, len(users), m.refused.Load(), m.unanswered.Load())
	if os.Getenv("FOUNT_FIGURES") != "" {
		m.figures(n, during, after, series, expected, span, swept)
	}
}

func (m *move) launch() {
	text, err := m.policy.MarshalText()
	if err != nil {
		m.t.Fatal(err)
	}
	m.process = launch(m.t, "--database", m.database, "--policy", string(text), "--proxy", "127.0.0.0/8")
	m.url.Store(&m.process.url)
}

// law returns the share of the sign-ins that are of each user. Which user has which rank does not follow from the store's order, which is random.
func law(users int) (each, upTo []float64) {
	var sum float64
	for k := range users {
		each = append(each, math.Pow(float64(k+1), -zipf))
		sum += each[k]
	}
	upTo = make([]float64, users)
	var total float64
	for k := range users {
		each[k] /= sum
		total += each[k]
		upTo[k] = total
	}
	return each, upTo
}

// load has users come, by a Poisson process, and returns the share of the users that the law expects to have signed in by the end of
// each second. It returns when all have their answers.
func (m *move) load(began time.Time, span time.Duration, withBurst bool) (expected []float64) {
	each, upTo := law(len(m.users))
	r := rand.New(rand.NewPCG(24, uint64(span)))
	came := 0.0 // right sign-ins that the law has
	for at := 0.0; ; {
		rate := *moveRate
		if part := at / span.Seconds(); withBurst && part >= burstFrom && part < burstTo {
			rate *= burst
		}
		step := r.ExpFloat64() / rate
		for float64(len(expected)+1) <= min(at+step, span.Seconds()) {
			expected = append(expected, share(each, came))
		}
		if at += step; at > span.Seconds() {
			break
		}
		came += 1 - wrongShare - unknownShare
		u, kind, due := m.users[sort.SearchFloat64s(upTo, r.Float64())%len(m.users)], r.Float64(), began.Add(time.Duration(at*float64(time.Second)))
		time.Sleep(time.Until(due))
		m.coming.Go(func() { m.visit(u, kind, began, due) })
	}
	m.coming.Wait()
	return expected
}

// share is the part of the users that a number of sign-ins is expected to bring, if they are independent.
func share(each []float64, visits float64) (sum float64) {
	for _, p := range each {
		sum += 1 - math.Exp(-visits*p)
	}
	return sum / float64(len(each))
}

func (m *move) visit(u *mover, kind float64, began, due time.Time) {
	switch {
	case kind < wrongShare: // of anybody: not often enough of one that the count of wrong passwords would hold him up
		u = m.users[rand.IntN(len(m.users))]
		given, _ := u.right()
		m.fail(u, append([]byte("x"), given...))
	case kind < wrongShare+unknownShare:
		m.fail(&mover{email: "x" + u.email, from: u.from}, []byte("whatever it is"))
	case kind < wrongShare+unknownShare+thriceShare:
		for range 3 {
			m.coming.Go(func() { m.signIn(u) })
		}
	case kind < wrongShare+unknownShare+thriceShare+changeShare:
		m.change(u)
	default:
		tries := m.signIn(u)
		m.visits <- arrival{due.Sub(began), time.Since(due), tries}
	}
}

// rest has everybody sign in who has not, and those again whose upgrade was refused or lost.
func (m *move) rest() {
	db, err := store.Open(m.t.Context(), m.database)
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(m.users); i = next.Add(1) - 1 {
				u := m.users[i]
				for {
					stored, err := db.ByEmail(m.t.Context(), u.email)
					if err != nil {
						m.wrong(u, "%v", err)
					}
					if u.signedIn.Load() && (stored.Hash != u.original || dearer(u.original, m.policy)) || len(m.wrongs()) > 0 {
						break
					}
					m.signIn(u)
				}
			}
		})
	}
	all.Wait()
}

// quiet reports whether a time is apart from the burst and the kill, and from what they leave to be tried again.
func quiet(at, span time.Duration) bool {
	part := float64(at) / float64(span)
	return part < burstFrom || part >= burstTo+0.1 && part < killAt || part >= killAt+0.1
}

// drain returns what the visits since the last call took, in ms.
func (m *move) drain(span time.Duration) (l latency) {
	var took []float64
	for {
		select {
		case v := <-m.visits:
			l.visits++
			if v.tries > 1 {
				l.again++
			}
			if quiet(v.at, span) {
				took = append(took, float64(v.took)/float64(time.Millisecond))
			}
			l.all = append(l.all, v)
		default:
			slices.Sort(took)
			l.p50, l.p99 = quantile(took, 0.5), quantile(took, 0.99)
			return l
		}
	}
}

// A latency is how long right passwords took: all visits, those that came again, and the rest of them apart from burst and kill.
type latency struct {
	visits, again int
	p50, p99      float64 // ms
	all           []arrival
}

func (l latency) String() string {
	return fmt.Sprintf("%d visits, %d came again, p50 %.1f ms, p99 %.1f ms", l.visits, l.again, l.p50, l.p99)
}

func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// A moment of the move: what is stored and counted.
type progress struct {
	at                 time.Duration
	upgraded, signedIn float64 // shares of all users
	refused            int64   // since the beginning
}

// watch looks at the store each second, until the function that it returns is called.
func (m *move) watch() func() []progress {
	db, err := sql.Open("sqlite", "file:"+m.database+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		m.t.Fatal(err)
	}
	began, stop, ended := time.Now(), make(chan struct{}), make(chan []progress)
	go func() {
		defer db.Close()
		var all []progress
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				ended <- all
				return
			case <-tick.C:
			}
			p := progress{at: time.Since(began), refused: m.refused.Load()}
			form := formOf(m.policy)
			if err := db.QueryRow("SELECT avg(substr(hash, 1, $1) = $2) FROM users", len(form), form).Scan(&p.upgraded); err != nil {
				m.t.Error(err)
			}
			for _, u := range m.users {
				if u.signedIn.Load() {
					p.signedIn += 1 / float64(len(m.users))
				}
			}
			all = append(all, p)
		}
	}()
	return func() []progress { close(stop); return <-ended }
}

// figures writes the seconds of the move and its sum.
func (m *move) figures(n tally, during, after latency, series []progress, expected []float64, span, swept time.Duration) {
	stays := 0
	for _, u := range m.users {
		if dearer(u.original, m.policy) {
			stays++
		}
	}
	refused := int64(0)
	for i, p := range series {
		if p.at > swept+time.Second {
			break
		}
		line := fmt.Sprintf("BenchmarkMoves/second=%.1f 1 %.4f upgraded %.4f signed-in %d refused", p.at.Seconds(), p.upgraded, p.signedIn, p.refused-refused)
		refused = p.refused
		if i < len(expected) {
			line += fmt.Sprintf(" %.4f expected", expected[i])
		}
		if took := tookAt(during.all, p.at); len(took) > 0 {
			line += fmt.Sprintf(" %.1f p50-ms %.1f p99-ms", quantile(took, 0.5), quantile(took, 0.99))
		}
		appendFigures(m.t, "%s", line)
	}
	appendFigures(m.t, "BenchmarkMove 1 %d users %d upgraded %d stay %d stayed %d changed %d changes %d refused %d unanswered %.0f load-s %.0f all-s "+
		"%d during-visits %d during-again %.1f during-p50-ms %.1f during-p99-ms %d after-visits %d after-again %.1f after-p50-ms %.1f after-p99-ms",
		len(m.users), n.upgraded, stays, n.stayed, n.changed, n.former, m.refused.Load(), m.unanswered.Load(), span.Seconds(), swept.Seconds(),
		during.visits, during.again, during.p50, during.p99, after.visits, after.again, after.p50, after.p99)
}

// tookAt returns what the visits of the second up to a time took, in ms and in order.
func tookAt(visits []arrival, at time.Duration) (took []float64) {
	for _, v := range visits {
		if v.at <= at && v.at > at-time.Second {
			took = append(took, float64(v.took)/float64(time.Millisecond))
		}
	}
	slices.SortFunc(took, cmp.Compare[float64])
	return took
}
