// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

import (
	"strings"
	"testing"
)

// TestNotifyDies runs two programs: one dies of its first note in part, the other hangs under
// iostats. If this test fails because the note arrives, Go is mended:
// cmd/fount/internal/cli/notify.go can go.
func TestNotifyDies(t *testing.T) {
	needLong(t)
	t.Parallel()
	m := boot(t, map[string][]byte{"reduced": compile(t, "testdata/notify.go"), "asks": compile(t, "testdata/asks.go")})
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

	// The other fault is that of iostats. It ends with a /proc past it.
	m.must("iostats rc -c 'bind ''#p'' /proc; asks' >[2]/dev/null")
	m.must("iostats asks >[2]/dev/null &")
	m.must("sleep 5; for(note in /proc/^`{ps | sed -n 's/^[^ ]+ +([0-9]+) .* (iostats|asks)$/\\1/p'}^/note) {echo kill >$note} >[2]/dev/null; sleep 1; status=''")
	if processes, _ := m.run("ps | grep ' iostats$'"); !strings.Contains(processes, "Fstat") {
		t.Errorf("iostats ended, or waits for something else than its own answer: is it mended?\n%s", processes)
	}
}
