// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

import (
	"os/exec"
	"testing"

	"fount/internal/test/require"
)

// Prometheus takes the configuration and the rules of deploy/prometheus, and each alert fires and
// stays quiet in its cases.
func TestRules(t *testing.T) {
	t.Parallel() // another program computes
	program, err := exec.LookPath("promtool")
	if err != nil {
		require.Skip(t, "prometheus", err.Error())
	}
	for _, arguments := range [][]string{
		{"check", "config", "../../deploy/prometheus/prometheus.yml"},
		{"test", "rules", "../../deploy/prometheus/fount.rules_test.yml"},
	} {
		if out, err := exec.Command(program, arguments...).CombinedOutput(); err != nil {
			t.Errorf("promtool %q: %v\n%s", arguments, err, out)
		}
	}
}
