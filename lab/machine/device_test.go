// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the look at Plan 9's /dev/random, in simulated time.

package machine

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// tap is a device that holds bytes, makes another in each interval once they are gone, and fails after so many.
type tap struct {
	holds int
	every time.Duration
	fails int // at this byte, if above 0
	gave  int
}

func (d *tap) Read(b []byte) (int, error) {
	if d.gave++; d.gave == d.fails {
		return 0, errors.New("mount rpc error")
	}
	if d.gave > d.holds {
		time.Sleep(d.every)
	}
	return copy(b, "x"), nil
}

func TestTaste(t *testing.T) {
	const tick = 52 * time.Millisecond // four of the classic kernel's
	for _, test := range []struct {
		name  string
		tap   tap
		bytes int
		rate  float64
		level Level
		says  []string // in value and meaning
	}{
		{"full", tap{holds: 1023, every: tick}, 8, 0, Note, []string{"8 bytes in 0 ms. A classic kernel's holds 1023", "docs/files.md"}},
		{"drained", tap{every: tick}, 8, 19.2, Note, []string{"8 bytes in 416 ms, drained, 19 B/s", "waits 1.7 s for 32 bytes, 16 programs at once 27 s", "those took 0.8 s"}},
		{"runs dry", tap{holds: 5, every: tick}, 8, 19.2, Note, []string{"drained, 19 B/s"}},
		{"one hiccup", tap{holds: 7, every: 300 * time.Millisecond}, 8, 0, Note, []string{"8 bytes in 300 ms. A classic"}},
		{"crowded", tap{every: 400 * time.Millisecond}, 2, 2.5, Note, []string{"2 bytes in 1000 ms, drained, 2 B/s"}},
		{"none", tap{every: 2 * time.Second}, 0, 0, Problem, []string{"0 bytes in 1000 ms, others wait for it"}},
		{"one", tap{every: 700 * time.Millisecond}, 1, 0, Problem, []string{"1 bytes in 1000 ms, others wait for it"}},
		{"fast", tap{every: 100 * time.Microsecond}, 8, 0, Note, []string{"8 bytes in 1 ms. "}},
		{"dead", tap{fails: 1}, 0, 0, Problem, []string{"mount rpc error. ", "unmount /dev/random"}},
		{"dies", tap{every: tick, fails: 4}, 3, 19.2, Problem, []string{"mount rpc error. "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				d := taste(time.After(patience), &test.tap)
				if took := time.Since(start); took > patience {
					t.Errorf("it took %v, want %v at most", took, patience)
				}
				if d.Bytes != test.bytes || math.Abs(d.Rate-test.rate) > 0.1 {
					t.Errorf("%+v, want %d bytes, %.1f B/s", d, test.bytes, test.rate)
				}
				f := Facts{Random: KernelRandom{Device: &d}}
				x := f.device()
				checkForm(t, x)
				if bad := x.Level == Problem; f.Random.Usable() == bad || (f.kernel().Level == Problem) != bad {
					t.Errorf("%+v, but usable %v, kernel %+v", x, f.Random.Usable(), f.kernel())
				}
				if x.Level != test.level {
					t.Errorf("%+v, want %s", x, test.level)
				}
				for _, want := range test.says {
					if got := x.Value + ". " + x.Means; !strings.Contains(got, want) {
						t.Errorf("%q, want %q", got, want)
					}
				}
				time.Sleep(sip * test.tap.every) // what is left behind ends
				synctest.Wait()
				if most := min(d.Bytes+1, sip); test.tap.gave > most {
					t.Errorf("%d bytes are taken, want %d at most", test.tap.gave, most)
				}
			})
		})
	}
}
