// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package doctor examines a machine. It inspects the machine, measures what random values and
// password hashes cost on it (passwords.go), and advises what to do.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"fount"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/nonce"
	"fount/cmd/internal/lab/show"
)

// A Result has the findings and figures of an examination. Its text and its JSON say the same.
type Result struct {
	Findings  []machine.Finding  `json:"findings"` // machine, fount's state, seed file
	Problems  []string           `json:"problems"` // names of findings that are problems
	Machine   machine.Facts      `json:"machine"`
	Status    fount.StatusReport `json:"status"`
	Nonce     *lab.Result        `json:"nonce"` // null if a problem left nothing to measure
	Verdict   Verdict            `json:"verdict"`
	Passwords *Passwords         `json:"passwords"` // null if a problem left nothing to measure
}

// A Verdict says which source of random values to use.
type Verdict struct {
	Use  string   `json:"use"`                        // fount, fount.Strict, crypto/rand, nothing
	From float64  `json:"from_nonces_per_s_per_core"` // at lower rates use crypto/rand
	Save float64  `json:"saves_core_ns_per_nonce"`    // compared with crypto/rand
	Why  []string `json:"why"`
}

// Default is the examination of fount doctor.
var Default = Examination{Options: lab.Options{Quick: true, Command: "fount doctor"}, Callers: 32, Cost: 10}

// An Examination says how much to measure.
type Examination struct {
	lab.Options
	Callers int // callers that ask for a hash at the same time
	Cost    int // of bcrypt
}

// Run examines the machine, and calls print with each section as soon as it is ready.
func (x Examination) Run(ctx context.Context, facts machine.Facts, s show.Style, print func(section string) error) (Result, error) {
	r := Result{Machine: facts, Problems: []string{}}
	r.Verdict = Verdict{Use: "nothing", Why: []string{"Nothing was measured: mend the problem above first."}}

	usable := facts.Random.Usable()
	if usable {
		fount.Nonce() // makes the state that Status describes
	}

	r.Status = fount.Status()
	r.Findings = append(facts.Findings(), clones(r.Status), seed("/var/lib/fount/seed"))
	for _, f := range r.Findings {
		if f.Level == machine.Problem {
			r.Problems = append(r.Problems, f.Name)
		}
	}

	if err := print(findingsText(r.Findings, s)); err != nil {
		return r, err
	}

	if usable {
		x.Options.Machine = &facts
		measured, err := study.Measure(ctx, x.Options)
		if err != nil {
			return r, err
		}
		r.Nonce = &measured
		r.Verdict = judge(measured, r.Status)
		if err := print(measured.Tables(s)); err != nil {
			return r, err
		}
	}

	if err := print(r.Verdict.text(s)); err != nil || !usable {
		return r, err
	}

	passwords, err := x.passwords(ctx)
	if err != nil {
		return r, fmt.Errorf("passwords: %w", err)
	}
	r.Passwords = passwords
	return r, print(passwords.text(s))
}

// study compares methods of nonce.Standard, except the slow Urandom: with one goroutine, and with
// one for each core.
var study = lab.Study{Name: "doctor", Run: func(r *lab.Run) {
	p := r.Plan()
	methods := []measure.Method{
		nonce.CryptoRand(), nonce.Getrandom(), nonce.Buffered(), nonce.MathRand(), nonce.Fount(), nonce.Strict(),
	}
	r.Compare("A 16-byte nonce, one goroutine", p.By(1), methods)
	if cores := runtime.GOMAXPROCS(0); cores > 1 {
		r.Compare(fmt.Sprintf("A 16-byte nonce, a goroutine on each of %d cores: core time of all of them", cores), p, methods)
	}
}}

// percent is one hundredth of a core, in ns a second.
const percent = 1e7

// judge recommends what takes less core time than crypto/rand, beyond chance and by 1 % or more. It
// prefers fount.Strict, which keeps nothing that a clone could repeat, unless fount takes even
// less.
func judge(measured lab.Result, status fount.StatusReport) Verdict {
	for _, g := range measured.Groups {
		std := row(g, nonce.CryptoRand())
		own := row(g, nonce.Fount())
		strict := row(g, nonce.Strict())
		if !cheaper(std, own) {
			continue
		}

		use := own.Name
		best := own.Figures[0]
		kept := strict.Figures[0]
		isAsCheap := cheaper(std, strict) && (best.High == nil || kept.Low == nil || *best.High >= *kept.Low)
		if isAsCheap {
			use = strict.Name
			best = kept
		}

		v := Verdict{Use: use, Save: std.Figures[0].Value - best.Value}
		v.From = percent / v.Save
		v.Why = []string{fmt.Sprintf("%s: %s costs %s ns of core time a nonce, crypto/rand %s. At fewer nonces it would save less than 1 %% of a core.",
			g.Name, use, show.Ratio(best.Value), show.Ratio(std.Figures[0].Value))}
		if use == own.Name && status.WindowBytes > 0 {
			v.Why = append(v.Why, fmt.Sprintf("A clone of this machine would repeat up to %d bytes of each core: where that must not be, use fount.Strict.",
				status.WindowBytes))
		}
		return v
	}
	return Verdict{Use: "crypto/rand", Why: []string{"fount is not surely cheaper on this machine."}}
}

// row returns the row of a method. It is empty if the method was not measured.
func row(g lab.Group, m measure.Method) lab.Row {
	if i := slices.IndexFunc(g.Rows, func(r lab.Row) bool { return r.Name == m.Name }); i >= 0 && len(g.Rows[i].Figures) > 0 {
		return g.Rows[i]
	}
	return lab.Row{Figures: []*lab.Figure{nil}}
}

// cheaper reports whether own costs less than std beyond chance, and by 1 % or more.
func cheaper(std, own lab.Row) bool {
	s, o := std.Figures[0], own.Figures[0]
	return s != nil && o != nil && own.Verdict != nil && own.Verdict.Is == lab.Below && o.Value <= 0.99*s.Value
}

// clones returns the finding about clones of this machine.
func clones(s fount.StatusReport) machine.Finding {
	f := machine.Finding{Level: machine.OK, Name: "clones", Value: s.Mode + ": " + strings.TrimSuffix(s.Why, ".")}
	if s.WindowBytes > 0 {
		f.Level = machine.Note
		f.Means = fmt.Sprintf("A clone repeats up to %d bytes of each core.", s.WindowBytes)
	}
	return f
}

// seed returns the finding about the seed file.
func seed(path string) machine.Finding {
	f := machine.Finding{Level: machine.Note, Name: "seed file", Value: path}

	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Level = machine.OK
		f.Value = "none"
		f.Means = "fount seed save makes one."
	case err != nil:
		f.Value = err.Error()
	case info.Mode().Perm()&0o077 != 0:
		f.Means = "Others can read it: chmod 600 it, and fount seed save a new one."
	default:
		f.Level = machine.OK
		f.Means = "fount seed load would use it."
	}
	return f
}

func findingsText(findings []machine.Finding, s show.Style) string {
	text := "Machine\n"
	for _, f := range findings {
		text += show.Paragraph(f.Value+". "+f.Means, s.Width, fmt.Sprintf("  %-7s %-11s ", f.Level, f.Name), "    ")
	}
	return text
}

func (v Verdict) text(s show.Style) string {
	title := "Verdict: " + v.Use
	if v.From > 0 {
		title += fmt.Sprintf(" from %s nonces a second and core on, below that crypto/rand", show.Rate(v.From))
	}
	return "\n" + show.Paragraph(title, s.Width, "", "  ") + s.Items(v.Why...)
}
