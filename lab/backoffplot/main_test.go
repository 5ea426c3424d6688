// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every client is in a slot, every case expects all of them, and each keeps to what
// it is drawn to show.
func TestSimulate(t *testing.T) {
	cases := simulate()
	for _, s := range cases {
		total, expected := 0, 0.0
		for i := range s.counts {
			total += s.counts[i]
			expected += s.expected[i]
		}
		if total != clients || math.Abs(expected-clients) > 1e-6 || len(s.counts) != len(s.expected) {
			t.Errorf("%s: %d clients in %d slots, %v expected in %d; want %d", s.name, total, len(s.counts), expected, len(s.expected), clients)
		}
		if s.allowed == 0 && s.peak() != clients {
			t.Errorf("%s: the fullest slot holds %d; want all %d", s.name, s.peak(), clients)
		}
		// The odds are in TestFullJitterSpreads and TestDecorrelatedJitterSpreads.
		if most := s.allowed * s.mean(); s.allowed != 0 && float64(s.peak()) > most {
			t.Errorf("%s: the fullest slot holds %d; want at most %v", s.name, s.peak(), most)
		}
	}
}

func TestRunWritesBothFiles(t *testing.T) {
	dir := t.TempDir()
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "backoff.txt"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) == 5 && fields[0] != "#" {
			rows++
		}
	}
	if rows != 1+10+10+8 {
		t.Errorf("backoff.txt has %d rows; want a heading and 28", rows)
	}
	svg, err := os.ReadFile(filepath.Join(dir, "backoff.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("backoff.svg: %v", err)
		}
	}
	for _, want := range []string{"Base 100 ms", "allowed: 1.15 × the mean", "allowed: 2 × the mean"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("backoff.svg does not say %q", want)
		}
	}
	if err := run(filepath.Join(dir, "none")); err == nil {
		t.Error("run into a directory that does not exist returned no error")
	}
}
