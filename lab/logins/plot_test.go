// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"fount/lab/machine"
)

const smallSweep = `{"name": "sweep",
	"capacity": [{"mechanism": "pool", "per_s": 34}, {"mechanism": "pool+lanes", "per_s": 110}],
	"runs": [
		{"config": {"mechanism": "max_out", "rate": 17, "deadline_ns": 1000000000, "cost": 10}, "goodput_per_s": 17,
		 "heartbeat": {"p99_ms": 0.5}},
		{"config": {"mechanism": "max_out", "rate": 102, "deadline_ns": 1000000000, "cost": 10}, "goodput_per_s": 0,
		 "heartbeat": {"p99_ms": 900.5}},
		{"config": {"mechanism": "pool+lanes", "rate": 102, "deadline_ns": 1000000000, "cost": 10}, "goodput_per_s": 99,
		 "heartbeat": null}
	]}`

// The picture of the callers has the post's figures beside those measured, and a run without an end is left out of the
// lower half alone.
func TestCallersSVG(t *testing.T) {
	s, err := Plans[4].Make(t.Context(), Terms{Cost: 10, Run: madeUp(34, func(r *Report) { r.Good, r.Refused = r.Refused, 0 })})
	if err != nil {
		t.Fatal(err)
	}
	s.Runs[3].Finished = nil
	svg, err := s.SVG(machine.Facts{CPU: "Testium 9000"})
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, svg)
	for _, text := range []string{">max_out<", ">buffered<", ">the post, max_out<", ">the post, buffered<", "Testium 9000", "Compares in 5s"} {
		if !bytes.Contains(svg, []byte(text)) {
			t.Errorf("the plot does not say %q", text)
		}
	}
}

func checkXML(t *testing.T, svg []byte) {
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
		t.Error("the plot has coordinates that are no numbers")
	}
}

func TestSweepSVG(t *testing.T) {
	var s Study
	if err := json.Unmarshal([]byte(smallSweep), &s); err != nil {
		t.Fatal(err)
	}
	svg, err := s.SVG(machine.Facts{CPU: "Testium 9000"})
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, svg)
	for _, text := range []string{">max_out<", ">pool+lanes<", ">asked for<", "Testium 9000", "within 1s", "Load 1 is 34 logins/s"} {
		if !bytes.Contains(svg, []byte(text)) {
			t.Errorf("the plot does not say %q", text)
		}
	}
	for _, without := range []func(*Study){
		func(s *Study) { s.Name = "table" },
		func(s *Study) { s.Runs = nil },
		func(s *Study) { s.Capacity = s.Capacity[1:] },
	} {
		other := s
		without(&other)
		if _, err := other.SVG(machine.Facts{}); !errors.Is(err, ErrNoPicture) {
			t.Errorf("%+v: %v, want %v", other, err, ErrNoPicture)
		}
	}
}
