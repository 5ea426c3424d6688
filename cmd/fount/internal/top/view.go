// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// A frame, and what led to it, as lines of a screen.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fount/lab/show"
)

// memory is how many frames a View remembers: the columns of a wide screen.
const memory = 256

// A View is what the screen shows. It is a value of what frames were added and which keys pressed: Lines has no other input.
type View struct {
	frame  Frame     // the last with figures
	gone   Frame     // the last without, since then
	since  time.Time // of the first without
	anew   time.Time // when counters last began anew
	places []place   // by pool, of as many frames as memory
	chosen string    // the pool whose figures are shown in full
}

// A place is the past of a pool; a NaN is a frame without figures.
type place struct {
	name                     string
	demand, goodput, refused []float64
}

// Add takes the next frame.
func (v *View) Add(f Frame) {
	if f.Error != "" {
		if v.since.IsZero() {
			v.since = f.Time
		}
		v.gone = f
		for i := range v.places {
			v.places[i].add(math.NaN(), math.NaN(), math.NaN())
		}
		return
	}
	if f.Restarted {
		v.anew = f.Time
	}
	v.frame, v.gone, v.since = f, Frame{}, time.Time{}
	var places []place
	for _, p := range f.Pools {
		was := place{name: p.Name}
		if i := slices.IndexFunc(v.places, func(o place) bool { return o.name == p.Name }); i >= 0 {
			was = v.places[i]
		}
		if f.Interval > 0 {
			was.add(*p.Demand, *p.Goodput, *p.turnedAway())
		}
		places = append(places, was)
	}
	v.places = places
}

func (p *place) add(demand, goodput, refused float64) {
	keep := func(past []float64, x float64) []float64 {
		past = append(past, x)
		return past[max(0, len(past)-memory):]
	}
	p.demand, p.goodput, p.refused = keep(p.demand, demand), keep(p.goodput, goodput), keep(p.refused, refused)
}

// turnedAway is the rate of refused and dropped calls.
func (p *Pool) turnedAway() *float64 {
	if p.Refused == nil {
		return nil
	}
	sum := *p.Refused.sum() + *p.Dropped.sum()
	return &sum
}

// Choose moves to the pool that is by places further, around the end.
func (v *View) Choose(by int) {
	if n := len(v.frame.Pools); n > 0 {
		v.chosen = v.frame.Pools[((v.index()+by)%n+n)%n].Name
	}
}

// index is the place of the chosen pool.
func (v *View) index() int {
	return max(0, slices.IndexFunc(v.frame.Pools, func(p Pool) bool { return p.Name == v.chosen }))
}

// A row is a line that is left out of a small screen; those of the highest rank go first.
type row struct {
	rank int
	Line
}

// Ranks.
const (
	must = iota
	should
	may
	blank
)

// A sheet is lines in the making.
type sheet struct {
	width int
	style show.Style
	rows  []row
}

// narrow reports whether there is no room for tables and remarks.
func (s *sheet) narrow() bool { return s.width < 60 }

func (s *sheet) add(rank int, spans ...Span) { s.rows = append(s.rows, row{rank, spans}) }

// Lines is the screen: at most height lines of at most width columns. now is the time that ages are counted to.
func (v *View) Lines(now time.Time, interval time.Duration, width, height int, style show.Style) []Line {
	s := &sheet{width: width, style: style}
	v.head(s, now, interval)
	v.state(s, now, interval)
	if n := len(v.frame.Pools); n > 1 {
		v.pools(s, height)
	}
	if len(v.frame.Pools) > 0 {
		p := &v.frame.Pools[v.index()]
		s.add(blank)
		v.rates(s, p)
		s.add(blank)
		s.times(p)
		s.means(p)
		s.add(blank)
		s.classes(p)
	}
	s.add(blank)
	s.heartbeat(&v.frame)
	s.random(&v.frame.Random)
	s.add(blank)
	s.add(may, Span{"  q quits; Tab: next pool", faint})
	return s.lines(height)
}

// lines leaves out what does not fit.
func (s *sheet) lines(height int) []Line {
	more := "~"
	if s.style.Unicode {
		more = "…"
	}
	for rank := blank; rank > must && len(s.rows) > height; rank-- {
		for i := len(s.rows) - 1; i >= 0 && len(s.rows) > height; i-- {
			if s.rows[i].rank == rank {
				s.rows = slices.Delete(s.rows, i, i+1)
			}
		}
	}
	var lines []Line
	for _, r := range s.rows[:max(0, min(len(s.rows), height))] {
		lines = append(lines, r.fit(s.width, more))
	}
	return lines
}

func (v *View) head(s *sheet, now time.Time, interval time.Duration) {
	name := "fount top  " + v.frame.Address
	about := fmt.Sprintf("%s, every %s  %s", v.frame.Source, interval, now.Format(time.TimeOnly))
	if s.narrow() {
		about = now.Format(time.TimeOnly)
	}
	room := s.width - len(about) - 2
	s.add(must, Span{left(name, max(0, room)) + "  ", title}, Span{about, faint})
}

// state says in a line each what is wrong, or that nothing is.
func (v *View) state(s *sheet, now time.Time, interval time.Duration) {
	fine := len(s.rows)
	late := now.Sub(v.frame.Time)
	switch {
	case v.gone.Error != "":
		s.add(must, Span{fmt.Sprintf("GONE for %s: %s; waiting", age(now, v.since), v.gone.Error), bad})
		s.add(must, Span{"  last seen at " + v.frame.Time.Format(time.TimeOnly) + ", as follows", faint})
		return
	case late > 2*interval+time.Second:
		s.add(must, Span{fmt.Sprintf("SILENT for %s; waiting", age(now, v.frame.Time)), bad})
	}
	if !v.anew.IsZero() && now.Sub(v.anew) < max(time.Minute, 3*interval) {
		s.add(must, Span{fmt.Sprintf("RESTARTED %s ago: counters began anew", age(now, v.anew)), warn})
	}
	for i := range v.frame.Pools {
		s.load(&v.frame.Pools[i], len(v.frame.Pools) > 1)
	}
	if r := v.frame.Random; r.Mode == "window" {
		s.add(should, Span{fmt.Sprintf("WINDOW: a clone of this machine repeats up to %.0f random bytes", r.Window), warn})
	}
	if cut := v.frame.Random.CutOff; len(cut) > 0 {
		s.add(must, Span{"CUT OFF: " + clean(strings.Join(cut, ", ")) + ", which failed its tests", bad})
	}
	if len(v.frame.Pools) == 0 {
		s.add(must, Span{"no pool: the process publishes random values only", plain})
	}
	if len(s.rows) == fine {
		s.add(must, Span{"ok", good})
	}
}

// load says that a pool has more calls than it answers.
func (s *sheet) load(p *Pool, several bool) {
	away := p.turnedAway()
	text, role := "", bad
	switch {
	case p.Overloaded:
		text = "OVERLOADED"
	case away != nil && *away > 0:
		text, role = "REFUSES", warn
	default:
		return
	}
	if several {
		text += " in " + clean(p.Name)
	}
	if p.Overloaded && p.Overload != nil {
		text += " for " + time.Duration(min(*p.Overload, 1e9)*1e9).Truncate(time.Second).String()
	}
	if away != nil {
		text += fmt.Sprintf(": %s of %s calls/s refused", perSecond(away), perSecond(p.Demand))
	}
	s.add(must, Span{text, role})
}

// age is how long ago t was, in whole seconds.
func age(now, t time.Time) string { return max(0, now.Sub(t)).Truncate(time.Second).String() }

// label is the first column of what follows.
func label(s string) Span { return Span{"  " + left(s, 9), faint} }

// pools lists the pools, those around the chosen one if there is no room for all.
func (v *View) pools(s *sheet, height int) {
	all := v.frame.Pools
	room := min(len(all), max(1, (height-8)/3))
	from := min(max(0, v.index()-room/2), len(all)-room)
	name := min(max(11, s.width-52), 40)
	head := "  " + left(fmt.Sprintf("pool %d of %d", v.index()+1, len(all)), name) + "  demand goodput refused"
	if !s.narrow() {
		head += "  wait p99  busy"
	}
	s.add(blank)
	s.add(should, Span{head, faint})
	for i, p := range all[from : from+room] {
		mark, role := "  ", plain
		if from+i == v.index() {
			mark, role = "> ", title
		}
		row := fmt.Sprintf(" %s %s %s", right(perSecond(p.Demand), 7), right(perSecond(p.Goodput), 7), right(perSecond(p.turnedAway()), 7))
		if !s.narrow() {
			row += fmt.Sprintf(" %s  %s", right(seconds(p.WaitP99), 9), busy(p))
		}
		s.add(should, Span{mark + left(clean(p.Name), name), role}, Span{row, plain})
	}
}

func busy(p Pool) string { return fmt.Sprintf("%s/%s", perSecond(&p.Busy), perSecond(&p.Workers)) }

// rates shows demand, goodput and what was turned away, now and before, on one scale.
func (v *View) rates(s *sheet, p *Pool) {
	past := place{}
	if i := slices.IndexFunc(v.places, func(o place) bool { return o.name == p.Name }); i >= 0 {
		past = v.places[i]
	}
	width := max(0, s.width-21)
	most := 0.0
	for _, series := range [][]float64{past.demand, past.goodput, past.refused} {
		for _, x := range series[max(0, len(series)-width):] {
			if x > most { // which no NaN is
				most = x
			}
		}
	}
	line := func(rank int, name string, rate *float64, series []float64, role Role) {
		s.add(rank, label(name), Span{right(perSecond(rate), 6) + "/s ", plain}, Span{s.spark(series, most, width), role})
	}
	away, role := p.turnedAway(), faint
	if away != nil && *away > 0 {
		role = warn
	}
	line(must, "demand", p.Demand, past.demand, plain)
	line(must, "goodput", p.Goodput, past.goodput, good)
	line(must, "refused", away, past.refused, role)
	s.reasons(p)
}

// reasons says why calls were turned away.
func (s *sheet) reasons(p *Pool) {
	line := Line{label("by reason")}
	for _, rates := range []Reasons{p.Refused, p.Dropped} {
		for _, reason := range slices.Sorted(maps.Keys(rates)) {
			rate := rates[reason]
			role := faint
			if rate > 0 {
				role = warn
			} else if s.width < 100 {
				continue
			}
			line = append(line, Span{fmt.Sprintf(" %s %s ", clean(reason), perSecond(&rate)), role})
		}
	}
	if len(line) == 1 {
		line = append(line, Span{" none", faint})
	}
	s.add(must, line...)
	rest := Line{label("also")}
	for _, other := range []struct {
		name string
		rate *float64
	}{{"expired", p.Expired}, {"canceled", p.Canceled}, {"invalid", p.Invalid}} {
		role := faint
		if other.rate != nil && *other.rate > 0 {
			role = warn
		}
		rest = append(rest, Span{fmt.Sprintf(" %s %s ", other.name, perSecond(other.rate)), role})
	}
	s.add(may, rest...)
}

// times says how long the answered calls took.
func (s *sheet) times(p *Pool) {
	pair := func(a, b *float64) string {
		return fmt.Sprintf("p50 %s  p99 %s", right(seconds(a), 7), right(seconds(b), 7))
	}
	s.add(must, label("wait"), Span{" " + pair(p.WaitP50, p.WaitP99), plain},
		Span{fmt.Sprintf("   at most %s, backlog %s", seconds(&p.MaxWait), seconds(&p.Backlog)), faint})
	s.add(should, label("answer"), Span{" " + pair(p.AnswerP50, p.AnswerP99), plain}, Span{"   of the answered calls, in all", faint})
}

// means are what the pool works with.
func (s *sheet) means(p *Pool) {
	workers := fmt.Sprintf("%s of %s busy", perSecond(&p.Busy), perSecond(&p.Workers))
	memory := fmt.Sprintf("%s of %s", size(p.MemoryInUse), size(p.Memory))
	queued := Span{fmt.Sprintf("  %s wait", perSecond(&p.Queued)), plain}
	if s.narrow() {
		s.add(must, label("workers"), Span{" " + workers, plain}, queued)
		s.add(should, label("memory"), Span{" " + memory, plain})
		return
	}
	bar := func(value, full float64) Span { return Span{left(s.style.Bar(value, full, 24), 24), plain} }
	s.add(must, label("workers"), Span{" " + left(workers, 24), plain}, bar(p.Busy, p.Workers), queued)
	s.add(should, label("memory"), Span{" " + left(memory, 24), plain}, bar(p.MemoryInUse, p.Memory))
	s.add(may, label("CPU"), Span{fmt.Sprintf(" pressure %s  throttled %s  steal %s", share(p.Pressure), share(p.Throttled), share(p.Steal)), plain},
		Span{"   seconds a second", faint})
}

// classes is a table.
func (s *sheet) classes(p *Pool) {
	name := 15
	if s.narrow() {
		return
	}
	s.add(may, Span{"  " + left("class", name) + "  demand goodput  wait p50  wait p99  queued running", faint})
	for _, class := range p.classNames() {
		c := p.Classes[class]
		s.add(may, Span{"  " + left(clean(class), name) + " ", plain}, Span{fmt.Sprintf("%s %s %s %s %s %s",
			right(perSecond(c.Demand), 7), right(perSecond(c.Goodput), 7), right(seconds(c.WaitP50), 9), right(seconds(c.WaitP99), 9),
			right(perSecond(&c.Queued), 7), right(perSecond(&c.Running), 7)), plain})
	}
}

// heartbeat is how late goroutines run.
func (s *sheet) heartbeat(f *Frame) {
	p := f.Process
	role := plain
	if p.LatenessP99 != nil && *p.LatenessP99 > 0.02 {
		role = warn
	}
	line := Line{label("heartbeat"), {fmt.Sprintf(" late p50 %s  p99 %s", seconds(p.LatenessP50), seconds(p.LatenessP99)), role}}
	if p.GOMAXPROCS > 0 {
		line = append(line, Span{fmt.Sprintf("   %s goroutines, GOMAXPROCS %s", perSecond(&p.Goroutines), perSecond(&p.GOMAXPROCS)), faint})
	}
	s.add(must, line...)
}

// random is how random values are made.
func (s *sheet) random(r *Random) {
	s.add(must, label("random"), Span{fmt.Sprintf(" %s  %s reseeds/s", clean(r.Mode), perSecond(r.Rate)), plain},
		Span{fmt.Sprintf("   %s reseeds, %s redone", perSecond(&r.Reseeds), perSecond(&r.Redone)), faint})
}

// spark draws the newest of series that fit, the last at the right end of the past. full is what fills a column.
func (s *sheet) spark(series []float64, full float64, width int) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if !s.style.Unicode {
		levels = []rune("_.-:=+*#")
	}
	var b strings.Builder
	for _, x := range series[max(0, len(series)-width):] {
		if math.IsNaN(x) {
			b.WriteByte(' ')
			continue
		}
		level := 0
		if full > 0 {
			level = int(math.Round(max(0, min(x/full, 1)) * float64(len(levels)-1)))
		}
		b.WriteRune(levels[level])
	}
	return b.String()
}
