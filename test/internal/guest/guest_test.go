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

// Flags that no processor has are QEMU's; those of a defect of the guest's are not. The first two are from consoles.
func TestMisemulated(t *testing.T) {
	for line, want := range map[string]bool{
		"[    6.441922] RSP: 0018:ff4ac4f140053df0 EFLAGS: 81de1a62":          true,
		"[    3.218387] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI":              true,
		"[    1.000000] RSP: 0018:ff4ac4f140053df0 EFLAGS: 00010246":          false,
		"[    1.000000] RSP: 0018:ffffffff82003e98 EFLAGS: 00000202":          false,
		"[    1.000000] RSP: 0018:ffffffff82003e98 EFLAGS: 00210a86":          false,
		"[    1.000000] RSP: 0018:ffffffff82003e98 EFLAGS: 00010244":          true, // bit 1 is always set
		"Kernel panic - not syncing: Attempted to kill init! exitcode=0x0b":   false,
		"[    1.0] traps: PANIC: double fault, error_code: 0x0":               false,
		"[    1.000000] RSP: 002b:00007ffd00000000 EFLAGS: 81de1a62 ORIG_RAX": false, // a program may have been stopped anywhere
	} {
		if got := Misemulated([]byte(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
