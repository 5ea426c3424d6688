// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// Two reports side by side: which figures, and what differs.

import (
	"fmt"
	"math"
	"slices"
	"time"

	"fount/internal/judge"
	"fount/lab/files"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/scale"
)

// A Comparison holds a report against an older one. Names of fields in JSON stay; fields may be added.
type Comparison struct {
	Old     Origin     `json:"old"`
	New     Origin     `json:"new"`
	Notes   []string   `json:"notes"` // what to know before the figures are read
	Figures []Compared `json:"figures"`
}

// An Origin is where a report comes from.
type Origin struct {
	Dir     string    `json:"dir"`
	Time    time.Time `json:"time"`
	Version string    `json:"version"` // of the program
	CPU     string    `json:"cpu"`
	System  string    `json:"system"`
}

// A Compared is a figure that both reports have. Each run of a measurement gives one value, the median of its rounds.
type Compared struct {
	Section string `json:"section"` // of the page
	Unit    string `json:"unit"`
	Name    string `json:"name"`
	Old     Side   `json:"old"`
	New     Side   `json:"new"`

	Change  *float64 `json:"change"` // -0.1: the new one is a tenth less; null: the old one is 0
	Low     *float64 `json:"change_low"`
	High    *float64 `json:"change_high"` // 95 % interval; null: too few values
	P       *float64 `json:"p"`           // of a Mann-Whitney U test; null: not tested
	Differs bool     `json:"differs"`     // p < 0.05

}

// A Side is a figure in one of the reports.
type Side struct {
	Median float64 `json:"median"`
	N      int     `json:"n"` // values; 0: the file has the median alone
}

// Compare compares the report in one directory with that in another, which may be of another machine.
func Compare(oldDir, newDir string) (*Comparison, error) {
	before, err := Read(oldDir)
	if err != nil {
		return nil, err
	}
	after, err := Read(newDir)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Old: before.origin(oldDir), New: after.origin(newDir), Notes: notes(before, after), Figures: []Compared{}}
	olds := map[[3]string]measured{}
	for _, m := range before.figures() {
		olds[m.key()] = m
	}
	for _, m := range after.figures() {
		if o, ok := olds[m.key()]; ok {
			c.Figures = append(c.Figures, compared(o, m))
		}
	}
	if len(before.Logins) > 0 && len(after.Logins) > 0 {
		c.Notes = append(c.Notes, "Logins at 4x are four times what the machine bore in the same report, so the rates asked for differ.")
	}
	if n := c.tested(); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Each of the %d tests stands alone: where nothing differs, one in 20 says that something does. "+
			"What was different for a whole report, such as other programs, is part of a difference.", n))
	}
	return c, nil
}

// tested is how many of the figures were tested.
func (c *Comparison) tested() (n int) {
	for _, f := range c.Figures {
		if f.P != nil {
			n++
		}
	}
	return n
}

func (r *Raw) origin(dir string) Origin {
	return Origin{dir, r.Made.Time, r.Made.Version, r.Doctor.Machine.CPU, system(r.Doctor.Machine)}
}

func system(m machine.Facts) string { return fmt.Sprintf("%s %s, %s", m.OS, m.Kernel, m.GoVersion) }

// notes say where the two can't be compared.
func notes(before, after *Raw) []string {
	list := []string{}
	a, b := before.Doctor.Machine, after.Doctor.Machine
	if a.CPU != b.CPU || a.Cores != b.Cores || a.Arch != b.Arch {
		list = append(list, fmt.Sprintf("The reports are of different machines: %s with %d cores, and %s with %d.", a.CPU, a.Cores, b.CPU, b.Cores))
	}
	if a.GOMAXPROCS != b.GOMAXPROCS {
		list = append(list, fmt.Sprintf("GOMAXPROCS was %d, and is %d.", a.GOMAXPROCS, b.GOMAXPROCS))
	}
	for _, side := range []struct {
		name string
		*Raw
	}{{"old", before}, {"new", after}} {
		for _, name := range names() {
			if why, missing := side.Missing[name]; missing {
				list = append(list, fmt.Sprintf("The %s report has no %s: %s.", side.name, name, why))
			}
		}
	}
	return list
}

// A measured is a figure of one report.
type measured struct {
	section, unit, name string

	median float64
	values []float64 // of independent runs; nil: not kept
}

func (m measured) key() [3]string { return [3]string{m.section, m.unit, m.name} }

// finite reports whether all of it can be written as JSON: a rate of 0 has no time.
func (m measured) finite() bool {
	return !slices.ContainsFunc(append([]float64{m.median}, m.values...), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// ofRuns is the figure that stands on the page, and the median of each run's rounds.
func ofRuns(section, unit, name string, figure float64, runs judge.Runs) measured {
	m := measured{section: section, unit: unit, name: name, median: figure}
	for _, r := range runs {
		m.values = append(m.values, measure.Of(r...).Median)
	}
	return m
}

// figures are those of the report that can be compared, in the order of the page.
func (r *Raw) figures() (list []measured) {
	defer func() { list = slices.DeleteFunc(list, func(m measured) bool { return !m.finite() }) }()
	add := func(m measured) { list = append(list, m) }
	d := r.Doctor.Randomness
	for _, m := range d.Methods {
		for _, of := range []struct {
			unit   string
			median float64
			rounds []float64
		}{
			{"ns of core time, one core draws", m.OneCoreNS, m.OneCore},
			{fmt.Sprintf("ns of core time, %d cores draw", d.Cores), m.AllCoresNS * float64(d.Cores), measure.Times(m.AllCores, float64(d.Cores))},
		} {
			if m.Error == "" {
				add(ofRuns(nonceTitle, of.unit, m.Name, of.median, judge.Split(of.rounds)))
			}
		}
	}
	if r.Nonce != nil {
		list = append(list, benchFigures(methodsTitle, r.Nonce.Tables)...)
	}
	if r.Source != nil {
		list = append(list, benchFigures(sourceTitle, r.Source.Tables)...)
	}
	list = append(list, r.scaleFigures()...)
	for _, l := range r.Logins {
		name := fmt.Sprintf("%s, %s", mechanismName(l.Config.Mechanism), times(l.Multiple))
		add(measured{loginsTitle, "logins a second in time", name, l.Goodput, []float64{l.Goodput}})
		if l.Heartbeat != nil && l.Heartbeat.P99 != nil {
			add(measured{loginsTitle, "ms that a tick is late, p99", name, *l.Heartbeat.P99, []float64{*l.Heartbeat.P99}})
		}
	}
	if r.Files != nil {
		for _, s := range r.Files.Sources {
			if s.Delay != nil {
				add(fileFigure(s))
			}
		}
	}
	return list
}

// benchFigures are those of tables of methods.
func benchFigures(title string, tables []measure.Table) (list []measured) {
	for _, t := range tables {
		for _, m := range t.Methods {
			if m.NS != nil && m.Name != nonce.Empty().Name {
				unit := fmt.Sprintf("ns, with GOMAXPROCS %d and goroutines %d", t.GOMAXPROCS, t.Goroutines)
				if c := t.Condition; c.Via != "" {
					unit += fmt.Sprintf(", by %s, call %s", c.Via, c.Call)
				}
				list = append(list, ofRuns(title, unit, m.Name, m.NS.Median, judge.Split(m.NS.Values)))
			}
		}
	}
	return list
}

// scaleFigures are those of scaling and of draws that take long. What was not judged is none.
func (r *Raw) scaleFigures() (list []measured) {
	if m := r.Scale; m != nil {
		perRun := max(1, m.Rounds/max(1, m.Runs))
		for _, s := range m.Series {
			if one := s.Point(1); s.Mode == scale.Threads && s.Error == "" && one != nil && one.Rate != nil {
				ns := make([]float64, len(one.Rate.Values))
				for i, v := range one.Rate.Values {
					ns[i] = 1e9 / v
				}
				list = append(list, ofRuns(scaleTitle, fmt.Sprintf("ns for %d bytes, one thread", s.Size), s.Method,
					1e9/one.Rate.Median, judge.Every(ns, perRun)))
			}
			if gain := m.Gain(s.Method, s.Size, s.Mode); gain != nil {
				unit := fmt.Sprintf("times one, %d %s, %d bytes", m.Cores, s.Mode, s.Size)
				list = append(list, ofRuns(scaleTitle, unit, s.Method, gain.Median, judge.Every(gain.Values, perRun)))
			}
		}
	}
	if m := r.Tail; m != nil {
		for _, t := range m.Methods {
			for _, stalls := range t.Stalls {
				if stalls.PerS != nil {
					unit := fmt.Sprintf("a second and core that take more than %v", time.Duration(stalls.AboveNS))
					list = append(list, ofRuns(tailTitle, unit, t.Name, stalls.PerS.Median, judge.Every(stalls.PerS.Values, 1)))
				}
			}
		}
	}
	return list
}

// fileFigure is the median wait at a source. Where processes gave up, it is a lower bound, and can't be tested.
func fileFigure(s files.Source) measured {
	var runs judge.Runs
	for _, r := range s.Runs {
		if len(r.DelaysMS) > 0 {
			runs = append(runs, r.DelaysMS)
		}
	}
	m := ofRuns(filesTitle, "ms to the first bytes", s.Name, s.Delay.Median.MS, runs)
	if s.Late > 0 {
		m.values = nil
	}
	return m
}
