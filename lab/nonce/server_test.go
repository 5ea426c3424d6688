// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the server that draws a nonce for each request, in this process.

package nonce

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/lab/measure"
)

// inProcess is a host whose servers are goroutines.
func inProcess() *host {
	return &host{start: func() (*guest, error) {
		questions, in := io.Pipe()
		out, answers := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			err := Serve(questions, answers)
			answers.CloseWithError(err)
			ended <- err
		}()
		return &guest{in: in, out: bufio.NewReader(out), wait: func() error { return <-ended }}, nil
	}}
}

// A study of the server gives figures for every method, with the server's CPU time and p99, and nothing fails.
func TestServerStudy(t *testing.T) {
	s := Post().InServer(inProcess().question())
	s.Via = ViaGo
	plans, hangUp, err := s.Plans(measure.Plan{Rounds: 2, Values: 300, Turn: time.Millisecond, Workers: []int{3}, Procs: []int{2}, CPU: func() time.Duration { panic("the client's") }})
	if err != nil {
		t.Fatal(err)
	}
	defer hangUp()
	var results [][]measure.Result
	for _, p := range plans {
		results = append(results, p.Run(s.Methods(), nil))
	}
	table := s.Tables(plans[0], results)[0]
	if len(table.Methods) != 9 {
		t.Fatalf("%d methods, want the seven, fount and none", len(table.Methods))
	}
	for _, m := range table.Methods {
		if m.Error != "" || m.NS == nil || m.P99NS == nil || m.Call != requestCall || m.ThenNS != 0 || (m.Via == own) != !IsOfPost(m.Name) {
			t.Errorf("%+v", m)
		}
		if measure.ProcessCPU != nil && m.CoreNS == nil {
			t.Errorf("%s has no CPU time of the server's", m.Name)
		}
	}
	if c := table.Condition; c.Name != "" || c.Call != requestCall {
		t.Errorf("condition %+v", c)
	}
}

// A server that repeats a nonce, or gives none, is found by its clients; the control may.
func TestClientsCheck(t *testing.T) {
	for _, test := range []struct {
		method  string
		control bool
		fails   bool
	}{{"Empty", true, false}, {"Empty", false, true}, {Baseline, false, false}} {
		h := inProcess()
		p := PostParameters()
		p.Via = ViaGo
		src, err := h.serve(p, []measure.Method{{Name: test.method, Control: test.control}})[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		c := src.Worker(0).(*client)
		first, second := c.request(), c.request()
		failed := first != nil || second != nil
		c.Close()
		src.Close()
		if failed != test.fails {
			t.Errorf("%s, control %v: failed %v, want %v", test.method, test.control, failed, test.fails)
		}
	}
}

// Each connection has a buffer of its own: the nonces on two of them come from different readings.
func TestServerBuffersAreTheConnections(t *testing.T) {
	var r register
	m := amortizedReads(Parameters{Via: r.via(), Buffer: 64})
	src := r.open(t, m)
	e := &exchange{src: src}
	var lines []*line
	for k := range 2 {
		lines = append(lines, &line{src: e.src, k: k})
	}
	var from []int
	for range 3 {
		for _, l := range lines {
			l.fill()
			opening, _ := origin(l.nonce[0])
			from = append(from, opening)
		}
	}
	if want := []int{2, 3, 2, 3, 2, 3}; !slices.Equal(from, want) {
		t.Errorf("nonces of the readings %v, want %v", from, want)
	}
}

// What the server is told wrongly is an error in words, to the process and to the measurement.
func TestServerRefuses(t *testing.T) {
	for task, want := range map[string]string{
		"junk\n": "a task: ", `{"method":"Chanel","via":"go","procs":1}` + "\n": `no method "Chanel"`, `{"method":"Baseline","via":"dice","procs":1}` + "\n": "no way to the kernel dice", "": "a task: ",
	} {
		if err := Serve(strings.NewReader(task), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", task, err, want)
		}
	}
	h := inProcess()
	p := PostParameters()
	p.Via = &Via{Name: "dice"}
	if _, err := h.serve(p, []measure.Method{{Name: Baseline}})[0].Open(); err == nil || !strings.Contains(err.Error(), "dice") {
		t.Errorf("a server that refuses: %v", err)
	}
}

func TestServerAnswer(t *testing.T) {
	figures := sevenOf(30000, 30100, 29900, 30000, 30000, 30000, 30000)
	none := made{method: Empty(), mean: 29950, p99: 60000}
	alike := Trial{Study: Study{Question: inProcess().question()}, Steady: rowsOf(append(slices.Clone(figures), none), 0.05), Cores: 2}
	got := strings.Join(alike.Conclude().Sentences, "\n")
	for _, want := range []string{"In the time of a request no two of the seven differ for sure: 29,900 to 30,100 ns (the inverse of throughput).", "In p99 no two of the seven differ for sure", "In the server's CPU time no two",
		"Baseline to a server that draws none: the time of a request 1.00x (0."} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	figures[1].mean, figures[1].p99 = 40000, 200000 // the control: a method that is slower
	slow := Trial{Study: Study{Question: inProcess().question()}, Steady: rowsOf(append(figures, none), 0.001), Cores: 2}
	got = strings.Join(slow.Conclude().Sentences, "\n")
	if !strings.Contains(got, "is better for sure than") || !strings.Contains(got, "Channel (40,000)") {
		t.Errorf("a method that is slower is not named:\n%s", got)
	}
	if got := strings.Join(Trial{Study: alike.Study}.Conclude().Sentences, ""); !strings.Contains(got, "nothing to conclude") {
		t.Errorf("without figures: %s", got)
	}
}
