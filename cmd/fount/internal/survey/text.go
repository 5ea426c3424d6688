// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// The report as text, and what it advises.

import (
	"fmt"
	"slices"
	"strings"

	"fount/cmd/internal/lab/show"
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
	text += refusalsText(s, "Refused", r.Refusals) + refusalsText(s, "Refused by fount password wrap", r.Unwrapped)

	if r.Read > 0 {
		text += "\nWhat to do\n" + s.Items(r.advice()...)
	}

	if f := r.Forecast; f != nil && r.Upgrade > 0 {
		text += "\nUpgrade by logins\n" + s.Items(
			fmt.Sprintf("Half are upgraded after %s days, 90 %% after %s, 99 %% after %s.", show.Rate(f.Half), show.Rate(f.Most), show.Rate(f.Nearly)),
			fmt.Sprintf("Premises: %g logins a day by %s users, at rates of their own (gamma, shape %.1f); nobody comes or goes.",
				f.Logins, show.Count(r.Read), shape),
		)
	}

	return text
}

// refusalsText returns a section, or "" if there are no refusals.
func refusalsText(s show.Style, title string, refusals []*Refusal) string {
	if len(refusals) == 0 {
		return ""
	}

	text := "\n" + title + "\n"
	for _, one := range refusals {
		lines := strings.Trim(strings.ReplaceAll(fmt.Sprint(one.Lines), " ", ", "), "[]")
		if one.Count > int64(len(one.Lines)) {
			lines += " and others"
		}
		text += s.Items(fmt.Sprintf("%s: %s (line %s)", show.Count(one.Count), one.Reason, lines))
	}
	return text
}

func (r *Report) kindsText(s show.Style) string {
	t := show.Table{Head: []string{show.Indent + "hash", "users", "time", "memory", "stored as"}, Last: true}

	for _, k := range r.Kinds[:min(len(r.Kinds), mostRows)] {
		took := "-"
		if k.MS > 0 {
			took = show.Seconds(k.MS / 1000)
		}
		memory := "-"
		if k.Memory > 0 {
			memory = show.Size(float64(k.Memory))
		}
		t.Rows = append(t.Rows, []string{show.Indent + k.Name, show.Count(k.Count), took, memory, k.storedAs()})
	}

	text := t.Fit(s.Width, "memory").String("")
	if more := len(r.Kinds) - mostRows; more > 0 {
		text += s.Items(fmt.Sprintf("and %d more; JSON has them all.", more))
	}
	return text
}

// storedAs says how the hashes are written, beyond their algorithm.
func (k *Kind) storedAs() string {
	var as []string
	for _, word := range []string{k.Form, k.PreHash} {
		if word != "" && word != k.Algorithm {
			as = append(as, word)
		}
	}
	if k.Unsalted {
		as = append(as, "no salt")
	}
	if !k.Covered {
		as = append(as, "not covered")
	}
	return strings.Join(as, ", ")
}

// wrapForms returns the forms of the hashes that fount password wrap takes.
func (r *Report) wrapForms() (names []string) {
	for _, k := range r.Kinds {
		if k.WrapForm != "" && !slices.Contains(names, k.WrapForm) {
			names = append(names, k.WrapForm)
		}
	}
	return names
}

// isDjango reports whether most hashes are Django's. It asks for its own users alone, so there is no
// equal time for others, and knows who has no password.
func (r *Report) isDjango() bool {
	var n int64
	for _, k := range r.Kinds {
		if strings.HasPrefix(k.Form, "django") || strings.HasPrefix(k.sample, "fount_wrap$") {
			n += k.Count
		}
	}
	return 2*n > r.Read
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
		say("fount password wrap puts %s into argon2id without a login, "+
			"once --user proves each form by a password, or --form names it: %s.",
			show.Count(r.Weak), strings.Join(r.wrapForms(), ", "))
	}
	if r.Upgrade > 0 {
		say("A login replaces %s by a hash of %s, which takes %s.", show.Count(r.Upgrade), r.Policy, show.Seconds(r.PolicyMS/1000))
	}
	if r.Kept > 0 {
		say("Warning: a hash of %s is cheaper to guess than %s of these, so no login replaces them; fount password calibrate finds a higher cost.",
			r.Policy, show.Count(r.Kept))
	}

	if r.isDjango() {
		say("If Django stays, it needs neither fountd's stored nor its markers: clients/django/README.md has its settings, and a wider column, " +
			"which wrapped hashes need.")
		return sentences
	}

	if r.EqualMS > r.PolicyMS {
		say("With a hash of each covered kind in Options.Stored of package password, or in fountd's stored, each wrong password takes %s.",
			show.Seconds(r.EqualMS/1000))
	}
	if r.Apart > 0 {
		say("%s are of kinds that are too rare or too dear to cover: the time of a wrong password reveals their users until a login replaces the hash. "+
			"Wrapping does not change that: a wrapped hash takes its own time.", show.Count(r.Apart))
	}
	if r.Locked > 0 {
		say("Set Policy.Markers, or fountd's markers, or each login of the %s without a password is an error at once.", show.Count(r.Locked))
	}
	return sentences
}
