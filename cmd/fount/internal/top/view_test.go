// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// evening is when the scenes below play.
var evening = time.Date(2026, 11, 22, 18, 4, 5, 0, time.UTC)

func of(x float64) *float64 { return &x }

// quiet is a frame of a process without a pool.
func quiet() Frame {
	return Frame{
		Time: evening, Address: "127.0.0.1:6060", Source: "expvar", Interval: 2,
		Random:  Random{Mode: "vmclock", Reseeds: 1234, Rate: of(12.1), CutOff: []string{}},
		Process: Process{GOMAXPROCS: 2, Goroutines: 34, LatenessP50: of(0.000061), LatenessP99: of(0.0041)},
		Pools:   []Pool{},
	}
}

// idle is a pool that nobody calls.
func idle(name string) Pool {
	calls := Calls{Demand: of(0), Goodput: of(0)}
	return Pool{
		Name: name, Calls: calls,
		Refused: Reasons{"deadline": 0, "queue": 0, "share": 0, "shed": 0, "off": 0, "closed": 0}, Dropped: Reasons{"late": 0, "evicted": 0},
		Expired: of(0), Canceled: of(0), Invalid: of(0), Workers: 2, Memory: 64 << 20, MaxWait: 0.3, Overload: of(0),
		Throttled: of(0), Steal: of(0.02), Pressure: of(0.05),
		Classes: map[string]Calls{"sign_in": calls, "change_password": calls, "rehash": calls},
	}
}

// over is a pool under three times what it can do.
func over(name string) Pool {
	p := idle(name)
	p.Calls = Calls{Demand: of(61.2), Goodput: of(20.1), Queued: 14, Running: 2, InFlight: 17,
		WaitP50: of(0.21), WaitP99: of(0.297), AnswerP50: of(0.25), AnswerP99: of(0.354)}
	p.Refused["deadline"], p.Refused["shed"], p.Dropped["late"], p.Canceled = 30.2, 10.7, 0.2, of(0.1)
	p.Busy, p.MemoryInUse, p.Backlog, p.Pressure = 2, 38<<20, 0.29, of(0.98)
	p.Overloaded, p.Overload, p.Overloads = true, of(12.4), 1
	p.Classes["sign_in"] = p.Calls
	return p
}

// hostile is text that a terminal would obey.
const hostile = "\x1b]0;owned\a\x1b[2J\u009b31m\u202e\u200b\r\nlogins\xff日本"

func scene(frames ...Frame) *View {
	v := new(View)
	for _, f := range frames {
		v.Add(f)
	}
	return v
}

func with(change func(*Frame), pools ...Pool) Frame {
	f := quiet()
	f.Pools = append(f.Pools, pools...)
	if change != nil {
		change(&f)
	}
	return f
}

// rise is an overload as it begins.
func rise() (frames []Frame) {
	for i := range 40 {
		p := over("logins")
		x := math.Min(float64(i)/20, 1)
		*p.Demand, *p.Goodput = 61.2*x, math.Min(61.2*x, 20.1)
		p.Refused["deadline"] = math.Max(0, *p.Demand-20.1-10.9)
		if i < 39 {
			p.Overload = of(0.5)
		}
		frames = append(frames, with(nil, p))
	}
	return frames
}

func scenes() map[string]*View {
	first := with(func(f *Frame) {
		f.Interval, f.Random.Rate, f.Process.LatenessP50, f.Process.LatenessP99 = 0, nil, nil, nil
	}, idle("logins"))
	p := &first.Pools[0]
	p.Demand, p.Goodput, p.Refused, p.Dropped, p.Expired, p.Canceled, p.Invalid = nil, nil, nil, nil, nil, nil, nil
	p.Throttled, p.Steal, p.Pressure, p.Classes = nil, nil, nil, map[string]Calls{"sign_in": {}, "change_password": {}, "rehash": {}}

	many := with(nil, over("logins"), idle(hostile))
	for i := range 30 {
		many.Pools = append(many.Pools, idle(fmt.Sprintf("tenant-%02d", i)))
	}
	chosen := scene(many)
	chosen.Choose(1)

	huge := with(nil, over("logins"))
	h := &huge.Pools[0]
	h.Demand, h.Goodput, h.Queued, h.MemoryInUse, h.WaitP99 = of(1e308), of(123456789), 1e18, math.MaxFloat64, of(1e300)

	return map[string]*View{
		"first": scene(first), "no-pool": scene(quiet()), "no-load": scene(with(nil, idle("logins"))),
		"overload":   scene(rise()...),
		"prometheus": scene(with(func(f *Frame) { f.Source, f.Process.GOMAXPROCS, f.Pools[0].Overload = "prometheus", 0, nil }, over("load"))),
		"pools":      chosen, "huge": scene(huge),
		"window":    scene(with(func(f *Frame) { f.Random.Mode, f.Random.Window = "window", 224 }, idle("logins"))),
		"restarted": scene(with(nil, over("logins")), with(func(f *Frame) { f.Restarted, f.Time = true, evening.Add(-4*time.Second) }, idle("logins"))),
		"gone": scene(with(nil, over("logins")), with(nil, over("logins")),
			Frame{Time: evening.Add(-7 * time.Second), Error: "connection refused"}, Frame{Time: evening, Error: "connection refused"}),
		"silent": scene(with(func(f *Frame) { f.Time = evening.Add(-9 * time.Second) }, idle("logins"))),
		"cut-off": scene(with(func(f *Frame) {
			f.Random.CutOff, f.Random.Mode, f.Address = []string{"jitter" + hostile}, hostile, "unix:/run/日本語.sock"
		}, idle(hostile))),
	}
}

var sizes = [][2]int{{80, 24}, {40, 12}, {200, 60}}

// unfit says what a terminal of that size can't show of lines.
func unfit(lines []Line, width, height int) string {
	if len(lines) > height {
		return fmt.Sprintf("%d lines", len(lines))
	}
	for _, line := range lines {
		text := line.String()
		if n := ansi.StringWidth(text); n > width {
			return fmt.Sprintf("%d columns: %q", n, text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			return fmt.Sprintf("%q is not printable", text)
		}
		if got := ansi.Strip(line.Colored()); strings.TrimRight(got, " ") != text {
			return fmt.Sprintf("in colour %q, else %q", got, text)
		}
	}
	return ""
}

// Plain lines hold no more than the lines that they are, whatever names are.
func TestPlainLines(t *testing.T) {
	for name, v := range scenes() {
		text := v.frame.Text()
		if n, want := strings.Count(text, "\n"), max(1, len(v.frame.Pools)); n != want {
			t.Errorf("%s: %d lines, want %d: %q", name, n, want, text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%s: %q is not printable", name, text)
		}
		object, err := v.frame.JSON()
		if err != nil || strings.Count(object, "\n") != 1 || strings.IndexFunc(strings.TrimSuffix(object, "\n"), func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			t.Errorf("%s: JSON %q, %v; want one printable line", name, object, err)
		}
	}
}
