// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package why reads a CPU profile of a program and says whether it needs fount: what share of its
// CPU time makes random values and hashes passwords, on which lines, and what a change would save.
//
// Open reads the profile (read.go), Find looks for the functions of functions.go in it, and Advise
// says what to use in their place, by the costs of measure.go.
package why

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"fount/cmd/internal/lab"

	"github.com/google/pprof/profile"
)

// A Report is what there is to say of a program.
type Report struct {
	Program    string  `json:"program"`
	Seconds    float64 `json:"seconds"` // for which it was profiled; 0: not known
	CPUSeconds float64 `json:"cpu_seconds"`
	Samples    int64   `json:"samples"`
	Uses       []Use   `json:"uses"`            // the greatest share first
	Costs      *Costs  `json:"costs,omitempty"` // nil: no use would need them
}

// A Use is a call of something that makes random values or hashes passwords, at one line.
type Use struct {
	Family  string  `json:"family"`
	Call    string  `json:"call"`              // that the line calls, or what it ends in
	Through string  `json:"through,omitempty"` // what the line calls, of another module
	Func    string  `json:"func"`              // with the line
	File    string  `json:"file"`
	Line    int64   `json:"line"`
	Seconds float64 `json:"cpu_seconds"`
	Share   float64 `json:"cpu_share"` // of the program's CPU time
	Low     float64 `json:"cpu_share_low"`
	High    float64 `json:"cpu_share_high"` // 95 %, by the number of samples

	Advice string  `json:"advice"`
	Saves  float64 `json:"saves_share"` // of the program's CPU time
}

// Find makes a Report of a CPU profile, without costs and advice.
func Find(p *profile.Profile) (*Report, error) {
	cpu, err := indexOf(p, "cpu", "nanoseconds")
	if err != nil {
		return nil, err
	}
	samples, _ := indexOf(p, "samples", "count") // or -1

	r := &Report{Seconds: float64(max(0, p.DurationNanos)) / 1e9, Uses: []Use{}}
	if len(p.Mapping) > 0 {
		r.Program = path.Base(p.Mapping[0].File)
	}

	uses := make(map[Use]float64) // to their seconds
	for _, s := range p.Sample {
		if s.Value[cpu] <= 0 {
			continue
		}

		seconds := float64(s.Value[cpu]) / 1e9
		r.CPUSeconds += seconds
		if samples >= 0 {
			r.Samples += max(0, min(s.Value[samples], 1<<32)) // so that no sum of them overflows
		}
		if u, ok := useOf(s); ok {
			uses[u] += seconds
		}
	}
	if !(r.CPUSeconds > 0) || r.Samples == 0 {
		return nil, errors.New("it holds no sample: the program used no CPU time meanwhile")
	}

	for u, seconds := range uses {
		u.Seconds = seconds
		u.Share = seconds / r.CPUSeconds
		u.Low, u.High = lab.Wilson(u.Share, float64(r.Samples))
		r.Uses = append(r.Uses, u)
	}
	slices.SortFunc(r.Uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Call, b.Call), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return r, nil
}

// indexOf returns the index of a type among the values of a sample, or -1 and an error.
func indexOf(p *profile.Profile, kind, unit string) (int, error) {
	var kinds []string
	for i, t := range p.SampleType {
		if t.Type == kind && t.Unit == unit {
			return i, nil
		}
		kinds = append(kinds, t.Type)
	}
	return -1, errors.New("it is a profile of " + strings.Join(kinds, ", ") + "; a CPU profile is wanted")
}

// useOf returns the use that a sample is of, if it is of one: the outermost function that is a use,
// and the line that calls it. So a hash that draws its salt is a hash, and a UUID that draws its
// bytes is a UUID.
func useOf(s *profile.Sample) (u Use, ok bool) {
	var stack []profile.Line // the innermost first
	for _, l := range s.Location {
		stack = append(stack, l.Line...)
	}
	stack = slices.DeleteFunc(stack, func(l profile.Line) bool { return l.Function == nil })

	for i, l := range slices.Backward(stack) {
		family := familyOf(l.Function.Name)
		if family == "" {
			continue
		}

		u.Family = family
		u.Call = l.Function.Name
		if slices.ContainsFunc(stack[:i], isPooledUUID) {
			u.Call = pooledUUID
		}
		u.setCaller(stack[i+1:])
		return u, true
	}
	return u, false
}

// setCaller sets the line of the call, and Through if that line calls it by way of others. Of the
// callers, the nearest first, it is the nearest of the program itself, else of a dependency, else of
// the standard library.
func (u *Use) setCaller(callers []profile.Line) {
	if len(callers) == 0 {
		return
	}

	at := 0
	for i, l := range callers {
		if distance(l.Function) < distance(callers[at].Function) {
			at = i
		}
	}

	f := callers[at].Function
	u.Func = f.Name
	u.File = f.Filename
	u.Line = callers[at].Line

	switch {
	case at > 0:
		u.Through = callers[at-1].Function.Name
	case distance(f) > 0:
		u.Through = f.Name
	}
}
