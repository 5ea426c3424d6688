// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNotifyDies runs the program of docs/design/0020-plan9.md, which dies of its first note in part. If this test fails
// because the note arrives, Go is mended: cmd/fount/internal/cli/notify.go can go.
func TestNotifyDies(t *testing.T) {
	needLong(t)
	t.Parallel()
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(section(t, "../../docs/design/0020-plan9.md", "```go\n", "```")), 0o600); err != nil {
		t.Fatal(err)
	}
	m := boot(t, map[string][]byte{"reduced": compile(t, source)})
	m.paste("reduced &")
	m.until("ready\r\n")
	m.must("program=$apid")
	m.must("echo interrupt >/proc/$program/note")
	m.must("while(! grep Broken /proc/$program/status >/dev/null) sleep 1; status=''")
	processes := m.must("ps | grep reduced")
	t.Logf("after an interrupt:\n%s", processes)
	if strings.Count(processes, "\n") < 1 || !strings.Contains(processes, "Broken") {
		t.Errorf("want one broken process and others that live")
	}
}
