// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// They are those of package files, as far as they are looked at.
type (
	drawn        struct{ Reads, Bytes int64 }
	opened       struct{ Opens, Reads, Bytes int64 }
	startsResult struct {
		Programs []struct {
			Command string
			Served  *drawn
			Iostats *opened
			Starts  []struct {
				Place    string
				RunsMS   []float64 `json:"runs_ms"`
				MedianMS float64   `json:"median_ms"`
				Failed   int
			}
		}
	}
)

// starts runs fount bench files.
func (m *machine) starts(flags string) (r startsResult) {
	m.Helper()
	text := m.must("fount bench files --json " + flags)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		m.Fatalf("%v\n%s", err, text)
	}
	return r
}

// programs are those that start.
func programs(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"fount": compile(t, "fount/cmd/fount"),
		"draw":  compile(t, "./draw"),
		"idle":  compile(t, "./idle"),
		"fails": []byte("#!/bin/rc\necho a reason >[1=2]\nexit failed\n"),
	}
}

// checkBench runs fount bench files with few processes, and holds the bytes that it says a process reads against what the program
// is known to read, and the processes that failed against those that do.
func (m *machine) checkBench() {
	m.Helper()
	before := m.must("ns")
	r := m.starts("--procs 2 --count 1 --program draw --program idle")
	want := map[string]opened{"draw": {Opens: 1, Reads: 1, Bytes: 32}, "idle": {}} // crypto/rand takes 32
	for _, p := range r.Programs {
		if len(p.Starts) != 3 {
			m.Errorf("%s was started at %d places, want device, union, bind: %+v", p.Command, len(p.Starts), p)
		}
		for _, s := range p.Starts {
			m.Logf("%s, %s: %v ms", p.Command, s.Place, s.RunsMS)
			if s.Failed > 0 || len(s.RunsMS) != 1 || s.RunsMS[0] <= 0 {
				m.Errorf("%s: %+v", p.Command, s)
			}
		}
		w := want[p.Command]
		if p.Served == nil || *p.Served != (drawn{w.Reads, w.Bytes}) {
			m.Errorf("%s: fount gave %v, want %v", p.Command, p.Served, w)
		}
		if p.Iostats == nil || *p.Iostats != w {
			m.Errorf("%s: iostats counted %v, want %v", p.Command, p.Iostats, w)
		}
	}
	if len(r.Programs) != len(want) {
		m.Errorf("%d programs, want %d", len(r.Programs), len(want))
	}
	// One after the other they would take 8 s of the machine's clock.
	if took := m.starts("--procs 8 --count 1 --bench bind --program 'sleep 1'").Programs[0].Starts[0].RunsMS[0]; took > 4000 {
		m.Errorf("8 processes that sleep for a second took %.0f ms: they did not start at once", took)
	}
	for _, program := range []string{"fails", "fails; idle"} {
		said, status := m.run("fount bench files --procs 3 --count 2 --bench bind --program '" + program + "'")
		why := regexp.MustCompile("6 processes of " + program + ` at bind ended with a status: .*fails \d+: failed; a reason`)
		if status == "" || !why.MatchString(said) {
			m.Errorf("programs that fail: status %q, want %s\n%s", status, why, said)
		}
	}
	// rc reads nothing of a loop that is no sentence, and would end at once, which is no time of the program.
	for _, bad := range []string{"idle # all", "''"} {
		said, status := m.run("fount bench files --procs 2 --count 1 --bench bind --program '" + bad + "'")
		if strings.Trim(status, "|") == "" || !strings.Contains(said, "rc does not take") {
			m.Errorf("--program '%s': status %q\n%s", bad, status, said)
		}
	}
	const these = "ps | grep ' (wc|fount)$' | sed 's/^[^ ]+ +([0-9]+) .*/\\1/'" // the recipe's server is among them
	others := m.must(these)
	for _, note := range []string{"interrupt", "hangup"} {
		m.must("fount bench files --procs 3 --count 1 --bench bind --program 'sleep 1000 | wc' >/dev/null &")
		m.must("bench=$apid; while(! ~ `{ps | grep ' wc$' | sed -n '$='} 3) sleep 1; status=''")
		m.must("echo " + note + " >/proc/$bench/notepg; for(i in 1 2 3 4 5 6 7 8 9 10) if(ps | grep ' wc$' >/dev/null) sleep 1; status=''")
		if left := m.must(these); left != others {
			m.Errorf("the bench was ended by %s, and processes live:\n%s", note, left)
		}
	}
	if after := m.must("ns"); after != before {
		m.Errorf("the name space has changed:\n%s\nto\n%s", before, after)
	}
	if got, _ := m.run("ls /srv"); strings.Contains(got, "fount-bench") {
		m.Errorf("the server's name is left: %s", got)
	}
}

// BenchmarkStarts is the experiment of golang/go#10028: programs that start at once, at the drained device and behind fount's
// files. All times are by the clock of a machine that executes so many million instructions a second: at the device they are
// the device's, behind fount the machine's.
func BenchmarkStarts(b *testing.B) {
	needLong(b)
	for _, run := range []struct {
		mips, procs int
		program     string
	}{
		{250, 16, "idle"},
		{250, 16, "draw"},
		{125, 16, "idle"},
		{125, 16, "draw"},
		{125, 16, "fount uuid"},
		{125, 16, "dd -if /dev/random -bs 128 -count 1 -of /dev/null"},
		{125, 64, "idle"},
		{125, 64, "draw"},
	} {
		name, _, _ := strings.Cut(run.program, " -")
		name = strings.ReplaceAll(name, " ", "_")
		b.Run(fmt.Sprintf("mips=%d/procs=%d/program=%s", run.mips, run.procs, name), func(b *testing.B) {
			m := bootAt(b, run.mips, programs(b))
			for b.Loop() {
				r := m.starts(fmt.Sprintf("--procs %d --program '%s'", run.procs, run.program))
				device := r.Programs[0].Starts[0].MedianMS
				for _, s := range r.Programs[0].Starts {
					b.Logf("%s: %.0f ms", s.Place, s.RunsMS)
					b.ReportMetric(s.MedianMS, s.Place+"-ms")
					b.ReportMetric(device/s.MedianMS, s.Place+"-x")
				}
				b.Logf("one process reads %+v", *r.Programs[0].Served)
			}
		})
	}
}
