// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The five questions that a reader of the page alone must be able to answer.

import (
	"fmt"

	"fount/lab/logins"
	"fount/lab/machine"
	"fount/lab/scale"
	"fount/lab/show"
)

// The sections.
const (
	machineID = "machine"
	nonceID   = "nonce"
	methodsID = "methods"
	sourceID  = "integers"
	scaleID   = "scale"
	tailID    = "tail"
	filesID   = "random-files"
	loginsID  = "logins"
	cloneID   = "clones"
)

// The titles of sections.
const (
	nonceTitle   = "A nonce"
	methodsTitle = "Seven ways to a nonce"
	sourceTitle  = "An integer"
	scaleTitle   = "Scaling"
	tailTitle    = "Draws that take long"
	loginsTitle  = "Logins"
	filesTitle   = "Random files"
)

const notMeasured = "Not measured."

func (r *Raw) answers() []answer {
	return []answer{r.cost(), r.method(), r.scaling(), r.logins(), r.never()}
}

// problems are the findings that must be mended before anything else counts.
func (r *Raw) problems() (list []string) {
	for _, f := range r.Doctor.Findings {
		if f.Level == machine.Problem {
			list = append(list, fmt.Sprintf("%s: %s. %s", f.Name, f.Value, f.Means))
		}
	}
	return list
}

// cost is what a nonce costs.
func (r *Raw) cost() answer {
	a := answer{ID: "cost", Question: "What does a nonce cost me?", Short: notMeasured, Section: nonceID}
	std, own := r.Doctor.Randomness.Method("crypto/rand"), r.Doctor.Randomness.Method("fount")
	if std == nil || own == nil {
		return a
	}
	a.Short = fmt.Sprintf("%s ns with crypto/rand, %s with fount", show.NS(std.OneCoreNS), show.NS(own.OneCoreNS))
	a.Text = []string{
		fmt.Sprintf("16 bytes, core time, one core. At 10,000 nonces a second crypto/rand takes %s of a core, and fount %s.",
			percent(std.OneCoreNS*1e4/1e9), percent(own.OneCoreNS*1e4/1e9)),
	}
	if raw := r.Doctor.Randomness.Method("getrandom(2)"); raw != nil {
		a.Text = append(a.Text, fmt.Sprintf("A system call for each, as on a kernel before Linux 6.11, would take %s ns.", show.NS(raw.OneCoreNS)))
	}
	return a
}

// method is which to use, and why.
func (r *Raw) method() answer {
	v := r.Doctor.Verdict
	a := answer{ID: "use", Question: "Which method should I use, and why?", Short: notMeasured, Section: methodsID, Text: v.Sentences}
	switch {
	case v.Use == "" || v.Use == "none":
	case v.BreakEven > 0:
		a.Short = fmt.Sprintf("crypto/rand below %s nonces a second and core, %s above", show.Rate(v.BreakEven), v.Use)
	default:
		a.Short = v.Use
	}
	return a
}

// scaling is how far it scales: as far as package scale judged it.
func (r *Raw) scaling() answer {
	a := answer{ID: "scaling", Question: "How far does it scale?", Short: notMeasured, Section: scaleID}
	if r.Scale == nil {
		return a
	}
	n := r.Scale.Cores
	check := r.check("fount", scale.Threads)
	own := r.Scale.Gain("fount", 16, scale.Threads)
	switch {
	case n < 2:
		a.Short = "One core: nothing can be said"
		return a
	case check == nil:
		return a
	case check.Verdict == scale.NotJudged || own == nil:
		a.Short = "Not judged: other programs had the cores while it was measured"
		a.Text = []string{"The clock then tells of them as much as of fount, so no figure stands here: measure again when the machine is quiet."}
		return a
	case !check.Judged:
		a.Short = fmt.Sprintf("On %d cores, undecided whether it is %.2fx of one or more", n, 0.95*float64(n))
	case check.Held:
		a.Short = fmt.Sprintf("fount on %d cores does %sx of one, at least %.2fx for sure", n, show.Ratio(own.Median), 0.95*float64(n))
	default:
		a.Short = fmt.Sprintf("fount on %d cores does %sx of one, less than %.2fx for sure", n, show.Ratio(own.Median), 0.95*float64(n))
	}
	a.Text = append(a.Text, fmt.Sprintf("fount: %sx with its 95 %% interval, over %d runs of this measurement.", own.Ratio(), r.Scale.Runs))
	for _, other := range []struct{ name, text string }{
		{"one mutex", "One generator behind one lock: %sx."},
		{"crypto/rand", "crypto/rand: %sx."},
	} {
		if f := r.Scale.Gain(other.name, 16, scale.Threads); f != nil {
			a.Text = append(a.Text, fmt.Sprintf(other.text, f.Ratio()))
		}
	}
	a.Text = append(a.Text, fmt.Sprintf("What more than %d cores would do was not measured here, and can't be told from these.", n))
	return a
}

// check is the verdict on a method in a mode, nil if there is none.
func (r *Raw) check(method, mode string) *scale.Check {
	for i, c := range r.Scale.Bars {
		if c.Method == method && c.Mode == mode {
			return &r.Scale.Bars[i]
		}
	}
	return nil
}

// logins is what happens to them under load.
func (r *Raw) logins() answer {
	a := answer{ID: "load", Question: "What happens to my logins under load?", Short: notMeasured, Section: loginsID}
	most := multiples[len(multiples)-1]
	free, pool := r.login(logins.MaxOut, most), r.login(logins.PoolLanes, most)
	if free == nil || pool == nil {
		return a
	}
	a.Short = fmt.Sprintf("At %s what this machine bears: %s/s in time with a pool, %s/s without", times(most), show.Rate(pool.Goodput), show.Rate(free.Goodput))
	a.Text = []string{
		fmt.Sprintf("%s logins a second were asked for, each to be answered within 1 s. fount/password's Pool refuses at once what it can't do in time; "+
			"a goroutine each lets all of them wait.", show.Rate(pool.Offered)),
	}
	if free.Heartbeat != nil && pool.Heartbeat != nil && free.Heartbeat.P99 != nil && pool.Heartbeat.P99 != nil {
		a.Text = append(a.Text, fmt.Sprintf("The rest of the process: a 1 ms tick came %s ms late (p99) with the pool, %s without.",
			show.NS(*pool.Heartbeat.P99), show.NS(*free.Heartbeat.P99)))
	}
	return a
}

// login is the run of a mechanism at a multiple of the capacity.
func (r *Raw) login(mechanism string, multiple float64) *login {
	for i, l := range r.Logins {
		if l.Config.Mechanism == mechanism && l.Multiple == multiple {
			return &r.Logins[i]
		}
	}
	return nil
}

// never is what may never be got twice.
func (r *Raw) never() answer {
	a := answer{ID: "twice", Question: "What may I never get twice?", Section: cloneID}
	st := r.Doctor.Status
	if st.WindowBytes > 0 {
		a.Short = fmt.Sprintf("Clones are not detected here: up to %d bytes a core can come twice", st.WindowBytes)
		a.Text = []string{
			"A nonce, key, token or ID that two resumed copies of this machine both hand out. Use fount.Strict for what must not, or call fount.Reseed after each resume.",
		}
	} else {
		a.Short = "No value that is drawn after a clone or a fork, as far as the kernel tells of it"
		a.Text = []string{
			"Two copies of this machine, resumed from one snapshot, draw different values from the moment the kernel of each knows: fount looks at its mark before and after each draw, and a fork finds its memory wiped. " +
				"A host that does not tell the kernel of a clone tells fount nothing either.",
		}
	}
	a.Text = append(a.Text,
		"What comes twice all the same: a value drawn before the snapshot and used after it, also one drawn in the instant between the last look and its use; what a program keeps in a buffer or a channel of its own; and everything of package seeded, which repeats on purpose. docs/threat-model.md has the premises.")
	return a
}

// percent writes a share with two digits.
func percent(share float64) string { return fmt.Sprintf("%.2g %%", 100*share) }
