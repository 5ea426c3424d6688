// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount password: what is read, and what calibrate says. The scripts have the rest.

package cli

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"fount/cmd/fount/internal/calibrate"
	"fount/internal/test/require"
)

// run runs fount, and returns what it prints and says on standard error.
func run(stdin io.Reader, args ...string) (status int, out, said string) {
	var stdout, stderr strings.Builder
	status = Main(args, stdin, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

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
	if got, err := readSecret(strings.NewReader(strings.Repeat("x", maxInput))); err != nil || len(got) != maxInput {
		t.Errorf("%d bytes, %v; want %d", len(got), err, maxInput)
	}
	if _, err := readSecret(strings.NewReader(strings.Repeat("x", maxInput+1))); err == nil {
		t.Error("a password without end is read")
	}
}

// A target below every hash leaves OWASP's minimum, which is measured, and not chosen.
func TestCalibrate(t *testing.T) {
	status, out, said := run(nil, "password", "calibrate", "--target", "1ms", "--rate", "1000000", "--memory", "64M", "--json")
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	var c calibrate.Calibration
	require.NoError(t, dec.Decode(&c))
	const minimum = "argon2id,m=19456,t=2,p=1"
	if status != statusFailed || !strings.Contains(said, "no policy is chosen: "+minimum+" took ") {
		t.Errorf("status %d, %s", status, said)
	}
	measured := c.Tried == minimum && c.Missed && c.Peak > 0 && c.Each >= 19<<20
	if !measured || c.Policy != "" || len(c.Says) != 3 {
		t.Errorf("%+v", c)
	}
}
