// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package statistics

// The tools: three of others', and one check that they lack.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	entBytes = "ent bytes"
	entBits  = "ent bits"
	rngtest  = "rngtest"
	repeats  = "repeats"
)

var quickChecks = []check{
	{entBytes, "ent", 2, ent()},
	{entBits, "ent", 2, ent("-b")},
	{rngtest, "rngtest", 2, runRngtest},
	{repeats, "", 1, findRepeat},
}

// dieharderChecks are those of dieharder's that take 2 s at most, so that the long set ends in three minutes where
// dieharder -a takes an hour. Left out are what dieharder itself calls suspect, and slower tests that caught no
// control which these do not. Where a number of samples is given it is at most a fifth of dieharder's own, for the
// time's sake; the number of p-values stays at 100, because with fewer its Kolmogorov-Smirnov test calls ChaCha20 WEAK or
// worse (its test 17 with 2: p = 1.00000000). Lagged sums: 0 takes every word, 3 every fourth, which is one of each
// turn, and 15 every sixteenth, which is always the same shard's.
var dieharderChecks, dieharderNames = func() (checks []check, names []string) {
	for _, d := range []struct{ name, args string }{
		{"birthdays", "-d 0"},
		{"rank_6x8", "-d 3 -t 10000"},
		{"bitstream", "-d 4"},
		{"count_1s", "-d 8"},
		{"2dsphere", "-d 11"},
		{"squeeze", "-d 13 -t 10000"},
		{"runs", "-d 15"},
		{"monobit", "-d 100"},
		{"sts_runs", "-d 101 -t 10000"},
		{"permutations", "-d 202 -n 5 -t 20000"},
		{"lagged_sum 0", "-d 203 -n 0 -t 100000"},
		{"lagged_sum 3", "-d 203 -n 3 -t 100000"},
		{"lagged_sum 15", "-d 203 -n 15 -t 10000"},
		{"dct", "-d 206"},
	} {
		checks = append(checks, check{d.name, "dieharder", 4, dieharder(strings.Fields(d.args)...)})
		names = append(names, d.name)
	}
	return checks, names
}()

// pipe runs a tool on b. Some tools exit with 1 when they find something.
func pipe(t *testing.T, b []byte, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.CombinedOutput()
	if _, found := err.(*exec.ExitError); err != nil && !found {
		t.Fatal(err)
	}
	return string(out)
}

var percent = regexp.MustCompile(`would exceed this value (less than |more than )?(?:than )?([0-9.]+) percent`)

// ent counts bytes, or bits, and says how often chance alone would be further off. Beyond 0.01 % and 99.99 % it
// names no figure.
func ent(args ...string) func(*testing.T, sample) verdict {
	return func(t *testing.T, s sample) verdict {
		out := pipe(t, s.bytes, "ent", args...)
		m := percent.FindStringSubmatch(strings.ReplaceAll(out, "\n", " "))
		if m == nil {
			t.Fatalf("ent says nothing of a chi-square: %s", out)
		}
		return verdict{bad: m[1] != "", says: m[1] + m[2] + " %", output: out}
	}
}

const (
	blocks    = 1000
	badBlocks = 9
)

var failures = regexp.MustCompile(`FIPS 140-2 (successes|failures): (\d+)`)

func runRngtest(t *testing.T, s sample) verdict {
	out := pipe(t, s.bytes, "rngtest", "-c", strconv.Itoa(blocks))
	m := failures.FindAllStringSubmatch(out, -1)
	if len(m) != 2 || m[0][1] != "successes" {
		t.Fatalf("rngtest does not count: %s", out)
	}
	good, _ := strconv.Atoi(m[0][2])
	bad, _ := strconv.Atoi(m[1][2])
	if good+bad != blocks {
		t.Fatalf("rngtest saw %d blocks, want %d: %s", good+bad, blocks, out)
	}
	return verdict{bad: bad >= badBlocks, says: fmt.Sprint(bad, " of ", blocks), output: out}
}

// findRepeat finds any 15 bytes that come again, wherever: these hold 8 that lie at a multiple of 8.
func findRepeat(_ *testing.T, s sample) verdict {
	b := s.bytes
	seen := make(map[uint64]int, len(b)/8)
	for i := 0; i+8 <= len(b); i++ {
		window := binary.LittleEndian.Uint64(b[i:])
		if at, found := seen[window]; found && at != i {
			return verdict{bad: true, says: fmt.Sprintf("at %d and %d", at, i),
				output: fmt.Sprintf("the 8 bytes at %d come again at %d\n", at, i)}
		}
		if i%8 == 0 {
			seen[window] = i
		}
	}
	return verdict{says: "none", output: "no 8 bytes that lie at a multiple of 8 come again\n"}
}

var pValue = regexp.MustCompile(`([0-9.]+),\s*(PASSED|WEAK|FAILED)`)

// dieharder runs one of its tests on a stream that ends when it has read enough.
func dieharder(args ...string) func(*testing.T, sample) verdict {
	args = append([]string{"-g", "200", "-k", "2"}, args...)
	for _, field := range []string{"test_name", "ntuple", "tsamples", "psamples", "pvalues", "assessment"} {
		args = append(args, "-D", field)
	}
	return func(t *testing.T, s sample) verdict {
		stream, tool := s.stream(), exec.CommandContext(t.Context(), "dieharder", append(args, "-c", ",")...)
		var lastLine bytes.Buffer
		stream.Stderr = &lastLine
		pipe, err := stream.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.Start(); err != nil {
			t.Fatal(err)
		}
		tool.Stdin = pipe
		out, err := tool.CombinedOutput()
		pipe.Close() // ends the stream
		stream.Wait()
		m := pValue.FindAllStringSubmatch(string(out), -1)
		if err != nil || m == nil {
			t.Fatalf("dieharder %q: %v\n%s", args, err, out)
		}
		v := verdict{output: string(out) + lastLine.String()}
		var says []string
		for _, p := range m {
			says = append(says, p[1]+" "+p[2])
			v.bad = v.bad || p[2] != "PASSED"
		}
		v.weak = v.bad && !strings.Contains(string(out), "FAILED")
		v.says = strings.Join(says, ", ")
		return v
	}
}
