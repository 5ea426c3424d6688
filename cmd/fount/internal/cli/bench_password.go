// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench password: what one hash costs.

package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/lab/clib"
	"fount/lab/logins"
	"fount/lab/measure"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const benchPasswordLong = `fount bench password: what one hash of a password costs on this machine.

serial         golang.org/x/crypto's bcrypt, one after the other: the post's first
64-goroutines  as many at once as possible: its second. Time is that of all by number
each-core      the same on GOMAXPROCS goroutines
3-lanes        three bcrypts side by side on one core, as the pool does
argon2id ...   OWASP's figures for each policy, one after the other

argon2id is measured by fount (-pool: in a Pool, which keeps its memory), by golang.org/x/crypto (-xcrypto),
and by C libraries in a Python process, which times its calls itself: libargon2 and libsodium of this system,
argon2-cffi, PyNaCl, and what --libargon2 names (-kept: with memory that one hash leaves to the next). Python
is python3, or what FOUNT_PYTHON names.

ms is elapsed time and core CPU time per hash; hashes/s is of all goroutines. The whole takes some minutes:
--bench 'serial|goroutines' measures the post's pair alone.`

// passwordBenchFlags are the flags of fount bench password.
type passwordBenchFlags struct {
	benchFlags
	cost     int
	argon2id string   // its parameters
	files    []string // builds of libargon2

	ways *logins.Argon2ids
}

func newBenchPassword() *cobra.Command {
	f := passwordBenchFlags{cost: 10}
	cmd := &cobra.Command{
		Use:   "password [flags]",
		Short: "one bcrypt, many at once, several on one core, and other hashes",
		Long:  benchPasswordLong,
		Example: `  fount bench password --bench 'serial|goroutines|lane'
  fount bench password --cost 4 --count 1 --bench serial -o password.txt
  fount bench password --bench argon2id --argon2id m=65536,t=3,p=4`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.addTo(cmd, 64)
	f.benchtime, f.count = benchtime{n: 2}, 6
	flags := cmd.Flags()
	flags.Lookup("benchtime").Usage = "hash for that `TIME` in each run, or Nx times (2x)"
	flags.Lookup("count").Usage = "`N` runs of each method (6)"
	flags.Lookup("goroutines").Usage = "`N` goroutines are as many as possible (64)"
	number(flags, &f.cost, "cost", "", "`N` of bcrypt (10)", 4, 16, "cost of bcrypt; use for example 10")
	flags.Func("argon2id", "`PARAMETERS` of argon2id, such as m=65536,t=3,p=4", f.setArgon2id)
	flags.StringArrayVar(&f.files, "libargon2", nil, "measure the libargon2 in `FILE` too")
	cmd.MarkFlagFilename("libargon2")
	return cmd
}

// check refuses what would not be measured.
func (f *passwordBenchFlags) check(cmd *cobra.Command) error {
	for _, file := range f.files {
		switch label := logins.LibraryLabel(file); {
		case file == "":
			return usagef("--libargon2 has an empty file name; use for example ./libargon2.so")
		case !f.bench.MatchString(label):
			return usagef("--bench %q leaves out %s, which --libargon2 asks for; use for example --bench argon2id", f.bench, label)
		}
	}
	all := (&logins.Argon2ids{Files: f.files}).Hashings()
	if f.argon2id != "" && !slices.ContainsFunc(all, func(h logins.Hashing) bool { return f.bench.MatchString(h.Label) }) {
		return usagef("--bench %q leaves out argon2id, whose parameters --argon2id gives; use for example --bench argon2id", f.bench)
	}
	return f.benchFlags.check(cmd)
}

func (f *passwordBenchFlags) setArgon2id(s string) error {
	if _, err := logins.ParsePolicy(logins.Argon2id + "," + s); err != nil {
		return fmt.Errorf("%q are no parameters of argon2id; use for example m=65536,t=3,p=4 (m in KiB)", s)
	}
	f.argon2id = s
	return nil
}

func (f *passwordBenchFlags) run(cmd *cobra.Command) error {
	var err error
	if f.ways, err = logins.NewArgon2ids(f.argon2id, f.files); err != nil {
		return usagef("--argon2id: %v", strings.TrimPrefix(plain(err).Error(), "Options.Policy: password: "))
	}
	defer f.ways.Close()
	all := logins.Hashings(f.cost, f.many(), runtime.GOMAXPROCS(0), f.ways)
	methods := make([]measure.Method, len(all))
	for i, h := range all {
		methods[i] = h.Method()
	}
	b, err := newBenchRun(cmd, f.benchFlags, "Password", methods)
	if err != nil {
		return err
	}
	file, err := b.create()
	if err != nil {
		return err
	}
	defer file.close()
	if err := b.print(f.title(f.words(), b.machine, b.style)); err != nil {
		return err
	}
	r := passwordReport{Argon2id: logins.PolicyText(f.ways.Policy), Report: b.report()}
	for _, procs := range f.cpu {
		t := f.table(b, procs)
		r.Tables = append(r.Tables, t)
		if err := b.print(hashSection(t, b.style)); err != nil {
			return err
		}
	}
	r.Libraries = f.ways.Libraries()
	if err := b.print(librariesText(r.Libraries, b.style)); err != nil {
		return err
	}
	return b.finish(r, file)
}

// A passwordReport is what was found. Names of fields stay; fields may be added.
type passwordReport struct {
	Argon2id  string         `json:"argon2id"`            // the policy
	Libraries []clib.Library `json:"libraries,omitempty"` // of C that were found, if one was measured
	measure.Report
}

// librariesText says which code the C libraries' rows are of.
func librariesText(libraries []clib.Library, s show.Style) (text string) {
	if len(libraries) > 0 {
		text = "\nLibraries\n"
	}
	for _, l := range libraries {
		line := filepath.Base(l.Name) + ": " + l.File
		if l.SIMD != "" {
			line += ", which has argon2 in " + l.SIMD
		}
		text += show.Paragraph(strings.Replace(line, "in none", "without SIMD", 1), s.Width, indent, indent+indent)
	}
	return text
}

// words are the command with its own flags.
func (f *passwordBenchFlags) words() string {
	words := fmt.Sprintf("fount bench password --cost %d", f.cost)
	if f.argon2id != "" {
		words += " --argon2id " + f.argon2id
	}
	for _, file := range f.files {
		words += " --libargon2 " + file
	}
	return words
}

// many is how many goroutines as many as possible are.
func (f *passwordBenchFlags) many() int {
	if f.goroutines > 0 {
		return f.goroutines
	}
	return f.usual
}

// table measures with one GOMAXPROCS.
func (f *passwordBenchFlags) table(b *bench, procs int) measure.Table {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	var methods []logins.Hashing
	for _, h := range logins.Hashings(f.cost, f.many(), procs, f.ways) {
		if f.bench.MatchString(h.Label) {
			methods = append(methods, h)
		}
	}
	p := measure.Plan{Rounds: f.count, Turn: f.benchtime.d, Values: f.benchtime.n, CPU: measure.ProcessCPU}
	if p.Values > 0 {
		p.Turn = time.Millisecond
	}
	line := b.progress()
	defer line.Clear()
	rows := logins.Measure(p, methods, func(done, all int) {
		line.Show(fmt.Sprintf("measuring %d ways to hash in turns: %d %%", len(methods), 100*done/all))
	})
	// A library that is not there is missing once.
	rows = slices.DeleteFunc(rows, func(r measure.Row) bool {
		return errors.Is(r.Err, clib.ErrMissing) && strings.HasSuffix(r.Name, logins.Kept)
	})
	return hashTable(rows, procs, f.many())
}

// hashTable judges the rows: each against serial, and against fount's argon2id.
func hashTable(rows []measure.Row, procs, goroutines int) measure.Table {
	var bases []measure.Row
	for _, r := range rows {
		switch r.Name {
		case logins.Serial, logins.Argon2id, logins.Argon2id + logins.InPool:
			bases = append(bases, r)
		}
	}
	d := measure.EnterCosts(bases, rows)
	t := measure.Table{GOMAXPROCS: procs, Goroutines: goroutines, Methods: measure.Against(logins.Serial, rows, d.Costs)}
	t.Conclusion.Sentences = append(hashSentences(t), argon2idSentence(t, d)...)
	return t
}

// hashColumns are those of the table. As rates are wanted too, they are not those of the other benchmarks.
var hashColumns = []measure.Column{
	{Head: "ms", Cell: milliseconds(measure.Cost)}, measure.Columns("95 %")[0], {Head: "hashes/s", Cell: hashesPerSecond}, measure.Columns("ratio")[0],
	{Head: "core", Cell: milliseconds(func(r measure.Row) *measure.Sample { return r.CoreNS })},
}

func milliseconds(of func(measure.Row) *measure.Sample) func(measure.Row) string {
	return func(r measure.Row) string {
		f := of(r)
		if f == nil {
			return "-"
		}
		return show.MS(f.Median / 1e6)
	}
}

func hashesPerSecond(r measure.Row) string {
	if r.NS == nil {
		return "-"
	}
	return show.PerSecond(1e9 / r.NS.Median)
}

// hashSection is the table, a chart of the rates, and what they say.
func hashSection(t measure.Table, s show.Style) string {
	table := show.Table{Head: []string{"per hash"}}
	for _, c := range hashColumns {
		table.Head = append(table.Head, c.Head)
	}
	var bars []show.Bar
	var notes []string
	for _, r := range t.Methods {
		cells := []string{r.Name}
		for _, c := range hashColumns {
			cells = append(cells, c.Cell(r))
		}
		table.Rows = append(table.Rows, cells)
		if r.NS != nil {
			bars = append(bars, show.Bar{Label: r.Name, Value: 1e9 / r.NS.Median, Text: hashesPerSecond(r) + "/s"})
		}
	}
	notes = append(notes, errorNotes(t.Methods)...)
	text := "\n" + show.Paragraph(fmt.Sprintf("GOMAXPROCS %d", t.GOMAXPROCS), s.Width, "", indent) +
		table.Fit(s.Width-len(indent), "core", "95 %").String(indent)
	if notes = append(measure.Notes(t.Methods), notes...); len(notes) > 0 {
		text += show.Paragraph(strings.Join(notes, " "), s.Width, indent, indent)
	}
	text += "\n" + s.Chart(bars, indent)
	if len(t.Conclusion.Sentences) > 0 {
		text += "\n" + t.Conclusion.Text(s)
	}
	return text
}

// errorNotes say what was not measured: each reason once.
func errorNotes(rows []measure.Row) (notes []string) {
	names := map[string][]string{}
	var reasons []string
	for _, r := range rows {
		if r.Error == "" {
			continue
		}
		if names[r.Error] == nil {
			reasons = append(reasons, r.Error)
		}
		names[r.Error] = append(names[r.Error], r.Name)
	}
	for _, why := range reasons {
		notes = append(notes, strings.Join(names[why], ", ")+": "+why+".")
	}
	return notes
}

// argon2idSentence holds fount's quicker argon2id against x/crypto's and against the quickest of the C libraries'.
func argon2idSentence(t measure.Table, d *measure.Docket) []string {
	var own, xCrypto, other *measure.Row
	quicker := func(best **measure.Row, r *measure.Row) {
		if *best == nil || r.NS.Median < (*best).NS.Median {
			*best = r
		}
	}
	for i := range t.Methods {
		r := &t.Methods[i]
		switch {
		case r.NS == nil || !strings.HasPrefix(r.Name, logins.Argon2id):
		case r.Name == logins.Argon2id, r.Name == logins.Argon2id+logins.InPool:
			quicker(&own, r)
		case r.Name == logins.Argon2id+logins.ByXCrypto:
			xCrypto = r
		default:
			quicker(&other, r)
		}
	}
	var parts []string
	for _, r := range []*measure.Row{xCrypto, other} {
		switch {
		case own == nil || r == nil:
		case d.Costs(own.Name, r.Name):
			parts = append(parts, fmt.Sprintf("takes %s of the time of %s", show.Ratio(own.NS.Median/r.NS.Median), r.Name))
		default:
			parts = append(parts, "can't be told from "+r.Name)
		}
	}
	if parts == nil {
		return nil
	}
	return []string{own.Name + " " + strings.Join(parts, " and ") + "."}
}

// hashSentences say what the pair and the lanes show, of what was measured: a ratio only where the table has one.
func hashSentences(t measure.Table) (sentences []string) {
	var serial, many, lanes *measure.Row
	for i := range t.Methods {
		r := &t.Methods[i]
		switch {
		case r.NS == nil:
		case r.Name == logins.Serial:
			serial = r
		case strings.HasSuffix(r.Name, logins.AllAtOnce):
			many = r
		case strings.Contains(r.Name, "-lane") && (lanes == nil || r.NS.Median < lanes.NS.Median):
			lanes = r
		}
	}
	if serial == nil {
		return nil
	}
	if many != nil {
		n, _ := strconv.ParseFloat(strings.TrimSuffix(many.Name, logins.AllAtOnce), 64)
		text := fmt.Sprintf("%s do %.2f times the hashes per second of one after the other", many.Name, 1/many.Ratio)
		if !many.Differs {
			text = fmt.Sprintf("Of %s and one after the other, neither can be told to do more hashes per second", many.Name)
		}
		sentences = append(sentences, fmt.Sprintf("%s. Of %s each waits for all: %.0f ms in place of %.0f ms.",
			text, many.Name, n*many.NS.Median/1e6, serial.NS.Median/1e6))
	}
	if lanes != nil {
		text := fmt.Sprintf("%s on one core do %.2f times the hashes per second of serial.", lanes.Name, 1/lanes.Ratio)
		if !lanes.Differs {
			text = fmt.Sprintf("%s on one core can't be told from serial by their hashes per second.", lanes.Name)
		}
		sentences = append(sentences, text)
	}
	return sentences
}
