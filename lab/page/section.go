// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// What the page shows of each command.

import (
	"fmt"
	"html/template"
	"math"
	"regexp"
	"strconv"
	"strings"

	"fount/lab/doctor"
	"fount/lab/logins"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/show/figure"
	"fount/lab/source"
)

// sections are in the order of the page. command is what a reader types for a study.
func (r *Raw) sections(command func(Study) string) (all []section, err error) {
	for _, of := range []struct {
		section
		fill func(*section) error
	}{
		{section{ID: nonceID, Title: nonceTitle, Command: command(Doctor)}, r.fillNonce},
		{section{ID: methodsID, Title: methodsTitle, Command: command(Nonce), Missing: r.Missing[nonceFile]}, r.fillMethods},
		{section{ID: sourceID, Title: sourceTitle, Command: command(Source), Missing: r.Missing[sourceFile]}, r.fillSource},
		{section{ID: scaleID, Title: scaleTitle, Command: command(Scale), Missing: r.Missing[scaleFile]}, r.fillScale},
		{section{ID: tailID, Title: tailTitle, Command: command(Tail), Missing: r.Missing[tailFile]}, r.fillTail},
		{section{ID: loginsID, Title: loginsTitle, Command: command(Logins)}, r.fillLogins},
		{section{ID: filesID, Title: filesTitle, Command: command(Files), Missing: r.Missing[filesFile]}, r.fillFiles},
		{section{ID: cloneID, Title: "Clones and forks", Command: command(Doctor)}, r.fillClones},
		{section{ID: machineID, Title: "This machine", Command: command(Doctor)}, r.fillMachine},
	} {
		s := of.section
		if s.Missing == "" {
			if err := of.fill(&s); err != nil {
				return nil, fmt.Errorf("section %s: %w", s.ID, err)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// draw adds plots. Package figure escapes what it is given.
func (s *section) draw(figures ...figure.Figure) error {
	for _, f := range figures {
		wide, err := f.SVG()
		if err != nil {
			return err
		}
		narrow, err := f.NarrowSVG()
		if err != nil {
			return err
		}
		s.Figures = append(s.Figures, plot{template.HTML(wide), template.HTML(narrow)})
	}
	return nil
}

// fillNonce shows what doctor measured of single nonces.
func (r *Raw) fillNonce(s *section) error {
	d := r.Doctor
	if len(d.Randomness.Methods) == 0 {
		s.Missing = "random values can't be had here"
		return nil
	}
	bars := figure.Bars{
		Title: "A 16-byte nonce", Unit: "ns of core time",
		Keys:    []figure.Key{{Name: "one core draws", Color: figure.Blue}},
		Caption: []string{fmt.Sprintf("Measured on this machine: medians of %d rounds in which all methods take turns.", d.Randomness.Rounds)},
	}
	many := d.Randomness.Cores > 1
	t := table{Caption: "ns of core time a nonce", Head: []string{"method", "one core", "to crypto/rand"}}
	if many {
		bars.Keys = append(bars.Keys, figure.Key{Name: fmt.Sprintf("all %d draw", d.Randomness.Cores), Color: figure.Orange})
		t.Head = append(t.Head, fmt.Sprintf("each of %d cores", d.Randomness.Cores))
	}
	t.Head = append(t.Head, "clones and secrecy")
	t.Words = len(t.Head) - 1
	base := d.Randomness.Method("crypto/rand")
	for _, m := range d.Randomness.Methods {
		own := strings.HasPrefix(m.Name, "fount")
		cells := []string{m.Name}
		if m.Error != "" {
			t.Rows = append(t.Rows, row{Cells: append(cells, padded(m.Error, len(t.Head)-1)...)})
			continue
		}
		each := m.AllCoresNS * float64(d.Randomness.Cores)
		values := []float64{m.OneCoreNS}
		cells = append(cells, show.NS(m.OneCoreNS), ratio(m.OneCoreNS, base))
		if many {
			values = append(values, each)
			cells = append(cells, show.NS(each))
		}
		bars.Rows = append(bars.Rows, figure.Row{Label: m.Name, Strong: own, Values: values, Text: show.NS(m.OneCoreNS)})
		t.Rows = append(t.Rows, row{append(cells, m.Weakness), own})
	}
	s.Tables = []table{t}
	return s.draw(bars)
}

// padded is text in the first of n cells.
func padded(text string, n int) []string {
	cells := make([]string, n)
	cells[0] = text
	return cells
}

func ratio(ns float64, base *doctor.Method) string {
	if base == nil {
		return ""
	}
	return show.Ratio(ns/base.OneCoreNS) + "x"
}

// fillMethods shows the seven methods of the post of 2016 under each condition. The post's figures stand beside those that were
// measured under its own, and beside no others.
func (r *Raw) fillMethods(s *section) error {
	if r.Nonce == nil || len(r.Nonce.Tables) == 0 {
		return nil
	}
	s.Text = []string{"The seven ways of the post \"Managing Syscall Overhead with crypto/rand\", and what draws without them, each table under conditions of " +
		"its own: ratios of one say nothing of another."}
	var plots []figure.Figure
	for _, measured := range lastOf(r.Nonce.Tables) {
		label := nonce.Label(measured.Condition, r.Doctor.Machine.Random)
		t := table{
			Caption: fmt.Sprintf("%s ns a nonce, of %d goroutines together", label, measured.Goroutines),
			Head:    []string{"method", "ns", "core ns", "p99", "to Baseline"},
		}
		then := nonce.IsPosts(measured.Condition)
		if then {
			t.Head = append(t.Head, "the post, 2016", "to its Baseline")
		}
		bars := figure.Bars{
			Title: "Seven ways to a nonce, and four more", Unit: "ns a nonce, of all goroutines together",
			Keys:    []figure.Key{{Name: "mean", Color: figure.Blue}},
			Caption: []string{fmt.Sprintf("Measured on this machine with %d goroutines.", measured.Goroutines), label},
		}
		for _, m := range measured.Methods {
			if m.NS == nil || m.Name == nonce.Empty().Name {
				continue
			}
			own := strings.HasPrefix(m.Name, "fount")
			cells := []string{m.Name, show.NS(m.NS.Median), median(m.CoreNS), median(m.P99NS), toBase(m, nonce.Baseline)}
			if then {
				cells = append(cells, thenCells(m.Name)...)
			}
			t.Rows = append(t.Rows, row{cells, own})
			bars.Rows = append(bars.Rows, figure.Row{Label: m.Name, Strong: own, Values: []float64{m.NS.Median}, Text: show.NS(m.NS.Median)})
		}
		s.Tables, plots = append(s.Tables, t), append(plots, bars)
		for i, sentence := range measured.Conclusion.Sentences {
			if i == 0 {
				sentence = label + " " + sentence
			}
			s.Notes = append(s.Notes, sentence)
		}
	}
	return s.draw(plots...)
}

// lastOf are the tables with the most cores: the last one of each condition.
func lastOf(tables []measure.Table) (last []measure.Table) {
	for i, t := range tables {
		if i+1 == len(tables) || tables[i+1].Condition != t.Condition {
			last = append(last, t)
		}
	}
	return last
}

// thenCells are the post's time of a method, and its ratio to Baseline's there.
func thenCells(method string) []string {
	then := nonce.PostThen(method)
	if then == 0 {
		return []string{"", ""}
	}
	return []string{show.NS(then), show.Ratio(then/nonce.PostThen(nonce.Baseline)) + "x"}
}

// toBase is the ratio to the method called base: none where they can't be told apart.
func toBase(m measure.Row, base string) string {
	switch {
	case m.Ratio == 0:
		return ""
	case !m.Differs && m.Name != base:
		return "no difference"
	}
	return show.Ratio(m.Ratio) + "x"
}

func median(s *measure.Sample) string {
	if s == nil {
		return ""
	}
	return s.String()
}

// fillSource shows the tale of two rands, with its figures beside.
func (r *Raw) fillSource(s *section) error {
	if r.Source == nil || len(r.Source.Tables) == 0 {
		return nil
	}
	last := r.Source.Tables[len(r.Source.Tables)-1]
	s.Text = []string{"An integer below 7919: the five cases of the post \"A Tale of Two rands\", and what there is today."}
	t := table{Caption: "ns an integer", Head: []string{"method", "ns", "to Global", "the post, 2017", "to its Global", "secrecy"}, Words: 5}
	global := 0.0
	for _, m := range last.Methods {
		if m.Name == source.Global {
			global = m.ThenNS
		}
	}
	for _, m := range last.Methods {
		if m.NS == nil {
			continue
		}
		cells := []string{m.Name, show.NS(m.NS.Median), "", "", "", m.Weakness}
		cells[2] = toBase(m, source.Global)
		if m.ThenNS > 0 && global > 0 {
			cells[3], cells[4] = show.NS(m.ThenNS), show.Ratio(m.ThenNS/global)+"x"
		}
		t.Rows = append(t.Rows, row{cells, strings.HasPrefix(m.Name, "fount")})
	}
	s.Tables = []table{t}
	s.Notes = last.Conclusion.Sentences
	return nil
}

// fillLogins shows what callers get when more ask than the machine bears.
func (r *Raw) fillLogins(s *section) error {
	if len(r.Logins) == 0 {
		s.Missing = "no run of it ended well"
		return nil
	}
	cost := r.Logins[0].Config.Cost
	s.Text = []string{fmt.Sprintf("Requests come when they come, whether the last one is answered or not (a Poisson process), and each wants its bcrypt of cost %d "+
		"within 1 s, counted from when it came. Each run took %.0f s.", cost, loginTime.Seconds())}
	asked := figure.Series{Name: "asked for", Look: figure.Look{Color: figure.Gray, Dashed: true, Plain: true}, Points: []figure.Point{{}}}
	answered := figure.Lines{
		Title:   "Logins answered within 1 s, as more are asked for",
		X:       figure.Axis{Label: "logins asked for a second"},
		Y:       figure.Axis{Label: "answered in time, a second"},
		Caption: []string{fmt.Sprintf("Measured on this machine: bcrypt of cost %d, %.0f s a run, one run each.", cost, loginTime.Seconds())},
	}
	late := figure.Lines{
		Title:   "What is left for the rest of the process",
		X:       answered.X,
		Y:       figure.Axis{Label: "a 1 ms tick comes late, p99, in ms", Log: true},
		Caption: answered.Caption,
	}
	t := table{
		Caption: "logins a second, and ms",
		Head:    []string{"mechanism", "asked for", "in time", "refused", "answered late or never", "one answer, p50", "tick late, p99"},
	}
	end := 0.0
	for i, m := range mechanisms {
		look := figure.Look{Color: []figure.Color{figure.Vermilion, figure.Purple, figure.BluishGreen}[i], Strong: m == logins.PoolLanes}
		good := figure.Series{Name: mechanismName(m), Look: look}
		tick := good
		for _, l := range r.Logins {
			if l.Config.Mechanism != m {
				continue
			}
			good.Points = append(good.Points, figure.Point{X: l.Offered, Y: l.Goodput})
			if l.Heartbeat != nil && l.Heartbeat.P99 != nil {
				tick.Points = append(tick.Points, figure.Point{X: l.Offered, Y: math.Max(*l.Heartbeat.P99, 0.01)})
			}
			end = math.Max(end, l.Offered)
			t.Rows = append(t.Rows, row{loginCells(l), m == logins.PoolLanes})
		}
		if len(good.Points) > 0 {
			answered.Series = append(answered.Series, good)
		}
		if len(tick.Points) > 0 {
			late.Series = append(late.Series, tick)
		}
	}
	asked.Points = append(asked.Points, figure.Point{X: end, Y: end})
	answered.Series = append(answered.Series, asked)
	s.Tables = []table{t}
	s.Notes = append(s.Notes, fmt.Sprintf("The post that this load is of: 90 goroutines at once did %d compares in 5 s on a Core 2 Duo, and two workers %d. "+
		"What is lost is time, not work: all compares go on at once, and each ends late.", bcryptPost.Unbounded, bcryptPost.Two))
	if p := r.Doctor.Passwords; p != nil {
		s.Notes = append(s.Notes, p.Sentences...)
	}
	if len(r.Logins) < 3*len(mechanisms) { // too few points for lines
		return nil
	}
	return s.draw(answered, late)
}

// mechanismName says what a mechanism does.
func mechanismName(m string) string {
	switch m {
	case logins.MaxOut:
		return "a goroutine each"
	case logins.Semaphore:
		return "a semaphore"
	case logins.PoolLanes:
		return "fount/password's Pool"
	}
	return m
}

func loginCells(l login) []string {
	ms := func(s *logins.Summary, of func(*logins.Summary) *float64) string {
		if s == nil || of(s) == nil {
			return ""
		}
		return show.NS(*of(s))
	}
	seconds := l.Seconds
	refused := "0"
	if seconds > 0 {
		refused = show.Rate(float64(l.Refused) / seconds)
	}
	rest := math.Max(0, l.Offered-l.Goodput-float64(l.Refused)/math.Max(seconds, 1e-9))
	return []string{
		mechanismName(l.Config.Mechanism), show.Rate(l.Offered), show.Rate(l.Goodput), refused, show.Rate(rest),
		ms(l.Latency, func(s *logins.Summary) *float64 { return s.P50 }),
		ms(l.Heartbeat, func(s *logins.Summary) *float64 { return s.P99 }),
	}
}

// fillClones shows what a clone can repeat, method by method.
func (r *Raw) fillClones(s *section) error {
	st := r.Doctor.Status
	s.Text = []string{fmt.Sprintf("Clones are told apart by: %s. In full: %s.", st.Mode, st.Why)}
	t := table{Caption: "what a second copy of the machine can draw again", Head: []string{"method", "what"}, Words: 1}
	seen := map[string]bool{}
	add := func(name, weakness string) {
		if !seen[name] && weakness != "" {
			seen[name] = true
			t.Rows = append(t.Rows, row{Cells: []string{name, inKiB(weakness)}})
		}
	}
	for _, m := range r.Doctor.Randomness.Methods {
		add(m.Name, m.Weakness)
	}
	if r.Nonce != nil && len(r.Nonce.Tables) > 0 {
		for _, m := range r.Nonce.Tables[0].Methods {
			if m.Name != nonce.Empty().Name {
				add(m.Name, m.Weakness)
			}
		}
	}
	if len(t.Rows) > 0 {
		s.Tables = []table{t}
	}
	s.Notes = []string{
		fmt.Sprintf("States of generators live in: %s; wiped in a forked child: %s; kept out of core dumps: %s; locked in memory: %s.",
			st.Memory.Place, yes(st.Memory.WipedOnFork), yes(st.Memory.NotDumped), yes(st.Memory.Locked)),
		"A clone that is taken between the last look at the mark and the use of a value can't be seen by anybody: docs/threat-model.md.",
	}
	return nil
}

var manyBytes = regexp.MustCompile(`\b[0-9]{4,} B\b`)

// inKiB writes the thousands of bytes in a text as KiB: 500 KiB for 512000 B.
func inKiB(text string) string {
	return manyBytes.ReplaceAllStringFunc(text, func(size string) string {
		n, err := strconv.ParseFloat(strings.TrimSuffix(size, " B"), 64)
		if err != nil {
			return size
		}
		return strconv.FormatFloat(n/1024, 'g', 3, 64) + " KiB"
	})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// fillMachine shows the findings.
func (r *Raw) fillMachine(s *section) error {
	t := table{Caption: "what the doctor found", Head: []string{"what", "level", "found", "which means"}, Words: 1}
	for _, f := range r.Doctor.Findings {
		t.Rows = append(t.Rows, row{Cells: []string{f.Name, fmt.Sprint(f.Level), f.Value, f.Means}})
	}
	s.Tables = []table{t}
	return nil
}
