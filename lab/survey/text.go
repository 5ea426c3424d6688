// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// The report for a terminal.

import (
	"fmt"
	"math"
	"strings"

	"fount/lab/show"
	"fount/password"
)

// mostRows is how many kinds and reasons the text has. JSON has all.
const mostRows = 20

// Text lays the report out.
func (r *Report) Text(s show.Style) string {
	var b strings.Builder
	b.WriteString(show.Paragraph(r.summary(), s.Width, "", show.Indent))
	section := func(title, text string) {
		if text != "" {
			b.WriteString("\n" + title + "\n" + text)
		}
	}
	section("Hashes", r.kindsText(s))
	section("Refused", r.refusalsText(s))
	if r.Weak > 0 {
		section("Weak hashes", s.Items(r.weakSentence()))
	}
	if r.Read > 0 {
		section("Logins", s.Items(r.loginSentences()...))
		section("Wrong passwords and unknown users", r.unknownText(s))
		section("Upgrade by logins", r.forecastText(s))
	}
	return b.String()
}

func (r *Report) summary() string {
	parts := []string{show.Count(r.Read) + " verified"}
	for _, one := range []struct {
		n    int64
		what string
	}{{r.Refused, "refused"}, {r.Locked, "without a password"}} {
		if one.n > 0 {
			parts = append(parts, show.Count(one.n)+" "+one.what)
		}
	}
	text := fmt.Sprintf("%s: %s.", counted(r.Lines-r.Blank, "entry", "entries"), show.Series(parts))
	switch {
	case r.Read == 0:
	case r.Upgrade == 0:
		text += " No login replaces a hash by one of " + r.Policy + "."
	default:
		text += fmt.Sprintf(" A login replaces %s by one of %s.", show.Count(r.Upgrade), r.Policy)
	}
	return text
}

func counted(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return show.Count(n) + " " + more
}

func (r *Report) kindsText(s show.Style) string {
	if len(r.Kinds) == 0 {
		return ""
	}
	t := show.Table{Head: []string{show.Indent + "hash", "users", "share", "ms", "memory", "form"}, Last: true}
	forms, memories := false, false
	for i, k := range r.Kinds {
		if i == mostRows {
			break
		}
		forms = forms || k.Form+k.PreHash != ""
		memories = memories || k.Memory > 0
		t.Rows = append(t.Rows, []string{
			show.Indent + k.Name, show.Count(k.Count), percent(float64(k.Count) / float64(r.Read)), r.ms(k), memory(k.Memory), formText(k),
		})
	}
	if !forms {
		t = t.Without(len(t.Head) - 1)
		t.Last = false
	}
	if !memories {
		t = t.Without(4)
	}
	text := narrow(t, s)
	if more := len(r.Kinds) - mostRows; more > 0 {
		var users int64
		for _, k := range r.Kinds[mostRows:] {
			users += k.Count
		}
		text += show.Paragraph(fmt.Sprintf("and %s with %s; JSON has them all.", counted(int64(more), "kind", "kinds"), counted(users, "user", "users")),
			s.Width, show.Indent, show.Indent)
	}
	return text + s.Items(r.timesNote())
}

// narrow lays the table out, or a name and its figures below each other where the screen is too narrow.
func narrow(t show.Table, s show.Style) string {
	fit := t.Fit(s.Width, "memory", "share")
	text := fit.String("")
	for line := range strings.Lines(text) {
		if len([]rune(line)) > s.Width+1 {
			return stacked(t, s)
		}
	}
	return text
}

func stacked(t show.Table, s show.Style) string {
	var b strings.Builder
	for _, row := range t.Rows {
		b.WriteString(strings.TrimRight(row[0], " ") + "\n")
		var figures []string
		for i, cell := range row[1:] {
			if cell = strings.TrimSpace(cell); cell == "" {
				continue
			}
			switch head := t.Head[i+1]; {
			case head == "users" && cell == "1":
				cell = "1 user"
			case head == "users", head == "ms":
				cell += " " + head
			}
			figures = append(figures, cell)
		}
		b.WriteString(show.Paragraph(strings.Join(figures, ", "), s.Width, show.Indent+show.Indent, show.Indent+show.Indent))
	}
	return b.String()
}

// timesNote says what the times are.
func (r *Report) timesNote() string {
	switch {
	case !r.Measured:
		return "Times are estimates for a core that computes a bcrypt of cost 10 in 54 ms."
	case r.allMeasured():
		return "Times were measured, on one core of this machine."
	}
	return "Times were measured, on one core of this machine; those with ~ are estimates from the others."
}

func (r *Report) allMeasured() bool {
	for _, k := range r.Kinds {
		if !k.Measured {
			return false
		}
	}
	return true
}

func (r *Report) ms(k Kind) string {
	if r.Measured && !k.Measured {
		return "~" + show.MS(k.MS)
	}
	return show.MS(k.MS)
}

func memory(n int64) string {
	if n == 0 {
		return ""
	}
	return show.Size(float64(n))
}

// formText names what the kind's name does not.
func formText(k Kind) string {
	switch {
	case k.PreHash != "" && k.Form != "" && !strings.Contains(k.PreHash, k.Form):
		return k.Form + ", " + k.PreHash
	case k.PreHash != "" && k.Form != "":
		return k.Form + ", prehashed"
	}
	return k.Form + k.PreHash
}

// percent keeps what is little from being none, and what is almost all from being all.
func percent(share float64) string {
	switch p := 100 * share; {
	case p > 0 && p < 0.1:
		return "<0.1 %"
	case p < 100 && p >= 99.95:
		return ">99.9 %"
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

func (r *Report) refusalsText(s show.Style) (text string) {
	for i, one := range r.Refusals {
		if i == mostRows {
			return text + s.Items(fmt.Sprintf("and for %d other reasons; JSON has them all.", len(r.Refusals)-mostRows))
		}
		lines := make([]string, len(one.Lines))
		for i, n := range one.Lines {
			lines[i] = fmt.Sprint(n)
		}
		where := "line " + lines[0]
		if one.Count > 1 {
			where = "lines " + strings.Join(lines, ", ")
		}
		if one.Count > int64(len(lines)) {
			where += " and others"
		}
		text += s.Items(fmt.Sprintf("%s: %s (%s)", show.Count(one.Count), one.Reason, where))
	}
	return text
}

// weakSentence says what can be done at once, and how long that takes.
func (r *Report) weakSentence() string {
	text := fmt.Sprintf("wrap makes %s safe at once, without a login", counted(r.Weak, "weak hash", "weak hashes"))
	if strings.HasPrefix(r.Policy, password.Argon2id.String()+",") {
		return fmt.Sprintf("%s, in %s core-s by this policy.", text, coreSeconds(float64(r.Weak)*r.Login.Then/1000))
	}
	return text + ": an argon2id for each."
}

func (r *Report) loginSentences() []string {
	now := fmt.Sprintf("A login takes %s ms now, in the mean of all users", show.MS(r.Login.Now))
	if r.Login.Memory > 0 {
		now += fmt.Sprintf(", and at most %s", show.Size(float64(r.Login.Memory)))
	}
	sentences := []string{now + "."}
	if r.Login.Memory > leastMemory {
		sentences = append(sentences, "A pool whose Options.Memory is less refuses such a hash.")
	}
	if r.Upgrade == 0 {
		return sentences
	}
	return append(sentences, fmt.Sprintf("The one that replaces a hash takes %s ms in all, and each after it %s ms.",
		show.MS(r.Login.First), show.MS(r.Login.Then)))
}

// leastMemory is what a pool has by default, whatever its policy.
const leastMemory = 256 << 20

func (r *Report) unknownText(s show.Style) string {
	if len(r.Unknown.Stored)+len(r.Unknown.Samples) == 0 {
		text := fmt.Sprintf("They take %s ms, a hash of the policy", show.MS(r.Unknown.MS))
		if !r.someStandOut() {
			text += ": nobody stands out"
		}
		return s.Items(append([]string{text + "."}, r.apartSentences()...)...)
	}
	nobody := "Nobody"
	if r.someStandOut() {
		nobody = "Nobody but the users named last"
	}
	text := s.Items(fmt.Sprintf("%s stands out if each takes the policy's hash and all of these, together %s ms:", nobody, show.MS(r.Unknown.MS)))
	t := show.Table{Head: []string{show.Indent + "Options.Stored", "users", "ms"}}
	for _, list := range []struct {
		head  string
		works []Work
	}{{"Options.Stored", r.Unknown.Stored}, {"Options.Samples", r.Unknown.Samples}} {
		if len(list.works) == 0 {
			continue
		}
		t.Head[0], t.Rows = show.Indent+list.head, nil
		for i, w := range list.works {
			if i == mostRows {
				break
			}
			t.Rows = append(t.Rows, []string{show.Indent + w.Name, show.Count(w.Count), show.MS(w.MS)})
		}
		if t.Width() > s.Width {
			text += t.Head[0] + "\n" + stacked(t, s)
		} else {
			text += t.String("")
		}
		if more := len(list.works) - mostRows; more > 0 {
			text += s.Items(fmt.Sprintf("and %d more; JSON has them all.", more))
		}
	}
	if len(r.Unknown.Samples) > 0 {
		text += s.Items("A sample is one string of that form and cost, best of a password that nobody has: change letters in the middle of a sum.")
	}
	text += s.Items("fountd's settings for these are stored and sample.",
		fmt.Sprintf("A login then takes the policy's hash and those up to its own: %s ms now, in the mean of all users.", show.MS(r.Login.Equal)),
		fmt.Sprintf("A call whose deadline leaves less than all those %s ms is refused, also with the right password: leave out what is slow and rare.", show.MS(r.Unknown.MS)))
	return text + s.Items(r.apartSentences()...)
}

// someStandOut reports whether some do whatever the pool's options are.
func (r *Report) someStandOut() bool {
	return len(r.Unknown.Refused) > 0 || r.Unknown.Apart > 0 || r.Refused > 0
}

// apartSentences say who stands out all the same, and whose answer is an error, which comes before any hash.
func (r *Report) apartSentences() (sentences []string) {
	if refused := r.Unknown.Refused; len(refused) > 0 {
		users, which := int64(0), refused[0].Name
		for _, w := range refused {
			users += w.Count
		}
		if more := len(refused) - 1; more > 0 {
			which += fmt.Sprintf(" and %d more", more)
		}
		sentences = append(sentences, standOut(users, which)+": a pool refuses such a sample, as it takes too long with a long password, or with the other samples.")
	}
	if r.Unknown.Apart > 0 {
		sentences = append(sentences, standOut(r.Unknown.Apart, "costs too many to list")+".")
	}
	if r.Locked > 0 {
		sentences = append(sentences, fmt.Sprintf("Set Policy.Markers (fountd: markers) for %s without a password, or each login there is an error at once.",
			counted(r.Locked, "user", "users")))
	}
	if r.Refused > 0 {
		sentences = append(sentences, fmt.Sprintf("%s refused: each login there is an error at once, and so stands out.", are(r.Refused)))
	}
	return sentences
}

func standOut(users int64, of string) string {
	if users == 1 {
		return "1 user of " + of + " stands out"
	}
	return show.Count(users) + " users of " + of + " stand out"
}

func are(n int64) string {
	if n == 1 {
		return "1 is"
	}
	return show.Count(n) + " are"
}

func (r *Report) forecastText(s show.Style) string {
	f := r.Forecast
	switch {
	case r.Upgrade == 0:
		return ""
	case f == nil:
		return s.Items("With a rate of logins, such as 5000/day, this says how long it takes.")
	}
	t := show.Table{Head: []string{show.Indent + "after", "upgraded", "left", "if all alike"}}
	for _, d := range f.Days {
		t.Rows = append(t.Rows, []string{show.Indent + days(float64(d.Day)), percent(d.Upgraded), show.Count(d.Left), percent(d.Alike)})
	}
	logins := show.PerSecond(f.Logins) + " logins"
	if logins == "1 logins" {
		logins = "1 login"
	}
	return t.Fit(s.Width, "if all alike").String("") + s.Items(
		fmt.Sprintf("Half are upgraded after %s, 90 %% after %s, 99 %% after %s.", days(f.Half), days(f.Most), days(f.Nearly)),
		fmt.Sprintf("Hashing takes at most %s core-s on the first day, and %s a day once all are upgraded.", coreSeconds(f.FirstDay), coreSeconds(f.Finally)),
		fmt.Sprintf("Premises: %s a day by %s, who sign in at rates of their own (gamma, shape %.1f: a quarter sign in less than a "+
			"tenth as often as the mean); nobody comes or goes; the first login upgrades.", logins, counted(r.Read, "user", "users"), f.Shape),
		"Most of those left are users who seldom come: do not wait for them.")
}

func coreSeconds(s float64) string {
	if s >= 9.5 {
		return show.Rate(s)
	}
	return show.Digits(s)
}

// days writes a time that long.
func days(d float64) string {
	switch {
	case d < 1:
		return "a day"
	case d < 99.5:
		n := int64(math.Round(d))
		return counted(n, "day", "days")
	case d < 360:
		return fmt.Sprintf("%.0f months", d/30.44)
	case d < 100*365:
		return counted(int64(math.Round(d/365.25)), "year", "years")
	}
	return "over 100 years"
}
