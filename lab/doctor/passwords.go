// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

// The section on passwords: what a bcrypt costs here, what unbounded goroutines do to it, and whether that matters.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"fount/lab/logins"
	"fount/lab/measure"
	"fount/lab/show"
)

// PasswordPlan says how passwords are measured.
type PasswordPlan struct {
	Cost     int
	Callers  int
	Duration time.Duration // of each run
}

var usualPasswordPlan = PasswordPlan{Cost: 10, Callers: 64, Duration: 2 * time.Second}

// Passwords is what password hashes cost, alone and when many ask at once.
type Passwords struct {
	Algorithm  string   `json:"algorithm"`
	Cost       int      `json:"cost"`
	HashMS     float64  `json:"hash_ms"`           // one alone, by golang.org/x/crypto
	Peak       float64  `json:"logins_per_s"`      // that the pool makes
	Rare       float64  `json:"rare_logins_per_s"` // below it, no pool is needed
	Callers    int      `json:"callers"`           // at once, in both runs
	Seconds    float64  `json:"seconds"`           // of a run
	Goroutines *Load    `json:"goroutines"`        // null: not measured
	Pool       *Load    `json:"pool"`
	Error      string   `json:"error,omitempty"` // why it was not measured
	Sentences  []string `json:"sentences"`
}

// A Load is what a run of all callers gave.
type Load struct {
	Compares  int64   `json:"compares"`           // that ended in the run
	Within    int64   `json:"compares_within_1s"` // of each caller's asking
	PerSecond float64 `json:"per_s"`              // until those that were under way had ended too
	LatencyMS float64 `json:"latency_p50_ms"`     // of those that waited longer than the run, its length: a lower bound
	Heartbeat float64 `json:"heartbeat_p99_ms"`
	Endpoint  float64 `json:"endpoint_p99_ms"`
	Cores     float64 `json:"cores_used"` // 0: this system does not tell
}

// measure measures the pool first: it leaves nothing behind. What fails is said in the result.
func (p PasswordPlan) measure(line *show.Progress) *Passwords {
	r := &Passwords{
		Algorithm: logins.Bcrypt, Cost: p.Cost, Callers: p.Callers, Seconds: p.Duration.Seconds(), Sentences: []string{},
	}
	if err := r.measure(p, line); err != nil {
		r.Error = measure.Reason(err)
		r.Sentences = append(r.Sentences, "Passwords were not measured: "+r.Error+".")
		return r
	}
	r.conclude(runtime.GOMAXPROCS(0))
	return r
}

func (r *Passwords) measure(p PasswordPlan, line *show.Progress) error {
	defer line.Clear()
	line.Show("measuring one bcrypt")
	job, err := logins.NewJob(logins.Bcrypt, p.Cost)
	if err != nil {
		return err
	}
	least := time.Duration(math.MaxInt64)
	for range 3 { // what else the machine does makes one longer, never shorter
		start := time.Now()
		if err := job.Compare(); err != nil {
			return err
		}
		least = min(least, time.Since(start))
	}
	r.HashMS = least.Seconds() * 1000
	if r.Pool, err = p.run(logins.PoolLanes, line); err != nil {
		return err
	}
	r.Goroutines, err = p.run(logins.MaxOut, line)
	return err
}

// run lets all callers compare for the plan's time.
func (p PasswordPlan) run(mechanism string, line *show.Progress) (*Load, error) {
	c := logins.Post()
	c.Mechanism, c.Cost, c.Callers, c.Duration = mechanism, p.Cost, p.Callers, p.Duration
	r, err := c.Run(context.Background(), func(at logins.Progress) {
		line.Show(fmt.Sprintf("%d callers of %s: %s", p.Callers, mechanism, timeLeft(at)))
	})
	if err == nil && r.Failed > 0 {
		err = errors.New(r.Failure)
	}
	if err != nil {
		return nil, err
	}
	l := &Load{
		Compares: r.Compares, Within: r.Good, PerSecond: *r.Finished, LatencyMS: r.Seconds * 1000, Cores: r.Cores,
	}
	set := func(dst, of *float64) {
		if of != nil {
			*dst = *of
		}
	}
	if r.Latency != nil {
		set(&l.LatencyMS, r.Latency.P50)
	}
	if r.Heartbeat != nil {
		set(&l.Heartbeat, r.Heartbeat.P99)
	}
	if r.Endpoint != nil {
		set(&l.Endpoint, r.Endpoint.P99)
	}
	return l, nil
}

// timeLeft says how long a run still takes: its time, and then the compares that are under way.
func timeLeft(at logins.Progress) string {
	if at.Left > 0 {
		return fmt.Sprintf("%d under way", at.Left)
	}
	return fmt.Sprintf("%.0f s left", math.Ceil((at.Of - at.Elapsed).Seconds()))
}

// rareShare is the part of what the cores can do below which compares hardly meet. With two cores at a twentieth, one
// login in 400 finds both busy (M/M/2: an Erlang-C probability of 0.5 %); more cores make it rarer.
const rareShare = 0.05

// conclude finds what the machine bears, and says what to do.
func (r *Passwords) conclude(cores int) {
	r.Peak = r.Pool.PerSecond
	r.Rare = rareShare * float64(cores) * 1000 / r.HashMS
	r.Sentences = append(r.Sentences,
		fmt.Sprintf("One bcrypt of cost %d takes %.0f ms of a core. This machine bears %s logins/s.",
			r.Cost, r.HashMS, show.PerSecond(r.Peak)),
		fmt.Sprintf("You don't need a pool if never more than a few log in at once, %s/s or fewer, and "+
			"nobody can make it more.", show.PerSecond(r.Rare)),
		"Else put fount/password's Pool before the hash, also if it is argon2: "+
			"it answers as many as it can in time and refuses the others at once.")
	if late := r.inTime(r.Goroutines); late < r.inTime(r.Pool)/2 {
		r.Sentences = append(r.Sentences, fmt.Sprintf("Without a bound the cores hash no less, %s/s, but the callers wait: "+
			"%s/s are answered within 1 s.", show.PerSecond(r.Goroutines.PerSecond), show.PerSecond(late)))
	}
	if factor := r.Peak / r.Goroutines.PerSecond; factor > 1.5 {
		r.Sentences = append(r.Sentences, fmt.Sprintf("The pool's %.1f times as many are its bcrypt, "+
			"which does several side by side on a core.", factor))
	}
	if r.Goroutines.Heartbeat > 4*max(r.Pool.Heartbeat, 1) {
		r.Sentences = append(r.Sentences, fmt.Sprintf("Without a bound the rest of the process waits too: "+
			"a 1 ms heartbeat came %.0f ms late (p99), with the pool %s ms.",
			r.Goroutines.Heartbeat, show.MS(r.Pool.Heartbeat)))
	}
	if used := r.Pool.Cores; used > 0 && used < 0.8*float64(cores) {
		r.Sentences = append(r.Sentences,
			fmt.Sprintf("The machine was busy meanwhile (the pool got %.1f of "+
				"%d cores): measure again when it is quiet.", used, cores))
	}
}

// inTime is the compares within a second, per second of the run.
func (r *Passwords) inTime(l *Load) float64 {
	if r.Seconds == 0 {
		return 0
	}
	return float64(l.Within) / r.Seconds
}

// text is the section for people. What the latency of a run holds is a lower bound where callers still
// waited.
func (r *Passwords) text(s show.Style) string {
	text := "\nPasswords\n"
	if r.Goroutines != nil && r.Pool != nil {
		title := fmt.Sprintf("%d callers at once for %s s, bcrypt cost %d", r.Callers, show.PerSecond(r.Seconds), r.Cost)
		text = "\n" + show.Paragraph("Passwords: "+title, s.Width, "", indent)
		t := show.Table{Head: []string{"", "hashes/s", "within 1 s", "heartbeat late", "HTTP late"}}
		for _, row := range []struct {
			name string
			of   *Load
		}{{"goroutines", r.Goroutines}, {"password.Pool", r.Pool}} {
			l := row.of
			t.Rows = append(t.Rows, []string{
				row.name, show.PerSecond(l.PerSecond), show.PerSecond(r.inTime(l)) + "/s",
				show.MS(l.Heartbeat) + " ms", show.MS(l.Endpoint) + " ms"})
		}
		text += t.Fit(s.Width-len(indent), "HTTP late", "heartbeat late").String(indent)
	}
	for _, sentence := range r.Sentences {
		text += show.Paragraph(sentence, s.Width, indent, indent+indent)
	}
	return text
}
