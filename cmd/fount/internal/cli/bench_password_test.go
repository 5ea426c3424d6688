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
		"\n  8-goroutines ", "\n  each-core ", "\n  1-lane ", "\n  2-lanes ", "\nConclusion\n", "8-goroutines each waits for all",
		"on one core can't be told from serial"} { // of 2 runs nothing can be
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

// The C libraries that are not installed are named, each reason once, and with how to get them; a build that can't be
// loaded is named too; the parameters asked for are those measured.
func TestBenchPasswordWithoutLibraries(t *testing.T) {
	t.Setenv("FOUNT_PYTHON", "no-such-python")
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "password", "--count", "1", "--benchtime", "1x", "--bench", "argon2id", "--argon2id", "m=64,t=1",
		"--libargon2", "no-such.so"}
	if status := Main(args, nil, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	words := strings.Join(strings.Fields(stdout.String()), " ")
	for _, part := range []string{"--argon2id m=64,t=1 --libargon2 no-such.so", " argon2id-pool ", " argon2id-xcrypto ",
		"argon2id-libargon2, argon2id-argon2-cffi, argon2id-libsodium, argon2id-PyNaCl, argon2id-no-such.so: needs no-such-python"} {
		if !strings.Contains(words, part) {
			t.Errorf("%q is not there:\n%s", part, stdout.String())
		}
	}
	for _, absent := range []string{logins.Kept, "Libraries"} {
		if strings.Contains(words, absent) {
			t.Errorf("%q is there:\n%s", absent, stdout.String())
		}
	}
}

// Those that are installed are measured, or say why not; the report names their files.
func TestBenchPasswordLibraries(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "password", "--count", "1", "--benchtime", "2x", "--bench", "argon2id", "--argon2id", "m=64,t=1", "--json"}
	if status := Main(args, nil, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	var r logins.HashReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Argon2id != "argon2id,m=64,t=1,p=1" {
		t.Errorf("the policy is %q", r.Argon2id)
	}
	measured := map[string]bool{}
	for _, m := range r.Tables[0].Methods {
		if m.NS != nil {
			measured[m.Name] = true
		} else if !strings.Contains(m.Error, "needs python3") && !strings.Contains(m.Error, "not installed; to be had by") {
			t.Errorf("%s: %q", m.Name, m.Error)
		}
	}
	for _, l := range r.Libraries {
		if l.File == "" || !measured["argon2id-"+l.Name] {
			t.Errorf("%+v was found and not measured", l)
		}
	}
	if !measured["argon2id"] || !measured["argon2id-pool"] || !measured["argon2id-xcrypto"] {
		t.Errorf("measured: %v", measured)
	}
}
