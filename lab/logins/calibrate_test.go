// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what a calibration computes, and of the time it takes for one core's.

package logins

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"fount/password"
)

func TestCalibrationPlan(t *testing.T) {
	c := Calibration{Policy: "argon2id,m=65536,t=3,p=1", HashMS: 240, TargetMS: 250, GOMAXPROCS: 8, Workers: 7,
		Each:   64 << 20,
		Budget: 512 << 20, Peak: 28}
	c.plan(50)
	// 28/s on 7 workers are 4/s each: 13 workers, and the one core that was kept free. 50/s of 240 ms are 12 at once.
	if c.Cores != 14 || c.Memory != 12*64<<20 || *c.Enough {
		t.Errorf("%d cores, %d bytes, enough %v; want 14, 12 times 64 MiB, false", c.Cores, c.Memory, *c.Enough)
	}
	c.plan(20)
	if !*c.Enough {
		t.Error("20/s are too much")
	}
}

// "ms of a core" is one core's time: a hash of two lanes runs on one meanwhile, as Policy.Calibrate has it.
func TestOneCoresTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	failed := errors.New("failed")
	during := 0
	took, err := timeOfOne(func() error { during = runtime.GOMAXPROCS(0); return failed })
	if during != 1 || took <= 0 || err != failed || runtime.GOMAXPROCS(0) != 3 {
		t.Errorf("%d cores, %v, %v, and %d cores after; want 1, a time, %v, and 3",
			during, took, err, runtime.GOMAXPROCS(0), failed)
	}
}

// A policy of two lanes that the target was missed with is not passed because two cores shared it.
func TestCalibrateTwoLanes(t *testing.T) {
	k := Calibrator{
		Policy: password.Policy{Algorithm: password.Argon2id, Memory: 1024, Iterations: 1, Parallelism: 2},
		Target: 250 * time.Millisecond,
		time:   func(compare func() error) (time.Duration, error) { return 300 * time.Millisecond, compare() },
	}
	c, err := k.alone(k.Policy)
	if err != nil || c.HashMS != 300 || !c.Missed {
		t.Errorf("%+v, %v; want 300 ms, and the target missed", c, err)
	}
}
