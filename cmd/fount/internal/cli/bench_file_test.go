// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the files of fount bench: benchstat's own parser reads them, and so does benchstat.

package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/show/golden"
	"fount/lab/source"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// A read is one result of a file.
type read struct {
	name, method, via, call, procs string
	iters                          int
	values                         map[string]float64 // ns by unit, as written
	config                         map[string]string
}

// parse reads a file as benchstat does: any line that it does not understand is an error.
func parse(t *testing.T, name string, r io.Reader) (results []read) {
	t.Helper()
	var parser benchproc.ProjectionParser
	keys := map[string]*benchproc.Field{}
	projections := map[string]*benchproc.Projection{}
	for _, key := range []string{".name", "/method", "/via", "/call", "/gomaxprocs"} {
		p, err := parser.Parse(key, nil)
		if err != nil {
			t.Fatal(err)
		}
		projections[key], keys[key] = p, p.Fields()[0]
	}
	reader := benchfmt.NewReader(r, name)
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v", reader.Result())
		}
		get := func(key string) string { return projections[key].Project(result).Get(keys[key]) }
		one := read{
			name: get(".name"), method: get("/method"), via: get("/via"), call: get("/call"), procs: get("/gomaxprocs"),
			iters: result.Iters, values: map[string]float64{}, config: map[string]string{},
		}
		for _, v := range result.Values {
			if v.OrigUnit == "" || !strings.Contains(v.Unit, "sec") {
				t.Errorf("%s: benchstat does not see that %s is a time", result.Name, v.Unit)
			}
			one.values[v.OrigUnit] = v.OrigValue
		}
		for _, c := range result.Config {
			if c.File {
				one.config[c.Key] = string(c.Value)
			}
		}
		results = append(results, one)
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return results
}

// What is written is what --json prints, result by result.
func TestBenchFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	r := decode(t, "nonce --json --via go --call gosched --cpu 1,2 --burst --idle 1ms --burst-length 1000 --buffer 64 -o "+file+brief)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	results := parse(t, file, bytes.NewReader(data))
	if want := 2 * 2 * len(rowsOfNonce) * 6; len(results) != want {
		t.Fatalf("%d results, want %d", len(results), want)
	}
	next := 0
	for _, kind := range []struct {
		name string
		rows func(measure.Table) []measure.Row
	}{{"Nonce", func(t measure.Table) []measure.Row { return t.Methods }}, {"NonceBurst", func(t measure.Table) []measure.Row { return t.Bursts }}} {
		for i, method := range rowsOfNonce {
			for _, table := range r.Tables {
				row := kind.rows(table)[i]
				for k := range row.NS.Values {
					got := results[next]
					next++
					via := r.Via
					if i >= 7 {
						via = "own"
					}
					if got.name != kind.name || got.method != inFile(rowsOfNonce)[i] || got.via != via || got.call != "gosched" {
						t.Fatalf("result %d is %+v; want %s of %s", next, got, kind.name, method)
					}
					if want := fmt.Sprint(table.GOMAXPROCS); got.procs != want && (want != "1" || got.procs != "") {
						t.Errorf("%s: GOMAXPROCS %q, want %s", method, got.procs, want)
					}
					for unit, f := range map[string]*measure.Sample{
						"ns/op": row.NS, "core-ns/op": row.CoreNS, "p50-ns/op": row.P50NS, "p99-ns/op": row.P99NS, "p99.9-ns/op": row.P999NS, "first-ns/op": row.FirstNS,
					} {
						if v, ok := got.values[unit]; ok != (f != nil) || ok && math.Abs(v-f.Values[k]) > 0.0006 {
							t.Errorf("%s: %v %s in the file, %+v in JSON", method, v, unit, f)
						}
					}
					if got.iters <= 0 {
						t.Errorf("%s: %d iterations", method, got.iters)
					}
				}
			}
		}
	}
	config := results[0].config
	for key, want := range map[string]string{"pkg": "fount/cmd/fount", "buffer": "64", "idle": "1ms", "burst-length": "1000", "benchtime": "300µs", "cpu": r.Machine.CPU} {
		if config[key] != want {
			t.Errorf("%s: %q in the file, want %q", key, config[key], want)
		}
	}
	if !maps.Equal(config, results[len(results)-1].config) {
		t.Error("the configuration changes within the file: benchstat would make two tables of it")
	}
	for _, key := range []string{"goos", "goarch", "go", "kernel", "capacity", "channels", "writers"} {
		if config[key] == "" {
			t.Errorf("the file does not say %s", key)
		}
	}
}

// The real benchstat, in the version that go.mod names, reads what the tool writes.
func TestBenchstat(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "benchstat.exe") // the name serves everywhere
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "golang.org/x/perf/cmd/benchstat")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("benchstat can't be built here: %v\n%s", err, out)
	}
	nonce, source := filepath.Join(dir, "nonce"), filepath.Join(dir, "source")
	runBench(t, "nonce --via go --burst --idle 1ms -o "+nonce+brief)
	runBench(t, "source -o "+source+brief)
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"-table", ".name", "-row", "/method", "-col", "/via", nonce}, append(inFile(rowsOfNonce), ".name: Nonce\n", ".name: NonceBurst\n", "own", "sec/op", "core-sec/op", "p50-sec/op")},
		{[]string{"-row", "/method", source}, append(inFile(rowsOfSource), "sec/op")},
	} {
		out, err := exec.Command(program, test.args...).CombinedOutput()
		if err != nil {
			t.Fatalf("benchstat %q: %v\n%s", test.args, err, out)
		}
		for _, want := range test.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("benchstat %q does not say %q:\n%s", test.args, want, out)
			}
		}
		if strings.Contains(string(out), "vary") {
			t.Errorf("benchstat %q can't tell all results apart:\n%s", test.args, out)
		}
	}
}

// inFile are the names of methods as files have them.
func inFile(names []string) (escaped []string) {
	for _, name := range names {
		escaped = append(escaped, strings.ReplaceAll(name, "/", "_"))
	}
	return escaped
}

// The tables in docs/results follow from the raw files beside them: -update writes them anew.
func TestPublishedNonce(t *testing.T) {
	text := "# The seven methods of 2016, measured again\n\n" +
		"Each table is what the command in its first lines prints; the file named above it has every run, for benchstat:\n" +
		"`benchstat -table .name -row /method FILE`. docs/performance.md says what the tables mean.\n"
	for _, via := range []string{"vdso", "syscall"} {
		for _, call := range []string{"none", "gosched", "loopback"} {
			name := fmt.Sprintf("nonce-%s-%s.txt", via, call)
			results := published(t, name)
			f, facts := flagsOf(t, results)
			f.via, f.call, f.Call = via, call, call
			f.Via = f.studies()[0].Via
			trial := nonce.Trial{
				Study: f.Study, Cores: 2,
				Steady: rowsOf(t, results, "Nonce", f.Methods()), Bursts: rowsOf(t, results, "NonceBurst", f.Methods()),
			}
			r := nonce.Report{Idle: f.Idle.String(), BurstLength: f.Length, Report: measure.Report{Tables: []measure.Table{trial.Table(2, 2)}}}
			s := show.Style{Width: 80, Unicode: true}
			text += fmt.Sprintf("\n## [%s](%[1]s)\n\n```text\n%s```\n", name, f.title(facts, s)+r.Text(s))
		}
	}
	golden.Check(t, filepath.Join(repository, "docs", "results", "nonce.md"), text)
}

// So do those of the other questions.
func TestPublishedNonceQuestions(t *testing.T) {
	text := "# What the post of 2016 left open, measured\n\n" +
		"How large the buffer, whether the feeder or the channel is slow, and what a server shows of it. Each table is what the command in\n" +
		"its first lines prints; the file named above it has every run, for benchstat. docs/performance.md has the answers.\n"
	s := show.Style{Width: 80, Unicode: true}
	for _, question := range []struct {
		name, part string
		goroutines int
		set        func(*nonceFlags) error
	}{
		{"NonceBuffers", "buffers", 2, func(f *nonceFlags) error { return f.setBuffers("16,64,256,1K,4K,16K") }},
		{"NonceFeeders", "feeders", 2, func(f *nonceFlags) error { return f.setFeeders("1,2,16,32") }},
		{"NonceServer", "server-syscall", serverConns, func(f *nonceFlags) error { f.server = true; return nil }},
		{"NonceServer", "server-vdso", serverConns, func(f *nonceFlags) error { f.server, f.via = true, "vdso"; return nil }},
	} {
		file := "nonce-" + question.part + ".txt"
		results := published(t, file)
		f, facts := flagsOf(t, results)
		if err := question.set(&f); err != nil {
			t.Fatal(err)
		}
		f.Study.Via, f.Study.Call = nonce.ViaSyscall, nonce.Post().Call
		studies := f.studies()
		f.count /= len(studies)
		var tables []measure.Table
		for i, study := range studies {
			if i == 1 {
				study.Via = nonce.ViaVDSO // on every system that runs this test
			}
			of := slices.DeleteFunc(slices.Clone(results), func(r read) bool { return r.call != study.Call })
			trial := nonce.Trial{Study: study, Steady: rowsOf(t, of, question.name, study.Methods()), Cores: 2}
			tables = append(tables, trial.Table(2, question.goroutines))
		}
		r := nonce.NewReport(measure.Report{Machine: facts}, studies, tables)
		text += fmt.Sprintf("\n## [%s](%[1]s)\n\n```text\n%s```\n", file, f.title(facts, s)+r.Text(s))
	}
	golden.Check(t, filepath.Join(repository, "docs", "results", "nonce-questions.md"), text)
}

func TestPublishedSource(t *testing.T) {
	results := published(t, "source.txt")
	f, facts := flagsOf(t, results)
	r := measure.Report{Tables: []measure.Table{source.Table(rowsOf(t, results, "Source", source.Methods()), 2, 1)}}
	s := show.Style{Width: 80, Unicode: true}
	text := "# The five cases of 2017, measured again\n\nEvery run is in [source.txt](source.txt), for benchstat: `benchstat -row /method source.txt`. What a\n" +
		"profile of Crypto adds is in [source-profile.txt](source-profile.txt): it is of a run of its own, after those that are timed. On a\n" +
		"Cascade Lake the read was 37 % of Crypto (71.1 of 191 ns, within 40 %).\n" +
		fmt.Sprintf("\n```text\n%s```\n", f.benchFlags.title("fount bench source", facts, s)+source.Text(r, s))
	golden.Check(t, filepath.Join(repository, "docs", "results", "source.md"), text)
}

// published reads a file of docs/results, which has two cores.
func published(t *testing.T, name string) []read {
	t.Helper()
	f, err := os.Open(filepath.Join(repository, "docs", "results", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	results := parse(t, name, f)
	for _, r := range results {
		if r.procs != "2" {
			t.Fatalf("%s: a result with GOMAXPROCS %q", name, r.procs)
		}
	}
	return results
}

// flagsOf is what the configuration of a file says of the run.
func flagsOf(t *testing.T, results []read) (f nonceFlags, m machine.Facts) {
	t.Helper()
	config := results[0].config
	m = machine.Facts{OS: config["kernel"], CPU: config["cpu"], GoVersion: config["go"]}
	f.bench = regexp.MustCompile("")
	if err := f.benchtime.set(config["benchtime"]); err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.name == results[0].name && r.method == results[0].method {
			f.count++
		}
	}
	p := &f.Parameters
	for key, dst := range map[string]*int{
		"capacity": &p.Capacity, "buffer": &p.Buffer, "channels": &p.Channels, "writers": &p.Writers, "burst-length": &f.Length,
	} {
		if value, ok := config[key]; ok {
			if _, err := fmt.Sscan(value, dst); err != nil {
				t.Fatal(err)
			}
		}
	}
	if f.Burst = config["idle"] != ""; f.Burst {
		if err := setIdle(&f.Idle)(config["idle"]); err != nil {
			t.Fatal(err)
		}
	}
	return f, m
}

// rowsOf are the figures of the methods in a file, each of which must have 10 runs.
func rowsOf(t *testing.T, results []read, name string, methods []measure.Method) (rows []measure.Row) {
	t.Helper()
	for i, method := range inFile(namesOf(methods)) {
		row := measure.Row{Name: methods[i].Name, Weakness: methods[i].Weakness}
		for unit, dst := range map[string]**measure.Sample{
			"ns/op": &row.NS, "core-ns/op": &row.CoreNS, "p50-ns/op": &row.P50NS, "p99-ns/op": &row.P99NS, "p99.9-ns/op": &row.P999NS, "first-ns/op": &row.FirstNS,
		} {
			var values []float64
			for _, r := range results {
				if value, ok := r.values[unit]; ok && r.name == name && r.method == method {
					values = append(values, value)
				}
			}
			*dst = measure.Of(values...)
		}
		if n := len(row.NS.Values); n != 10 {
			t.Errorf("%d results of %s for %s, want 10", n, name, method)
		}
		rows = append(rows, row)
	}
	return rows
}
