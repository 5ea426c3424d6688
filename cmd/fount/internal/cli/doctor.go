// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount doctor: the machine, what random values cost on it, and what to do about it.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"fount"
	"fount/lab/machine"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/pool"

	"github.com/spf13/cobra"
)

const doctorLong = `fount doctor: measure what random values cost on this machine, and say what to do about it.

It takes about 12 s, or 20 where rounds differ much, changes nothing, and needs no privileges.
Exit status 1 if there is a problem: random values that are not random, or not to be had.

Costs are medians of rounds in which all methods take turns, in an order drawn anew each time.
A saving counts if it is above zero beyond chance, all comparisons taken together: where nothing
differs, at most one run in 20 says that anything does. Time is CPU time, so that other programs do not
count (elapsed time on Windows, Plan 9 and js). --json prints one object:
  machine     what was found: os, kernel, cpu, features, cores, virtual, kernel_random, ...
  findings    level (ok, note, problem), name, value, means; problems counts the last level
  status      what is in force in fount: mode, window_bytes, cipher, sources, pools, ...
  randomness  rounds, turn_ms, clock (cpu or elapsed), cores, and methods: name, weakness,
              error (if not measured), one_core_ns, all_cores_ns (of all cores together),
              one_core_ratio, all_cores_ratio (to crypto/rand), and each figure's _min_ns, _max_ns
  verdict     use, cores, saving_ns, saving_low_ns, saving_high_ns,
              break_even_nonces_per_s_per_core, sentences
  passwords   algorithm, cost, hash_ms, logins_per_s, rare_logins_per_s, callers, seconds, error (if not
              measured), sentences, and goroutines and pool: compares, compares_within_1s, per_s,
              latency_p50_ms, heartbeat_p99_ms, endpoint_p99_ms, cores_used`

// newDoctor is the command "fount doctor".
func newDoctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [--json]",
		Short: "what random values and password hashes cost here, and what to do",
		Long:  doctorLong,
		Args:  atMost(0),
		Example: `  fount doctor
  fount doctor --json | jq .verdict.use`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return newExamination(cmd.OutOrStdout(), cmd.ErrOrStderr(), asJSON).run()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, and no progress")
	return cmd
}

// An examination is one run of the doctor.
type examination struct {
	out    io.Writer
	json   bool
	style  show.Style
	screen io.Writer // terminal that shows the progress, nil for none

	inspect func() machine.Facts
	probes  [2]nonce.Method // getrandom as Go calls it, and by plain system call
	glance  nonce.Plan      // for the probes, before the first section
	methods []nonce.Method  // for the table
	plan    nonce.Plan

	passwordPlan passwordPlan
}

func newExamination(out, stderr io.Writer, asJSON bool) examination {
	x := examination{
		out:     out,
		json:    asJSON,
		style:   show.StyleOf(out, runtime.GOOS, os.Getenv),
		inspect: machine.Inspect,
		probes:  [2]nonce.Method{nonce.AsGo{}, nonce.Getrandom{}},
		glance:  nonce.Plan{Rounds: 5, Turn: time.Millisecond, Warmup: time.Millisecond / 4, Workers: []int{1}},
		methods: nonce.Standard(),
		plan:    nonce.Examination(),

		passwordPlan: usualPasswordPlan,
	}
	if all := min(runtime.GOMAXPROCS(0), runtime.NumCPU()); all > 1 {
		x.plan.Workers = append(x.plan.Workers, all)
	}
	switch {
	case isTerminal(stderr):
		x.screen = stderr
	case isTerminal(out):
		x.screen = out
	}
	return x
}

// doctorReport is what --json prints. Names of fields stay; fields may be added.
type doctorReport struct {
	Machine    machine.Facts      `json:"machine"`
	Findings   []machine.Finding  `json:"findings"`
	Problems   int                `json:"problems"`
	Status     fount.StatusReport `json:"status"`
	Randomness randomnessReport   `json:"randomness"`
	Verdict    nonce.Verdict      `json:"verdict"`
	Passwords  *passwordsReport   `json:"passwords"` // null if a problem left nothing to measure
}

type randomnessReport struct {
	Rounds  int         `json:"rounds"`
	TurnMS  float64     `json:"turn_ms"`
	Clock   string      `json:"clock"`   // "cpu": time of the cores without what other programs took; or "elapsed"
	Cores   int         `json:"cores"`   // goroutines of all_cores
	Methods []methodRow `json:"methods"` // none if a problem left nothing to measure
}

// A methodRow is one method's figures, in ns per nonce. Those for all cores are time divided by the nonces of all of them,
// so that perfect scaling halves them on two; with GOMAXPROCS=1 they are those of one core.
type methodRow struct {
	Name     string `json:"name"`
	Weakness string `json:"weakness,omitempty"`
	Error    string `json:"error,omitempty"` // why it was not measured; the figures are 0 then

	OneCoreNS     float64 `json:"one_core_ns"`
	OneCoreMinNS  float64 `json:"one_core_min_ns"`
	OneCoreMaxNS  float64 `json:"one_core_max_ns"`
	OneCoreRatio  float64 `json:"one_core_ratio"` // to crypto/rand, 0 if that was not measured
	AllCoresNS    float64 `json:"all_cores_ns"`
	AllCoresMinNS float64 `json:"all_cores_min_ns"`
	AllCoresMaxNS float64 `json:"all_cores_max_ns"`
	AllCoresRatio float64 `json:"all_cores_ratio"`
}

// run examines and prints. The first line is out before anything is looked at.
func (x examination) run() error {
	title := show.Paragraph("fount doctor: what random values cost on this machine", x.style.Width, "", indent)
	if err := x.print(title); err != nil {
		return err
	}
	var r doctorReport
	r.Machine = x.inspect()
	if r.Machine.Random.Usable() {
		r.Machine.Random.VDSONS, r.Machine.Random.SyscallNS = x.getrandom()
	}
	if r.Machine.Random.Usable() {
		pool.Feed() // so that every source has been asked, and its tests have run
	}
	r.Status = fount.Status()
	r.Findings = append(r.Machine.Findings(), sources(r.Status), pools(r.Status), clones(r.Status))
	problems := problemsOf(r.Findings)
	r.Problems = len(problems)
	if err := x.print(machineSection(r.Findings, x.style)); err != nil {
		return err
	}
	r.Randomness, r.Verdict = x.randomness(r.Machine, r.Status)
	if err := x.print(randomnessSection(r.Randomness, x.style) + verdictSection(r.Verdict, x.style)); err != nil {
		return err
	}
	if r.Machine.Random.Usable() { // a salt is wanted
		passwords := x.passwords()
		r.Passwords = &passwords
		if err := x.print(passwordsSection(passwords, x.style)); err != nil {
			return err
		}
	}
	if err := x.printJSON(r); err != nil {
		return err
	}
	if r.Problems > 0 {
		return &exitError{statusFailed, "problem found: " + strings.Join(problems, ", ")}
	}
	return nil
}

// problemsOf names the findings that are problems.
func problemsOf(findings []machine.Finding) (names []string) {
	for _, f := range findings {
		if f.Level == machine.Problem {
			names = append(names, f.Name)
		}
	}
	return names
}

// randomness measures the methods and judges. Where random bytes can't be had, asking for them would block or stop the
// program, so it does not.
func (x examination) randomness(facts machine.Facts, status fount.StatusReport) (randomnessReport, nonce.Verdict) {
	r := randomnessReport{
		Rounds: x.plan.Rounds,
		TurnMS: float64(x.plan.Turn) / float64(time.Millisecond),
		Clock:  "elapsed",
		Cores:  x.plan.Workers[len(x.plan.Workers)-1],

		Methods: []methodRow{}, // [], not null
	}
	if x.plan.CPU != nil {
		r.Clock = "cpu"
	}
	if !facts.Random.Usable() {
		return r, nonce.Verdict{Use: "none", Sentences: []string{"Nothing was measured: mend the problem above first."}}
	}
	results := x.measure()
	r.Methods = rows(results)
	for _, m := range results {
		if m.Err == nil {
			r.Rounds = len(m.Costs[0]) // twice as many as planned where runs differed more than their rounds
		}
	}
	return r, nonce.Judge(nonce.Evidence{
		Workers: x.plan.Workers,
		Results: results,
		Syscall: facts.Random.Getrandom == machine.Ready && !facts.Random.Faster() && !facts.FIPS,
		Window:  window(status),
	})
}

// print writes a part of the report for people.
func (x examination) print(text string) error {
	if x.json {
		return nil
	}
	_, err := io.WriteString(x.out, text)
	return err
}

// printJSON writes the report for programs.
func (x examination) printJSON(r doctorReport) error {
	if !x.json {
		return nil
	}
	enc := json.NewEncoder(x.out)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// getrandom measures the probes, in ns per 16 bytes; 0 where there is none. The least of some turns is what a call costs.
func (x examination) getrandom() (asGo, syscall float64) {
	results := x.glance.Run(x.probes[:], nil)
	if results[0].Err != nil || results[1].Err != nil {
		return 0, 0
	}
	return results[0].Costs[0].Min(), results[1].Costs[0].Min()
}

// clones is the finding about fount itself.
func clones(s fount.StatusReport) machine.Finding {
	f := machine.Finding{Level: machine.OK, Name: "clones", Value: s.Mode, Means: sentence(s.Why)}
	if n := window(s); n > 0 {
		f.Level = machine.Note
		f.Value += " mode"
		f.Means = fmt.Sprintf("%s A clone repeats up to %d bytes of each core.", f.Means, n)
	}
	return f
}

// window is how many bytes a clone may repeat, 0 if fount detects clones.
func window(s fount.StatusReport) int {
	if s.Mode != "window" {
		return 0
	}
	return s.WindowBytes
}

// measure runs the plan and shows how far it is.
func (x examination) measure() []nonce.Result {
	var line *show.Progress
	if x.screen != nil && !x.json {
		line = show.NewProgress(x.screen, show.StyleOf(x.screen, runtime.GOOS, os.Getenv))
	}
	defer line.Clear()
	return x.plan.Run(x.methods, func(done, all int) {
		left := x.plan.Time(len(x.methods)) * time.Duration(all-done) / time.Duration(all)
		line.Show(fmt.Sprintf("measuring %d methods in turns: %d %%, %.0f s left", len(x.methods), 100*done/all, math.Ceil(left.Seconds())))
	})
}

// rows makes the figures of the report. crypto/rand is the first method.
func rows(results []nonce.Result) []methodRow {
	rows := make([]methodRow, len(results))
	for i, r := range results {
		row := methodRow{Name: r.Method.Name(), Weakness: r.Method.Weakness()}
		if r.Err != nil {
			row.Error = reason(r.Err)
			rows[i] = row
			continue
		}
		one, all := r.Costs[0], r.Costs[len(r.Costs)-1]
		row.OneCoreNS, row.OneCoreMinNS, row.OneCoreMaxNS = one.Median(), one.Min(), one.Max()
		row.AllCoresNS, row.AllCoresMinNS, row.AllCoresMaxNS = all.Median(), all.Min(), all.Max()
		if base := results[0]; base.Err == nil {
			row.OneCoreRatio = row.OneCoreNS / base.Costs[0].Median()
			row.AllCoresRatio = row.AllCoresNS / base.Costs[len(base.Costs)-1].Median()
		}
		rows[i] = row
	}
	return rows
}

// reason is why a method was not measured, in one line.
func reason(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		return "not on " + machine.OSName()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// machineSection is the findings: level and name, the value, and what it means.
func machineSection(findings []machine.Finding, s show.Style) string {
	name, below := "%-13s", 23
	if s.Width < 60 {
		name, below = "%s: ", 10 // names and sentences in one column
	}
	var b strings.Builder
	b.WriteString("\nMachine\n")
	for _, f := range findings {
		first := fmt.Sprintf(indent+"%-8s"+name, f.Level, f.Name)
		b.WriteString(show.Paragraph(f.Value+". "+f.Means, s.Width, first, strings.Repeat(" ", below)))
	}
	return b.String()
}

// randomnessSection is the table of methods, a bar for each, and below it what finds no room there: what the nonces of
// some are not good for, and why some were not measured. Columns that a narrow screen can't hold are left out.
func randomnessSection(r randomnessReport, s show.Style) string {
	if len(r.Methods) == 0 {
		return ""
	}
	t := methodTable(r)
	for len(indent)+t.Width() > s.Width && len(t.Head) > 3 {
		t = t.Without(len(t.Head) - 2)
	}
	full := 0.0
	for _, m := range r.Methods {
		full = max(full, m.OneCoreNS)
	}
	var notes []string
	room := s.Width - len(indent) - t.Width()
	for i, m := range r.Methods {
		last := &t.Rows[i][len(t.Head)-1]
		switch {
		case m.Error == "":
			*last = s.Bar(m.OneCoreNS, full, room)
		case len(m.Error) <= room:
			*last = m.Error
		default:
			notes = append(notes, m.Name+": "+m.Error+".")
		}
		if m.Weakness != "" && !short(m.Weakness) {
			notes = append(notes, m.Name+": "+m.Weakness+".")
		}
	}
	title := fmt.Sprintf("Randomness: a 16-byte nonce, median of %d rounds", r.Rounds)
	text := "\n" + show.Paragraph(title, s.Width, "", indent) + t.String(indent)
	if len(notes) > 0 {
		text += show.Paragraph(strings.Join(notes, " "), s.Width, indent, indent)
	}
	return text
}

// methodTable has a row for each method and an empty last column. Its columns stand in the order of their weight.
func methodTable(r randomnessReport) show.Table {
	t := show.Table{Head: []string{"ns per nonce", "1 core", "ratio"}, Last: true}
	if r.Cores > 1 {
		t.Head = append(t.Head, fmt.Sprintf("%d cores", r.Cores), "ratio")
	}
	t.Head = append(t.Head, "")
	for _, m := range r.Methods {
		name := m.Name
		if m.Weakness != "" && short(m.Weakness) {
			name += " (" + m.Weakness + ")"
		}
		row := []string{name, show.NS(m.OneCoreNS), show.Ratio(m.OneCoreRatio)}
		if r.Cores > 1 {
			row = append(row, show.NS(m.AllCoresNS), show.Ratio(m.AllCoresRatio))
		}
		for i := range row {
			if i > 0 && m.Error != "" {
				row[i] = "-"
			}
		}
		t.Rows = append(t.Rows, append(row, ""))
	}
	return t
}

// short reports whether a weakness finds room beside the method's name.
func short(weakness string) bool { return len(weakness) <= len("not secret") }

// indent is what stands before each line of a section.
const indent = "  "

func verdictSection(v nonce.Verdict, s show.Style) string {
	text := "\nVerdict\n"
	for _, sentence := range v.Sentences {
		text += show.Paragraph(sentence, s.Width, indent, indent+indent)
	}
	return text
}

// sentence gives a clause a capital and a full stop.
func sentence(clause string) string {
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + strings.TrimSuffix(clause[1:], ".") + "."
}
