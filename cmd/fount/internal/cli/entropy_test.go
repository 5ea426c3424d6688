// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/entropy"
	"fount/lab/show"
)

func TestNSPerByte(t *testing.T) {
	calls := 0
	gives := func(b []byte) (int, error) { calls++; return len(b), nil }
	if ns := nsPerByte(gives, time.Nanosecond); ns <= 0 || calls < 6 {
		t.Errorf("%v ns a byte after %d calls", ns, calls)
	}
	broken := errors.New("broken")
	for name, draw := range map[string]func([]byte) (int, error){
		"gives nothing": func([]byte) (int, error) { return 0, nil },
		"fails":         func([]byte) (int, error) { return 0, broken },
		"fails at the third": func(b []byte) (int, error) {
			if calls++; calls > 2 {
				return 0, broken
			}
			return len(b), nil
		},
	} {
		calls = 0
		if ns := nsPerByte(draw, time.Nanosecond); ns != 0 {
			t.Errorf("a source that %s: %v ns a byte, want 0", name, ns)
		}
	}
}

const cutOff = "cut off: repetition count test: 81 equal samples in a row, at most 80 pass"

// sampleRows are sources in every state.
var sampleRows = []sourceRow{
	{entropy.SourceStatus{Name: "kernel", Available: true, Credit: 8, Healthy: true, Bytes: 32}, 9.42, 1e9 / 9.42},
	{entropy.SourceStatus{Name: "rdseed", Why: "this processor has no such instruction"}, 0, 0},
	{entropy.SourceStatus{Name: "rdrand", Available: true, Why: "it has given nothing yet"}, 0, 0},
	{entropy.SourceStatus{Name: "jitter", Available: true, CutOff: true, Why: cutOff}, 0, 0},
}

func TestSourcesText(t *testing.T) {
	const want = `source  credit          B/s  ns/B  health
kernel       8  110,000,000   9.4  ok
rdseed       0            -     -  absent
rdrand       0            -     -  unknown
jitter       0            -     -  cut off

rdseed: this processor has no such instruction.
rdrand: it has given nothing yet.
jitter: cut off: repetition count test: 81 equal
  samples in a row, at most 80 pass.
Credit is in bits a byte. Only the kernel counts.
`
	if got := sourcesText(sampleRows, show.Style{Width: 50}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Names that programs read.
func TestSourcesJSON(t *testing.T) {
	var b bytes.Buffer
	if err := printJSON(&b, sourceList{sampleRows}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Sources []map[string]any `json:"sources"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || len(got.Sources) != len(sampleRows) {
		t.Fatalf("%v\n%s", err, b.String())
	}
	keys := []string{"name", "available", "credit_bits_per_byte", "healthy", "cut_off", "bytes", "ns_per_byte", "bytes_per_second"}
	for _, key := range keys {
		if _, ok := got.Sources[0][key]; !ok {
			t.Errorf("no %q in\n%s", key, b.String())
		}
	}
	if why := got.Sources[3]["why"]; why != sampleRows[3].Why {
		t.Errorf("why is %v", why)
	}
}

// counter returns samples 0, 1, 2 and so on.
func counter() func([]byte) {
	next := byte(0)
	return func(b []byte) {
		for i := range b {
			b[i] = next
			next++
		}
	}
}

func TestWriteSamples(t *testing.T) {
	for _, n := range []int{0, 1, 255, 16 << 10, 16<<10 + 1, 100_000} {
		want := make([]byte, n)
		counter()(want)
		var b bytes.Buffer
		if err := writeSamples(&b, uint64(n), false, counter()); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d samples: %v, %d bytes, not those of the source", n, err, b.Len())
		}
		b.Reset()
		if err := writeSamples(&b, uint64(n), true, counter()); err != nil {
			t.Error(err)
		}
		var got []byte
		for line := range strings.Lines(b.String()) {
			x, err := strconv.ParseUint(strings.TrimSuffix(line, "\n"), 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, byte(x))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d samples as text are %d, not those of the source", n, len(got))
		}
	}
}

// A writer that fails ends the sampling, at the latest when the buffer is full.
func TestWriteSamplesFails(t *testing.T) {
	drawn := 0
	full := errors.New("full")
	err := writeSamples(failingWriter{full}, 1<<40, false, func(b []byte) { drawn += len(b) })
	if err != full || drawn > 256<<10 {
		t.Errorf("%v after %d samples", err, drawn)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestSampledHealth(t *testing.T) {
	list := make([]entropy.SourceStatus, len(sampleRows))
	for i, r := range sampleRows {
		list[i] = r.SourceStatus
	}
	if err := sampledHealth("kernel", list); err != nil {
		t.Error(err)
	}
	const want = "all samples were written, but the source is not healthy: " + cutOff
	if err := sampledHealth("jitter", list); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
