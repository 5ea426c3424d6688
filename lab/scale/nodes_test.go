// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of threads by node: where they are, what they wait, and what the tables say. No figure of a machine is asserted.

package scale

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fount/internal/numa"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"
	"fount/lab/show/golden"
)

// interleaved is a machine whose CPUs' numbers say nothing of their nodes.
var interleaved = Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 4}}, {Node: 2, CPUs: []int{1, 3}}, {Node: 5, CPUs: []int{2}}}}

func TestPlacement(t *testing.T) {
	p := interleaved
	if got := p.threads(); !slices.Equal(got, []int{2, 4, 5}) {
		t.Errorf("threads %v", got)
	}
	if got := p.on(); !slices.Equal(got, []int{0, 0, 1, 1, 2}) {
		t.Errorf("nodes of the threads: %v", got)
	}
	want := []spot{{0, 0}, {4, 0}, {1, 2}, {3, 2}, {2, 5}}
	if got := p.spots(); !slices.Equal(got, want) {
		t.Errorf("%v, want all CPUs of a node before the next: %v", got, want)
	}
	if got := fmt.Sprint(first(p.Nodes, 3)); got != "[{0 [0 4]} {2 [1]}]" {
		t.Errorf("three CPUs: %v", got)
	}
	m := p.measurement(Options{Nodes: 7, Modes: []string{Processes}})
	if !slices.Equal(m.counts, []int{1, 2, 4, 5}) || !slices.Equal(m.cpus, []int{0, 4, 1, 3, 2}) || m.nodes() != 3 {
		t.Errorf("threads %v on CPUs %v of %d nodes", m.counts, m.cpus, m.nodes())
	}
	single := Placement{"sysfs", []numa.Place{{CPUs: []int{0}}, {Node: 1, CPUs: []int{1}}}}
	if m := single.measurement(Options{}); !slices.Equal(m.counts, []int{1, 2}) {
		t.Errorf("nodes of one CPU: %v threads", m.counts)
	}
}

// A twin that ignores the nodes and takes the CPUs by number is found out by the threads themselves, as soon as one is on
// another node than its row says.
func TestSpotsCatchATwinWithoutNodes(t *testing.T) {
	real := map[int]int{}
	for _, s := range interleaved.spots() {
		real[s.cpu] = s.node
	}
	wrong := func(p Placement) (n int) {
		for _, s := range p.spots() {
			if s.check(s.cpu, real[s.cpu]) != nil {
				n++
			}
		}
		return n
	}
	twin := Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 1}}, {Node: 2, CPUs: []int{2, 3}}, {Node: 5, CPUs: []int{4}}}}
	if got := wrong(twin); got != 3 {
		t.Errorf("%d threads of the twin are found on other nodes, want those on CPUs 1, 2 and 4", got)
	}
	if got := wrong(interleaved); got != 0 {
		t.Errorf("%d threads are said to be on other nodes", got)
	}
	for _, here := range []spot{{-1, -1}, {3, -1}, {3, 2}} { // what can't be known is no error
		if err := (spot{3, 2}).check(here.cpu, here.node); err != nil {
			t.Errorf("%+v: %v", here, err)
		}
	}
	if err := (spot{3, -1}).check(4, 0); err == nil {
		t.Error("a thread on another CPU was not found")
	}
}

// A turn whose thread is elsewhere ends the measurement: there is no row that says otherwise.
func TestMisplacedEndsTheMeasurement(t *testing.T) {
	if cpu, _ := numa.Here(); cpu < 0 {
		t.Skip("this system does not say where a thread is")
	}
	here := allowed()[0]
	p := Placement{"sysfs", []numa.Place{{Node: 1023, CPUs: []int{here}}}} // no machine of a test has that node
	m := p.measurement(brief(new(counting).method("x")))
	if err := m.start(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer m.close()
	err := m.rounds(context.Background(), 0)
	if !errors.As(err, new(*misplaced)) || !strings.Contains(err.Error(), "node 1023 by sysfs") {
		t.Errorf("%v, want the node that the thread is not on", err)
	}
}

func TestRunByNode(t *testing.T) {
	t.Setenv(numa.Variable, "2")
	c := new(counting)
	broken := measure.Method{Name: "broken", Open: func() (measure.Source, error) { return nil, errors.New("/home/alice is gone") }}
	r, err := RunByNode(context.Background(), brief(c.method("x"), broken), "v1")
	if err != nil {
		t.Fatal(err)
	}
	want := min(2, len(r.Placement.spots()))
	if len(r.Rows) != want || len(r.Placement.Nodes) != want || r.Placement.Source != "synthetic" {
		t.Fatalf("%d rows on %+v", len(r.Rows), r.Placement)
	}
	for i, row := range r.Rows {
		if row.Method != "x" || row.Nodes != i+1 || row.Rate.Median <= 0 || row.Speedup == nil || len(row.rates) != 4 {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	if r.Rows[0].Speedup.Median != 1 {
		t.Errorf("one node to itself is %v", r.Rows[0].Speedup.Median)
	}
	text := r.Text(show.Style{Width: 80})
	for _, part := range []string{"synthetic", "broken was not measured: /home/alice is gone."} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	var file bytes.Buffer
	if err := r.Submit(&file); err != nil || strings.Contains(file.String(), "alice") {
		t.Errorf("%v: an error of this machine is in the file:\n%s", err, file.String())
	}
	var lines bytes.Buffer
	if err := r.Write(&lines); err != nil || strings.Count(lines.String(), "\nBenchmarkNodes/method=x/size=16/nodes=") != 4*want {
		t.Errorf("%v:\n%s", err, lines.String())
	}
}

// The accounting is exact where it is known what happened.
func TestWaiting(t *testing.T) {
	at := time.Now()
	from := accounts{at: at, cpu: 5, queued: 7, sleeps: 1}
	to := accounts{at: at.Add(100), cpu: 35, queued: 17, sleeps: 2}
	if got := slept(from, to); got != 60 {
		t.Errorf("slept %d of 100 ns, of which it ran 30 and was ready 10; want 60", got)
	}
	to.sleeps = 1
	if got := slept(from, to); got != 0 {
		t.Errorf("a thread that never gave its CPU up slept %d ns", got)
	}
	to.sleeps, to.cpu = 2, 200
	if got := slept(from, to); got != 0 {
		t.Errorf("slept %d ns", got)
	}
	alone := run{values: 10, cpu: 100} // 10 ns each
	for _, c := range []struct {
		run
		waiting, asleep float64
	}{
		{run{values: 20, cpu: 200}, 0, 0},                 // two threads that do not wait
		{run{values: 10, cpu: 200}, 0.5, 0},               // two that spin half of their time
		{run{values: 10, cpu: 100, slept: 100}, 0.5, 0.5}, // or sleep half of it
		{run{values: 4, cpu: 80, slept: 120}, 0.8, 0.6},
		{run{values: 30, cpu: 200}, -0.5, 0},
	} {
		if got := []float64{c.run.waiting(alone), c.run.asleep()}; !near(got, []float64{c.waiting, c.asleep}) {
			t.Errorf("%+v: waiting %v, asleep %v; want %v, %v", c.run, got[0], got[1], c.waiting, c.asleep)
		}
	}
}

func sampleNodes() NodeResult {
	p := Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 1}}, {Node: 1, CPUs: []int{2, 3}}}}
	r := NodeResult{
		Format: nodeFormat, Version: nodeVersion, Label: Label, Fount: "v1.2.3", Placement: p, Pinned: true, Rounds: 8, Runs: 4,
		TurnNS: 8e6, Machine: Site{CPU: "A CPU", Arch: "amd64", OS: "Linux", Kernel: "6.12", Hypervisor: "KVM", Go: "go1.26", CPUs: 4, GOMAXPROCS: 4},
	}
	at := func(x float64) *Figure {
		low, high := x*0.98, x*1.02
		return &Figure{x, &low, &high}
	}
	for k, name := range []string{Arithmetic, "getrandom, vDSO", "getrandom(2)", "/dev/urandom", "one mutex", "mutex per node", "fount"} {
		for nodes, threads := range []int{1, 2, 4} {
			gain := []float64{0, 1, 2}[nodes]
			row := NodeRow{Method: name, Size: 16, Nodes: nodes, Threads: threads, Rate: at(float64(k+1) * 1e6 * float64(threads)),
				Speedup: at(gain), Asleep: at(float64(k) / 20), Share: &Figure{Median: 0.99}, Waiting: at(float64(k*nodes) / 40)}
			if nodes == 0 {
				row.Speedup = nil
			}
			if name == "fount" {
				row.Asleep, row.Waiting = nil, nil
			}
			r.Rows = append(r.Rows, row)
		}
	}
	return r
}

func submitted(t testing.TB, r NodeResult) []byte {
	var b bytes.Buffer
	if err := r.Submit(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNodeText(t *testing.T) {
	r := sampleNodes()
	other, err := ReadNodes(bytes.NewReader(submitted(t, r)), "there.json")
	if err != nil {
		t.Fatal(err)
	}
	other.Placement.Nodes, other.TurnNS = other.Placement.Nodes[:1], 1e6
	other.Rows = slices.DeleteFunc(other.Rows, func(row NodeRow) bool { return row.Nodes > 1 || row.Method == "fount" })
	for _, width := range []int{60, 80, 100} {
		s := show.Style{Width: width}
		golden.Check(t, fmt.Sprintf("testdata/nodes_%d", width), r.Text(s))
		golden.Check(t, fmt.Sprintf("testdata/nodes_beside_%d", width), r.Beside(other, "here", "there", s))
		checkText(t, fmt.Sprintf("nodes_%d", width), r.Text(s), s)
		checkText(t, fmt.Sprintf("nodes_beside_%d", width), strings.TrimPrefix(r.Beside(other, "here", "there", s), "here: "), s)
	}
}

// With other programs on the CPUs, no speed-up is printed.
func TestNodesBusy(t *testing.T) {
	r := sampleNodes()
	for i := range r.Rows {
		r.Rows[i].Share = &Figure{Median: 0.8}
	}
	text := r.Text(show.Style{Width: 80})
	if !strings.Contains(text, "80% of their time was left") && !strings.Contains(text, "80% of\n") {
		t.Errorf("not said:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "    to 1 node") && strings.ContainsAny(line[13:], "0123456789") {
			t.Errorf("a speed-up: %s", line)
		}
	}
}

// What is submitted comes back, and shows the same.
func TestSubmission(t *testing.T) {
	r := sampleNodes()
	text := submitted(t, r)
	again, err := ReadNodes(bytes.NewReader(text), "a\x1b[31m.json")
	if err != nil {
		t.Fatal(err)
	}
	s := show.Style{Width: 80}
	_, want, _ := strings.Cut(r.Text(s), "\n\n")
	if _, got, _ := strings.Cut(again.Text(s), "\n\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if title := again.title(); !strings.HasPrefix(title, `Measured elsewhere, "a\x1b[31m.json": A CPU`) {
		t.Errorf("%q", title)
	}
	if !bytes.Equal(submitted(t, again), text) {
		t.Error("it is not the same file again")
	}
}

// A file tells no more of a machine than this: a field that is added is to be looked at.
func TestSubmissionTellsNoHost(t *testing.T) {
	var keys []string
	var walk func(string, any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, v := range v {
				walk(at+"."+k, v)
			}
		case []any:
			for _, v := range v {
				walk(at, v)
			}
		default:
			if !slices.Contains(keys, at) {
				keys = append(keys, at)
			}
		}
	}
	var v any
	if err := json.Unmarshal(submitted(t, sampleNodes()), &v); err != nil {
		t.Fatal(err)
	}
	walk("", v)
	slices.Sort(keys)
	want := ".fount .format .label .machine.arch .machine.cpu .machine.cpu_limit .machine.cpus .machine.go .machine.gomaxprocs " +
		".machine.hypervisor .machine.kernel .machine.os .pinned .placement.nodes.cpus .placement.nodes.node .placement.source " +
		".rounds .rows.asleep.high .rows.asleep.low .rows.asleep.median .rows.core_share.median .rows.method .rows.nodes " +
		".rows.size_bytes .rows.threads .rows.to_one_node.high .rows.to_one_node.low .rows.to_one_node.median " +
		".rows.values_per_s.high .rows.values_per_s.low .rows.values_per_s.median .rows.waiting_at_most.high " +
		".rows.waiting_at_most.low .rows.waiting_at_most.median .runs .turn_ns .version .work_ns"
	got := strings.Fields(want)
	slices.Sort(got)
	if !slices.Equal(keys, got) {
		t.Errorf("fields %v, want %v", keys, got)
	}
	for release, want := range map[string]string{"6.12.43+deb13-amd64": "6.12.43", "6.1.0-alice-laptop": "6.1.0", "alice": "", "5.": "5", "14.1-RELEASE": "14.1"} {
		if got := newSite(machine.Facts{Kernel: release}).Kernel; got != want {
			t.Errorf("kernel %q is told as %q, want %q", release, got, want)
		}
	}
}

// hostile are changes to a submission that no measurement makes.
var hostile = [][2]string{
	{`"median": 1000000`, `"median": 1e308`}, {`"median": 1000000`, `"median": -1`}, {`"median": 1000000`, `"median": NaN`},
	{`"median": 1000000`, `"median": 1e999`}, {`"median": 1000000`, `"median": null`}, {`"low": 980000`, `"low": 1e7`},
	{`"low": 980000`, `"low": null`}, {`"cpu": "A CPU"`, `"cpu": "A\u001b[31mCPU"`}, {`"cpu": "A CPU"`, `"cpu": "A\u202eCPU"`},
	{`"cpu": "A CPU"`, `"cpu": "` + strings.Repeat("x", 101) + `"`}, {`"fount": "v1.2.3"`, `"fount": "v1\n"`},
	{`"method": "one mutex"`, `"method": "one\u0007mutex"`}, {`"method": "one mutex"`, `"method": ""`}, {`"method": "one mutex"`, `"method": "fount"`},
	{`"nodes": 2`, `"nodes": -2`}, {`"nodes": 2`, `"nodes": 3`}, {`"nodes": 2`, `"nodes": 1e9`}, {`"threads": 4`, `"threads": 5`},
	{`"size_bytes": 16`, `"size_bytes": 0`}, {`"size_bytes": 16`, `"size_bytes": -16`}, {`"source": "sysfs"`, `"source": "there"`},
	{`"node": 1`, `"node": 0`}, {`"node": 1`, `"node": 4096`}, {`"turn_ns": 8000000`, `"turn_ns": -1`}, {`"rounds": 8`, `"rounds": 0`},
	{`"rounds": 8`, `"rounds": 1e30`}, {`"runs": 4`, `"runs": 9`}, {`"version": 1`, `"version": 2`}, {`"cpu_limit": 0`, `"cpu_limit": -1`},
	{`scale-by-node`, `scale-by-nodes`}, {`"label": "measured on this machine"`, `"label": "better than yours"`}, {`"rows": [`, `"rows": [null,`},
	{"}\n", "} x"}, {"{", ""},
}

func TestHostileSubmissions(t *testing.T) {
	text := string(submitted(t, sampleNodes()))
	for _, change := range hostile {
		i := strings.LastIndex(text, change[0])
		if change[0] == "{" || strings.Contains(change[0], "median") || strings.Contains(change[0], "low") {
			i = strings.Index(text, change[0])
		}
		if i < 0 {
			t.Fatalf("no %s in\n%s", change[0], text)
		}
		bad := text[:i] + change[1] + text[i+len(change[0]):]
		_, err := ReadNodes(strings.NewReader(bad), "f")
		if err == nil {
			t.Errorf("%s for %s was taken", change[1], change[0])
			continue
		}
		if said := err.Error(); !plainText(said, 400) || !strings.HasPrefix(said, "f is no submitted result by node: ") {
			t.Errorf("%s: %q", change[1], said)
		}
	}
	if _, err := ReadNodes(strings.NewReader(text+strings.Repeat(" ", mostSubmitted)), "f"); err == nil {
		t.Error("a file without end was taken")
	}
}

// A small file takes neither much memory to read nor, once it is read, much work to show.
func TestSubmissionsAreBounded(t *testing.T) {
	text := string(submitted(t, sampleNodes()))
	begin := strings.Index(text, `"rows": [`) + len(`"rows": [`)
	for _, row := range []string{"{},", "null,"} {
		many := text[:begin] + strings.Repeat(row, (mostSubmitted-len(text))/len(row)) + text[begin:]
		var err error
		used := allocated(func() { _, err = ReadNodes(strings.NewReader(many), "f") })
		if err == nil || used > 64<<20 {
			t.Errorf("a file of %d bytes, full of %s: %v, with %d MB", len(many), row, err, used>>20)
		}
	}
	r := sampleNodes()
	r.Rows = r.Rows[:1]
	for size := range mostSizes {
		row := r.Rows[0]
		row.Size = 32 + size
		r.Rows = append(r.Rows, row)
	}
	if _, err := ReadNodes(bytes.NewReader(submitted(t, r)), "f"); err == nil || !strings.Contains(err.Error(), "sizes, want up to") {
		t.Errorf("%d sizes: %v", mostSizes+1, err)
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Whatever is read shows without a control character or an endless line, and comes back as it is.
func FuzzReadNodes(f *testing.F) {
	text := string(submitted(f, sampleNodes()))
	f.Add([]byte(text))
	for _, change := range hostile {
		f.Add([]byte(strings.Replace(text, change[0], change[1], 1)))
	}
	own := sampleNodes()
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ReadNodes(bytes.NewReader(b), "f")
		if err != nil {
			if !plainText(err.Error(), 1000) {
				t.Fatalf("%q", err)
			}
			return
		}
		s := show.Style{Width: 80}
		for _, text := range []string{r.Text(s), own.Beside(r, "here", "there", s), r.Beside(own, "here", "there", s)} {
			for line := range strings.Lines(text) {
				if line = strings.TrimSuffix(line, "\n"); !plainText(line, len(line)) || utf8.RuneCountInString(line) > 200 ||
					strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
					t.Fatalf("%q", line)
				}
			}
		}
		once := submitted(t, r)
		again, err := ReadNodes(bytes.NewReader(once), "f")
		if err != nil || !bytes.Equal(submitted(t, again), once) {
			t.Fatalf("%v: does not come back", err)
		}
	})
}
