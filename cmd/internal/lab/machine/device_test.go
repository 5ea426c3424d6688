// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the look at Plan 9's /dev/random, in simulated time.

package machine

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// tap is a device that takes its time to open, holds bytes, makes another in each interval once
// they are gone, and fails after so many.
type tap struct {
	opens time.Duration
	fault error // of opening
	holds int
	every time.Duration
	fails int // at this byte, if above 0
	gave  int
}

func (d *tap) open() (io.ReadCloser, bool, error) {
	time.Sleep(d.opens)
	return io.NopCloser(d), false, d.fault
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

func TestLookAt(t *testing.T) {
	const tick = 52 * time.Millisecond // four of the classic kernel's
	for _, test := range []struct {
		name  string
		tap   tap
		bytes int
		level Level
		says  string // in value and meaning
	}{
		{"full", tap{holds: 1023, every: tick}, 8, Note, "8 bytes in 0 ms. A classic kernel's holds 1023"},
		{"drained", tap{every: tick}, 8, Note, "8 bytes in 416 ms. A program's first use of crypto/rand waits 1.7 s for 32 bytes"},
		{"crowded", tap{every: 400 * time.Millisecond}, 2, Note, "2 bytes in 1000 ms. A program's first use of crypto/rand waits 16 s"},
		{"none", tap{every: 2 * time.Second}, 0, Problem, "0 bytes in 1000 ms. Every program waits"},
		{"one", tap{every: 700 * time.Millisecond}, 1, Problem, "1 bytes in 1000 ms. Every program waits"},
		{"fast", tap{every: 100 * time.Microsecond}, 8, Note, "8 bytes in 1 ms. A classic"},
		{"hangs", tap{opens: time.Minute}, 0, Problem, "not opened within 1s: the file server mounted there hangs. "},
		{"can't be opened", tap{fault: errors.New("clone failed")}, 0, Problem, "clone failed. "},
		{"dead", tap{fails: 1}, 0, Problem, "mount rpc error. "},
		{"dies", tap{every: tick, fails: 4}, 3, Problem, "mount rpc error. "},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				d := lookAt(func(f func()) { go f() }, test.tap.open)
				if took := time.Since(start); took > patience {
					t.Errorf("it took %v, want %v at most", took, patience)
				}
				f := Facts{Random: KernelRandom{Device: d}}
				x := f.device()
				checkForm(t, x)
				if bad := x.Level == Problem; f.Random.Usable() == bad || (f.kernel().Level == Problem) != bad {
					t.Errorf("%+v, but usable %v, kernel %+v", x, f.Random.Usable(), f.kernel())
				}
				if text := x.Value + ". " + x.Means; d.Bytes != test.bytes || x.Level != test.level || !strings.Contains(text, test.says) {
					t.Errorf("%+v and %s, %q; want %d bytes, %s, %q", d, x.Level, text, test.bytes, test.level, test.says)
				}
				time.Sleep(2 * time.Minute) // what is left behind ends
				synctest.Wait()
				if most := min(d.Bytes+1, sip); test.tap.gave > most {
					t.Errorf("%d bytes are taken, want %d at most", test.tap.gave, most)
				}
			})
		})
	}
}
