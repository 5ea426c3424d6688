// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

// What an examination found. Names of fields in JSON stay; fields may be added.

import (
	"fount"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
)

// A Result is all that an examination found.
type Result struct {
	Machine    machine.Facts      `json:"machine"`
	Findings   []machine.Finding  `json:"findings"`
	Problems   int                `json:"problems"`
	Status     fount.StatusReport `json:"status"`
	Randomness Randomness         `json:"randomness"`
	Verdict    nonce.Verdict      `json:"verdict"`
	Passwords  *Passwords         `json:"passwords"` // null if a problem left nothing to measure
}

// Randomness is what random values cost.
type Randomness struct {
	Rounds  int      `json:"rounds"`
	TurnMS  float64  `json:"turn_ms"`
	Clock   string   `json:"clock"`   // "cpu": time of the cores without what other programs took; or "elapsed"
	Cores   int      `json:"cores"`   // goroutines of all_cores
	Methods []Method `json:"methods"` // none if a problem left nothing to measure
}

// A Method is what one method costs, in ns per nonce. The figures for all cores are time divided by the nonces of all of
// them, so that perfect scaling halves them on two; with GOMAXPROCS=1 they are those of one core.
type Method struct {
	Name     string `json:"name"`
	Weakness string `json:"weakness,omitempty"`
	Error    string `json:"error,omitempty"` // why it was not measured; the figures are 0 then

	OneCoreNS     float64   `json:"one_core_ns"`
	OneCoreMinNS  float64   `json:"one_core_min_ns"`
	OneCoreMaxNS  float64   `json:"one_core_max_ns"`
	OneCoreRatio  float64   `json:"one_core_ratio"`            // to crypto/rand, 0 if that was not measured
	OneCore       []float64 `json:"one_core_values,omitempty"` // round by round
	AllCoresNS    float64   `json:"all_cores_ns"`
	AllCoresMinNS float64   `json:"all_cores_min_ns"`
	AllCoresMaxNS float64   `json:"all_cores_max_ns"`
	AllCoresRatio float64   `json:"all_cores_ratio"`
	AllCores      []float64 `json:"all_cores_values,omitempty"`
}

// Method returns what was measured of the method of that name, nil if it was not measured.
func (r *Randomness) Method(name string) *Method {
	for i, m := range r.Methods {
		if m.Name == name && m.Error == "" && m.OneCoreNS > 0 {
			return &r.Methods[i]
		}
	}
	return nil
}

// ProblemNames names the findings that are problems.
func (r *Result) ProblemNames() (names []string) {
	for _, f := range r.Findings {
		if f.Level == machine.Problem {
			names = append(names, f.Name)
		}
	}
	return names
}

// Capacity is how many logins a second this machine bears, 0 if that was not measured.
func (r *Result) Capacity() float64 {
	if r == nil || r.Passwords == nil {
		return 0
	}
	return r.Passwords.Peak
}

// methods makes the figures of the result. The ratios are to the first method, crypto/rand.
func methods(results []measure.Result) []Method {
	rows := make([]Method, len(results))
	for i, r := range results {
		row := Method{Name: r.Method.Name, Weakness: r.Method.Weakness}
		if r.Err != nil {
			row.Error = measure.Reason(r.Err)
			rows[i] = row
			continue
		}
		one, all := r.Costs[0], r.Costs[len(r.Costs)-1]
		row.OneCore, row.AllCores = one.Values, all.Values
		row.OneCoreNS, row.OneCoreMinNS, row.OneCoreMaxNS = one.Median, one.Min(), one.Max()
		row.AllCoresNS, row.AllCoresMinNS, row.AllCoresMaxNS = all.Median, all.Min(), all.Max()
		if base := results[0]; base.Err == nil {
			row.OneCoreRatio = row.OneCoreNS / base.Costs[0].Median
			row.AllCoresRatio = row.AllCoresNS / base.Costs[len(base.Costs)-1].Median
		}
		rows[i] = row
	}
	return rows
}
