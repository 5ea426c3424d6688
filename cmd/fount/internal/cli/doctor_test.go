// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"strings"
	"testing"

	"fount/lab/doctor"
	"fount/lab/machine"
)

// stuck is a machine whose kernel has no random bytes yet.
var stuck = machine.Facts{OS: "Linux", Cores: 2, Random: machine.KernelRandom{Getrandom: machine.Wait, Urandom: machine.Ready}}

// A problem is exit status 1 and one line that names it, in both forms of the report.
func TestDoctorProblem(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		cmd := newDoctor()
		cmd.SetOut(&out)
		cmd.SetContext(t.Context())
		status, message := outcome(examine(cmd, doctor.Patient, stuck, asJSON), true)
		if status != statusFailed || message != "problem found: kernel" || !strings.Contains(out.String(), "Nothing was measured") {
			t.Errorf("exit status %d, %q; want %d, problem found: kernel\n%s", status, message, statusFailed, out.String())
		}
	}
}
