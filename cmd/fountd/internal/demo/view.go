// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package demo

// Frames as text.

import (
	"fmt"
	"io"
	"math"
	"strings"

	"fount/cmd/fountd/internal/trial"
)

// head names the columns of plain lines.
const head = "  time   asked answered refused expired  answer p50, p99  refusal p50, p99  broker, workers\n"

// plain prints a line a frame.
type plain struct{ out io.Writer }

func (p plain) frame(f trial.Frame) error {
	states := string(f.Broker) + ","
	for _, w := range f.Workers {
		states += " " + string(w.State)
	}
	_, err := fmt.Fprintf(p.out, "%4.0f s %5s/s %6s/s %5s/s %5s/s %16s %17s  %s\n", f.At, figure(f.Asked), figure(f.Answered), figure(f.Refused),
		figure(f.Expired), pair(f.AnswerP50, f.AnswerP99), pair(f.RefusalP50, f.RefusalP99), states)
	return err
}

func (p plain) end(s summary) error { return s.print(p.out) }

// print says what became of the calls.
func (s summary) print(w io.Writer) error {
	unheard := s.Expired + s.Late
	_, err := fmt.Fprintf(w, `%d calls = %d answered + %d refused + %d expired + %d canceled by their callers
answers after %s ms (p50, p99), refusals after %s ms
`, s.Submitted, s.Answered, s.Refused, unheard, s.Canceled, pair(s.AnswerP50, s.AnswerP99), pair(s.RefusalP50, s.RefusalP99))
	for i, r := range s.Workers {
		if err == nil {
			_, err = fmt.Fprintf(w, "worker %d: %d requests, %d answered, %.1f s of a core\n", i+1, r.Received(), r.Answered, r.Time.Seconds())
		}
	}
	return err
}

// figure writes a number to three digits or so.
func figure(x float64) string {
	if x < 9.95 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
	}
	return fmt.Sprintf("%.0f", x)
}

// pair writes two times in ms, - where there is none.
func pair(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return figure(a) + ", " + figure(b)
}

// memory is how many frames a view remembers: the columns of a wide screen.
const memory = 256

// A view is what a terminal shows: a value of the frames added.
type view struct {
	title   string
	keys    bool // there are some
	unicode bool
	color   bool
	last    trial.Frame

	asked, answered, refused, expired []float64
}

func (v *view) add(f trial.Frame) {
	v.last = f
	for _, s := range []struct {
		series *[]float64
		value  float64
	}{{&v.asked, f.Asked}, {&v.answered, f.Answered}, {&v.refused, f.Refused}, {&v.expired, f.Expired}} {
		*s.series = append(*s.series, s.value)
		*s.series = (*s.series)[max(0, len(*s.series)-memory):]
	}
}

// ISO 6429.
const (
	bold, faint, red, green, yellow = "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[32m", "\x1b[33m"
	normal                          = "\x1b[m"
)

// narrow is the width below which figures are left out.
const narrow = 60

// lines are the screen: at most height lines of at most width columns.
func (v *view) lines(width, height int) []string {
	f := v.last
	s := &sheet{width: width, color: v.color}
	s.add(bold, "fountd demo  "+v.title)
	v.rates(s)
	s.add("", "  answered after "+pair(f.AnswerP50, f.AnswerP99)+" ms (p50, p99)")
	s.add("", "  refused after  "+pair(f.RefusalP50, f.RefusalP99)+" ms")
	s.add("", "")
	head := "  worker     cores  quota  answers   asked  waiting"
	if width < narrow {
		head = "  worker     cores  quota  answers"
	}
	s.add(faint, head)
	for _, w := range f.Workers {
		row := fmt.Sprintf("  %-9s %6.2f %6.2f %6s/s", w.Name+" "+string(w.State), w.Used, w.Quota, figure(w.Answered))
		if width >= narrow {
			row += fmt.Sprintf(" %5s/s %8d  %s", figure(w.Asked), w.InFlight, v.bar(w.Used/w.Quota, width-54))
		}
		s.add(ifDown(w.State), row)
	}
	s.add(ifDown(f.Broker), fmt.Sprintf("  %-11s %4.2f", "broker "+string(f.Broker), f.BrokerCores))
	s.add("", fmt.Sprintf("  %-11s %4.2f", "clients", f.ClientCores))
	if v.keys {
		s.add("", "")
		help := "  a digit kills or starts a worker, b the broker; q quits"
		if width < narrow {
			help = "  1-9: kill, start; b: broker; q: quit"
		}
		s.add(faint, help)
	}
	return s.lines[:min(len(s.lines), max(0, height))]
}

// rates shows what was asked and got, now and before, on one scale.
func (v *view) rates(s *sheet) {
	f := v.last
	bad := faint
	if f.Expired > 0 {
		bad = red
	}
	rows := []struct {
		name   string
		now    float64
		series []float64
		color  string
	}{{"asked", f.Asked, v.asked, ""}, {"answered", f.Answered, v.answered, green}, {"refused", f.Refused, v.refused, yellow}, {"expired", f.Expired, v.expired, bad}}
	room, most := max(0, s.width-21), 0.
	for _, r := range rows {
		for _, x := range r.series[max(0, len(r.series)-room):] {
			most = max(most, x)
		}
	}
	for _, r := range rows {
		s.add(r.color, fmt.Sprintf("  %-8s %6s/s %s", r.name, figure(r.now), v.spark(r.series, most, room)))
	}
}

func ifDown(s trial.State) string {
	if s != trial.Up {
		return red
	}
	return ""
}

// A sheet is lines in the making.
type sheet struct {
	width int
	color bool
	lines []string
}

// add cuts a line to the width and colours it.
func (s *sheet) add(color, text string) {
	if runes := []rune(text); len(runes) > s.width {
		text = string(runes[:max(0, s.width)])
	}
	text = strings.TrimRight(text, " ")
	if s.color && color != "" && text != "" {
		text = color + text + normal
	}
	s.lines = append(s.lines, text)
}

// spark draws the newest of a series that fit.
func (v *view) spark(series []float64, full float64, width int) string {
	levels := []rune("_.-:=+*#")
	if v.unicode {
		levels = []rune("▁▂▃▄▅▆▇█")
	}
	var b strings.Builder
	for _, x := range series[max(0, len(series)-width):] {
		i := 0
		if full > 0 {
			i = int(math.Round(max(0, min(x/full, 1)) * float64(len(levels)-1)))
		}
		b.WriteRune(levels[i])
	}
	return b.String()
}

// bar draws a part of a whole.
func (v *view) bar(part float64, width int) string {
	mark := "#"
	if v.unicode {
		mark = "█"
	}
	width = min(width, 24)
	if width < 1 {
		return ""
	}
	return strings.Repeat(mark, int(math.Round(max(0, min(part, 1))*float64(width))))
}
