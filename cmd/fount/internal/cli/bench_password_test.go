// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount bench password: whole runs of the cheapest bcrypt, whose figures mean nothing.

package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fount/lab/logins"
)

func TestBenchPassword(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "password", "--cost", "4", "--count", "2", "--benchtime", "1x", "--goroutines", "8",
		"--bench", "serial|goroutines|core|lane"}
	if status := Main(args, nil, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	rest := stdout.String()
	for _, part := range []string{"fount bench password --cost 4 --benchtime 1x --count 2 --goroutines 8", "hashes/s",
		"\n  serial ",
		"\n  8-goroutines ", "\n  each-core ", "\n  1-lane ", "\n  2-lanes "} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not there, or not in its place:\n%s", part, stdout.String())
		}
		rest = after
	}
}

func TestBenchPasswordJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "password", "--cost", "4", "--count", "1", "--benchtime", "2x", "--cpu", "1,2", "--json",
		"--bench", "serial|4-lanes|argon2id$"}
	if status := Main(args, nil, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var r logins.HashReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Benchmark != "Password" || len(r.Tables) != 2 {
		t.Fatalf("benchmark %q, %d tables", r.Benchmark, len(r.Tables))
	}
	for _, table := range r.Tables {
		if len(table.Methods) != 3 {
			t.Fatalf("%d methods, want 3", len(table.Methods))
		}
		for _, m := range table.Methods {
			if m.Error != "" || m.NS == nil || m.NS.Median <= 0 {
				t.Errorf("%s: %s, not measured", m.Name, m.Error)
			}
		}
	}
}
