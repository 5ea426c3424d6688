// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"fmt"
	"strings"

	"fount/lab/show"
)

// mostRows is how many kinds the text has. JSON has all.
const mostRows = 20

// Text lays the report out for a terminal.
func (r *Report) Text(s show.Style) string {
	text := fmt.Sprintf("%s entries: %s readable, %s refused, %s without a password\n", show.Count(r.Lines-r.Blank), show.Count(r.Read),
		show.Count(r.Refused), show.Count(r.Locked))
	if len(r.Kinds) > 0 {
		text += "\nHashes\n" + r.kindsText(s)
	}
	if len(r.Refusals) > 0 {
		text += "\nRefused\n"
	}
	for _, one := range r.Refusals {
		lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(one.Lines), " ", ", "), "[]")
		if one.Count > int64(len(one.Lines)) {
			lines += " and others"
		}
		text += s.Items(fmt.Sprintf("%s: %s (line %s)", show.Count(one.Count), one.Reason, lines))
	}
	if r.Read > 0 {
		text += "\nWhat to do\n" + s.Items(r.advice()...)
	}
	if f := r.Forecast; f != nil && r.Upgrade > 0 {
		text += "\nUpgrade by logins\n" + s.Items(
			fmt.Sprintf("Half are upgraded after %s days, 90 %% after %s, 99 %% after %s.", show.Rate(f.Half), show.Rate(f.Most), show.Rate(f.Nearly)),
			fmt.Sprintf("Premises: %s logins a day by %s users, at rates of their own (gamma, shape %.1f); nobody comes or goes.", show.PerSecond(f.Logins),
				show.Count(r.Read), shape))
	}
	return text
}

func (r *Report) kindsText(s show.Style) string {
	t := show.Table{Head: []string{show.Indent + "hash", "users", "ms", "memory", "stored as"}, Last: true}
	for _, k := range r.Kinds[:min(len(r.Kinds), mostRows)] {
		ms, memory, as := "-", "-", []string{}
		if k.MS > 0 {
			ms = show.MS(k.MS)
		}
		if k.Memory > 0 {
			memory = show.Size(float64(k.Memory))
		}
		for _, word := range []string{k.Form, k.PreHash} {
			if word != "" && word != k.Algorithm {
				as = append(as, word)
			}
		}
		if k.Unsalted {
			as = append(as, "no salt")
		}
		t.Rows = append(t.Rows, []string{show.Indent + k.Name, show.Count(k.Count), ms, memory, strings.Join(as, ", ")})
	}
	text := t.Fit(s.Width, "memory").String("")
	if more := len(r.Kinds) - mostRows; more > 0 {
		text += s.Items(fmt.Sprintf("and %d more; JSON has them all.", more))
	}
	return text
}

// advice says what follows from the store.
func (r *Report) advice() (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	var unsalted int64
	for _, k := range r.Kinds {
		if k.Unsalted {
			unsalted += k.Count
		}
	}
	if unsalted > 0 {
		say("%s have no salt: whoever reads them looks frequent passwords up.", show.Count(unsalted))
	}
	if r.Weak > 0 {
		say("fount password wrap makes %s safe now, without a login.", show.Count(r.Weak))
	}
	if r.Upgrade > 0 {
		say("A login replaces %s by a hash of %s, which takes %s ms.", show.Count(r.Upgrade), r.Policy, show.MS(r.PolicyMS))
	}
	if r.Cheaper > 0 {
		say("Warning: %s of these take longer than that, so the upgrade makes them cheaper to guess. Use a --policy of a higher cost; fount password calibrate finds one.",
			show.Count(r.Cheaper))
	}
	if r.EqualMS > r.PolicyMS {
		say("Nobody stands out by time if each wrong password takes a hash of every kind, together %s ms: see Options.Samples of package password.", show.MS(r.EqualMS))
	}
	if r.Locked > 0 {
		say("Set Policy.Markers, or each login of the %s without a password is an error at once.", show.Count(r.Locked))
	}
	return sentences
}
