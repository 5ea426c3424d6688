// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const small = `{"machine": {"cpu": "Testium 9000", "gomaxprocs": 2, "go_version": "go1.26.8"}, "measured": {
	"capacity": [{"mechanism": "pool", "per_s": 34}, {"mechanism": "pool+lanes", "per_s": 110}],
	"runs": [
		{"config": {"mechanism": "max_out", "rate": 17, "deadline_ns": 1000000000, "cost": 10}, "goodput_per_s": 17,
		 "heartbeat": {"p99_ms": 0.5}},
		{"config": {"mechanism": "max_out", "rate": 102, "deadline_ns": 1000000000, "cost": 10}, "goodput_per_s": 0,
		 "heartbeat": {"p99_ms": 900.5}},
		{"config": {"mechanism": "pool+lanes", "rate": 102, "deadline_ns": 1000000000, "cost": 10}, "goodput_per_s": 99,
		 "heartbeat": null}
	]}}`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := run(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without password-sweep.json: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "password-sweep.json"), []byte(small), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	svg, err := os.ReadFile(filepath.Join(dir, "password-sweep.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("password-sweep.svg: %v", err)
		}
	}
	for _, text := range []string{"max_out", "pool+lanes", "asked for", "Testium 9000", "within 1s",
		"Load 1 is 34 logins/s"} {
		if !strings.Contains(string(svg), text) {
			t.Errorf("password-sweep.svg does not say %q", text)
		}
	}
	if strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "Inf") {
		t.Error("password-sweep.svg has coordinates that are no numbers")
	}
}

func TestRead(t *testing.T) {
	s, err := read([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.mechanisms(); len(got) != 2 || got[0] != "max_out" || s.base() != 34 {
		t.Errorf("mechanisms %q, base %v", got, s.base())
	}
	for what, object := range map[string]string{
		"no object":   `[]`,
		"no runs":     `{"measured": {"capacity": [{"mechanism": "pool", "per_s": 34}], "runs": []}}`,
		"no capacity": strings.Replace(small, `"pool", "per_s"`, `"lake", "per_s"`, 1),
		"closed loop": strings.Replace(small, `"rate": 17`, `"rate": 0`, 1),
	} {
		if _, err := read([]byte(object)); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
