// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package guest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A machine that its emulator breaks is started again, and no other: what a kernel says of a defect of the guest's stands.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		console  string
		breaks   int // the first starts, which QEMU breaks
		starts   int
		failures bool
	}{
		{"visit", 0, 1, false},
		{"visit", 2, 3, false},
		{"visit", 9, Tries, true},
		{"Kernel panic - not syncing: Attempted to kill init!", 0, 1, true},
	} {
		dir := t.TempDir()
		script := fmt.Sprintf(`#!/bin/sh
echo >>%[1]s/starts
if [ $(wc -l <%[1]s/starts) -le %[2]d ]; then echo '[    3.218387] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI'; exit 1; fi
echo '%[3]s'
case '%[3]s' in Kernel*) exit 1; esac
`, dir, c.breaks, c.console)
		if err := os.WriteFile(filepath.Join(dir, Emulator), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		console, err := Run(t.Context(), t)
		starts, _ := os.ReadFile(filepath.Join(dir, "starts"))
		if len(starts) != c.starts || (err != nil) != c.failures {
			t.Errorf("%+v: %d starts, %v, console %q", c, len(starts), err, console)
		}
		if c.breaks < Tries && !strings.Contains(string(console), c.console) {
			t.Errorf("%+v: console %q", c, console)
		}
	}
}
