// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package statistics has ent, rngtest and dieharder judge what fount draws, and streams with known
// faults beside it. It is not a library: it holds tests only.
//
//	go test ./cmd/internal/test/statistics                             20 Mbit of each stream
//	FOUNT_LONG=1 go test -count=1 -v ./cmd/internal/test/statistics    and 8 tests of dieharder
//
// It needs the Debian packages ent, rng-tools5 and dieharder. Without them it skips;
// FOUNT_REQUIRE=statistics makes that an error.
package statistics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fount"
	"fount/internal/test/require"
)

// A fill fills b, whose length is a multiple of 64, with the next bytes of a stream.
type fill func(b []byte)

func nonces(b []byte) {
	for ; len(b) > 0; b = b[16:] {
		nonce := fount.Nonce()
		copy(b, nonce[:])
	}
}

// sizes reads 1, 2, 3 ... 2048 bytes, so reads end at every place of a buffer.
func sizes() fill {
	size := 0
	return func(b []byte) {
		for len(b) > 0 {
			size = size%2048 + 1
			n, _ := fount.Read(b[:min(size, len(b))])
			b = b[n:]
		}
	}
}

// inTurn makes one stream of several, 16 bytes of each in turn.
func inTurn(each ...fill) fill {
	return func(b []byte) {
		for i := 0; len(b) > 0; i++ {
			each[i%len(each)](b[:16])
			b = b[16:]
		}
	}
}

// drawing draws in a goroutine of its own, until the test ends.
func drawing(t *testing.T) fill {
	ahead := make(chan []byte)
	go func() {
		for {
			b := make([]byte, 1<<16)
			nonces(b)
			select {
			case ahead <- b:
			case <-t.Context().Done():
				return
			}
		}
	}()
	var rest []byte
	return func(b []byte) {
		if len(rest) == 0 {
			rest = <-ahead
		}
		rest = rest[copy(b, rest):]
	}
}

// known is a stream without fault, the same in every run. The controls' faults are put into it.
func known(seed byte) fill {
	src := rand.NewChaCha8([32]byte{seed})
	return func(b []byte) { src.Read(b) }
}

// behind is four states in turn of which the last is the first one, 16 bytes behind.
func behind() fill {
	first := known(0)
	last := [16]byte{1}
	return inTurn(func(b []byte) { first(b); copy(last[:], b) }, known(1), known(2),
		func(b []byte) { copy(b, last[:]) })
}

// replay serves 960 bytes again, a MiB later.
func replay() fill {
	good, served, saved := known(0), 0, []byte(nil)
	return func(b []byte) {
		good(b)
		for i := 0; i < len(b); i, served = i+64, served+64 {
			if served < 960 {
				saved = append(saved, b[i:i+64]...)
			} else if at := served - 1<<20; at >= 0 && at < 960 {
				copy(b[i:i+64], saved[at:])
			}
		}
	}
}

// biased has bits that are 1 with probability 1/2 + 1/1024.
func biased() fill {
	good := known(0)
	return func(b []byte) {
		good(b)
		var r [9 * 8]byte
		for i := 0; i < len(b); i += 8 {
			good(r[:])
			ones := ^uint64(0)
			for j := 0; j < len(r); j += 8 {
				ones &= binary.LittleEndian.Uint64(r[j:])
			}
			binary.LittleEndian.PutUint64(b[i:], binary.LittleEndian.Uint64(b[i:])|ones)
		}
	}
}

// A check reports whether it finds something in a stream without fault with a small probability:
// 3 in 10,000 at most for ent and rngtest, 1 in 100 for dieharder, 4 in 10^8 for repeats.
type check struct {
	name  string
	tries int // it must find something in so many samples to fail
	finds func(*testing.T, fill) bool
}

func checks() []check {
	all := []check{
		{"ent bytes", 2, ent()},
		{"ent bits", 2, ent("-b")},
		{"rngtest", 2, rngtest},
		{"repeats", 1, repeats},
	}
	if os.Getenv("FOUNT_LONG") == "" {
		return all
	}
	for _, args := range []string{"-d 0", "-d 3 -t 10000", "-d 4", "-d 8", "-d 11", "-d 13 -t 10000", "-d 100", "-d 206"} {
		all = append(all, check{"dieharder " + args, 4, dieharder(strings.Fields(args))})
	}
	return all
}

// sampleBytes are 1,000 blocks of rngtest, and what it reads before them.
const sampleBytes = 1000*2500 + 32

func sample(next fill) []byte {
	b := make([]byte, (sampleBytes+63)/64*64)
	next(b)
	return b[:sampleBytes]
}

// pipe runs a tool, which may exit with 1 when it finds something.
func pipe(t *testing.T, b []byte, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(b)
	out, err := cmd.CombinedOutput()
	if _, found := errors.AsType[*exec.ExitError](err); err != nil && !found {
		t.Fatal(err)
	}
	return string(out)
}

var percent = regexp.MustCompile(`would exceed this value (less than |more than )?(?:than )?([0-9.]+) percent`)

// ent counts bytes, or bits. It finds what chance alone gives in less than 0.01 % of samples.
func ent(args ...string) func(*testing.T, fill) bool {
	return func(t *testing.T, next fill) bool {
		out := pipe(t, sample(next), "ent", args...)
		m := percent.FindStringSubmatch(strings.ReplaceAll(out, "\n", " "))
		if m == nil {
			t.Fatalf("ent says nothing of a chi-square: %s", out)
		}
		return m[1] != ""
	}
}

var failures = regexp.MustCompile(`FIPS 140-2 failures: (\d+)`)

// rngtest judges 1,000 blocks, of which 9 or more fail by chance in 3 of 10^7 samples.
func rngtest(t *testing.T, next fill) bool {
	out := pipe(t, sample(next), "rngtest", "-c", "1000")
	m := failures.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("rngtest does not count: %s", out)
	}
	n, _ := strconv.Atoi(m[1])
	return n >= 9
}

// repeats finds any 15 bytes that come again: these hold 8 that lie at a multiple of 8.
func repeats(_ *testing.T, next fill) bool {
	b := sample(next)
	seen := make(map[uint64]int, len(b)/8)
	for i := 0; i+8 <= len(b); i++ {
		window := binary.LittleEndian.Uint64(b[i:])
		if at, found := seen[window]; found && at != i {
			return true
		}
		if i%8 == 0 {
			seen[window] = i
		}
	}
	return false
}

// dieharder runs one of its tests, which reads as much as it likes. It finds p-values below 0.005
// and above 0.995.
func dieharder(args []string) func(*testing.T, fill) bool {
	return func(t *testing.T, next fill) bool {
		tool := exec.Command("dieharder", append(args, "-g", "200", "-k", "2", "-c", ",", "-D", "pvalues", "-D", "assessment")...)
		var out bytes.Buffer
		tool.Stdout, tool.Stderr = &out, &out
		in, err := tool.StdinPipe()
		if err == nil {
			err = tool.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() { ended <- tool.Wait() }()
		for b := make([]byte, 1<<16); err == nil; _, err = in.Write(b) {
			next(b)
		}
		if err := <-ended; err != nil || !strings.Contains(out.String(), "PASSED") && !strings.Contains(out.String(), "WEAK") && !strings.Contains(out.String(), "FAILED") {
			t.Fatalf("dieharder %q: %v\n%s", args, err, &out)
		}
		return strings.Contains(out.String(), "WEAK") || strings.Contains(out.String(), "FAILED")
	}
}

// No check finds anything in what fount draws.
func TestStreams(t *testing.T) {
	need(t)
	for name, open := range map[string]func() fill{
		"nonces":       func() fill { return nonces },
		"sizes":        sizes,
		"4 goroutines": func() fill { return inTurn(drawing(t), drawing(t), drawing(t), drawing(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next := open()
			for _, c := range checks() {
				found := 0
				for found < c.tries && c.finds(t, next) {
					found++
				}
				if found == c.tries {
					t.Errorf("%s finds something, %d times of %d", c.name, found, c.tries)
				}
			}
		})
	}
}

// Each check finds a fault that is there for it.
func TestFaults(t *testing.T) {
	need(t)
	for name, c := range map[string]struct {
		open   func() fill
		caught string
	}{
		"behind": {behind, "ent bytes, rngtest, repeats, dieharder -d 4, dieharder -d 8, dieharder -d 11"},
		"replay": {replay, "repeats"},
		"biased": {biased, "ent bits, dieharder -d 100"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, check := range checks() {
				if strings.Contains(c.caught+",", check.name+",") && !check.finds(t, c.open()) {
					t.Errorf("%s finds nothing", check.name)
				}
			}
		})
	}
}

func need(t *testing.T) {
	if testing.Short() {
		t.Skip("judges 20 Mbit of each stream; run without -short")
	}
	for _, tool := range []string{"ent", "rngtest", "dieharder"} {
		if _, err := exec.LookPath(tool); err != nil {
			require.Skip(t, "statistics", "no "+tool+" (Debian: ent, rng-tools5, dieharder)")
		}
	}
}
