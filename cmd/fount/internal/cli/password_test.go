// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount password: what is read, and what calibrate says. The scripts have the rest.

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"fount/lab/logins"
	"fount/password"
)

func TestReadSecret(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "\n": "", "a": "a", "a\n": "a", "a\r\n": "a", "a\n\n": "a\n", "a\r": "a\r", " a ": " a ",
		"a\x00b\n":     "a\x00b",
		"two\nlines\n": "two\nlines",
	} {
		if got, err := readSecret(strings.NewReader(in)); err != nil || string(got) != want {
			t.Errorf("of %q: %q, %v; want %q", in, got, err, want)
		}
	}
	if got, err := readSecret(strings.NewReader(strings.Repeat("x", mostInput))); err != nil || len(got) != mostInput {
		t.Errorf("%d bytes, %v; want %d", len(got), err, mostInput)
	}
	if _, err := readSecret(strings.NewReader(strings.Repeat("x", mostInput+1))); err == nil {
		t.Error("a password without end is read")
	}
}

// What policyText says, --policy takes.
func TestPolicyText(t *testing.T) {
	for _, s := range []string{"bcrypt,cost=12", "argon2id,m=65536,t=3,p=4", "scrypt,ln=16,r=8,p=2",
		"pbkdf2-sha256,i=700000"} {
		p, err := logins.ParsePolicy(s)
		if err != nil || policyText(p) != s {
			t.Errorf("%q becomes %q, %v", s, policyText(p), err)
		}
	}
}

func TestCalibrationSentences(t *testing.T) {
	c := calibration{Policy: "argon2id,m=65536,t=3,p=1", HashMS: 240, TargetMS: 250, GOMAXPROCS: 8, Workers: 7,
		Each:   64 << 20,
		Budget: 512 << 20, Peak: 28}
	c.plan(50)
	// 28/s on 7 workers are 4/s each: 13 workers, and the one core that was kept free. 50/s of 240 ms are 12 at once.
	if c.Cores != 14 || c.Memory != 12*64<<20 || *c.Enough {
		t.Errorf("%d cores, %d bytes, enough %v; want 14, 12 times 64 MiB, false", c.Cores, c.Memory, *c.Enough)
	}
	text := strings.Join(c.sentences(), " ")
	for _, part := range []string{"Use argon2id,m=65536,t=3,p=1", "240 ms",
		"Peak: 28 logins/s on 8 cores, 8 at once in 512 MiB",
		"50 logins/s need 14 cores and 768 MiB: more than this machine"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %q", part, text)
		}
	}
	c.plan(20)
	if !*c.Enough || !strings.Contains(strings.Join(c.sentences(), " "), "bears them") {
		t.Errorf("20/s are too much: %q", c.sentences())
	}
	c = calibration{Policy: "bcrypt,cost=10", HashMS: 60, TargetMS: 10, Missed: true, GOMAXPROCS: 1, Peak: 16, least: true}
	c.plan(0)
	if text := strings.Join(c.sentences(), " "); !strings.Contains(text, "nothing cheaper should be used") ||
		strings.Contains(text, "need") || strings.Contains(text, "holds") {
		t.Errorf("%q", text)
	}
}

// Calibrate in earnest: a target below every hash leaves OWASP's minimum, which is measured, and missed.
func TestCalibrate(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"password", "calibrate", "--target", "1ms", "--rate", "1000000", "--memory", "64M", "--json"}
	if status := Main(args, nil, &stdout, &stderr); status != statusFailed ||
		!strings.Contains(stderr.String(), "argon2id,m=19456,t=2,p=1 missed its target") {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	dec := json.NewDecoder(&stdout)
	dec.DisallowUnknownFields()
	var c calibration
	if err := dec.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.Policy != "argon2id,m=19456,t=2,p=1" || !c.Missed || c.HashMS <= 0 || c.Peak <= 0 || c.Each < 19<<20 || *c.Enough ||
		len(c.Sentences) != 3 {
		t.Errorf("%+v", c)
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
	f := calibrateFlags{
		policy: password.Policy{Algorithm: password.Argon2id, Memory: 1024, Iterations: 1, Parallelism: 2},
		target: 250 * time.Millisecond,
		time:   func(compare func() error) (time.Duration, error) { return 300 * time.Millisecond, compare() },
	}
	c, err := f.alone(f.policy)
	if err != nil || c.HashMS != 300 || !c.Missed {
		t.Errorf("%+v, %v; want 300 ms, and the target missed", c, err)
	}
}

// Every field of the JSON is promised by --help.
func TestPasswordJSONIsDocumented(t *testing.T) {
	for _, part := range []struct {
		value any
		help  string
	}{{calibration{}, passwordCalibrateLong}, {inspectReport{}, passwordInspectLong}, {verifyReport{},
		passwordVerifyLong}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(part.value)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "" && name != "-" && !strings.Contains(part.help, name) {
				t.Errorf("%T.%s is %q in JSON; --help does not say so", part.value, field.Name, name)
			}
		}
	}
}
