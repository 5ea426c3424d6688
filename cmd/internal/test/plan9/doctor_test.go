// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// doctor returns what fount doctor says of the machine, in its first section, on one line. What it
// measures after that takes long, and is not waited for. It runs the line after before it waits for
// doctor's end, since the kernel lets no process go that stands in line for its device. A line that
// fails fails the test. All is one line for rc: the machine does not wait while the host is busy,
// and doctor would go on to programs that draw too.
func (m *machine) doctor(after string) string {
	m.Helper()
	said := m.must("rm -f /tmp/doctor; fount doctor >/tmp/doctor >[2=1] & doctor=$apid; " +
		"while(! grep '^ +(ok|note|problem) +/dev/random' /tmp/doctor >/dev/null) sleep 1; cat /tmp/doctor; " +
		"status=''; " + after + "; after=$status; " +
		"if(test -e /proc/$doctor/notepg) echo kill >/proc/$doctor/notepg; while(test -e /proc/$doctor/ctl) sleep 1; status=$after")
	return strings.Join(strings.Fields(said), " ")
}

// drawn is how many bytes the server's file random has given.
func (m *machine) drawn() int {
	m.Helper()
	stats := m.must("grep '^random ' /n/all/stats")
	n, err := strconv.Atoi(strings.Fields(stats)[2])
	if err != nil {
		m.Fatalf("%v in %q", err, stats)
	}
	return n
}

// TestDoctor asks for the device's state while another program keeps it empty, while one has it to
// itself, behind fount's server, while that hangs, which doctor must not wait for, and after it has
// ended.
func TestDoctor(t *testing.T) {
	needLong(t)
	t.Parallel()
	m := boot(t, map[string][]byte{"fount": compile(t, "fount/cmd/fount")})
	says := func(state, after string, patterns ...string) {
		t.Helper()
		said := m.doctor(after)
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(said) {
				t.Errorf("%s: fount doctor says\n%s\nwant %s", state, said, p)
			}
		}
		t.Logf("%s: %s", state, regexp.MustCompile(`(ok|note|problem) /dev/random .*`).FindString(said))
	}
	const end = "echo kill >/proc/$reader/note; while(test -e /proc/$reader/ctl) sleep 1; status=''"

	m.must("dd -if /dev/random -of /dev/null -bs 1 -count 100000 &")
	m.must("reader=$apid")
	says("drained", end, `note /dev/random \d bytes in \d+ ms\. .* waits [\d.]+ s for 32 bytes`, `fount's files bound over it`)
	m.must("cat /dev/random >/dev/null &") // 8 KiB at a time: 7 minutes
	m.must("reader=$apid")
	// Patience of a second begins before the device is opened, and the figure after that: it may be
	// a little less.
	says("taken", end, `problem /dev/random [01] bytes in (9|1\d)\d\d ms\. Every program waits `)

	m.must("mkdir /tmp/n/all")
	m.must("fount serve files --post fount &")
	m.must("while(! test -e /srv/fount) sleep 1; mount /srv/fount /n/all; bind /n/all/random /dev/random")
	before := m.drawn()
	says("behind fount", "", `ok /dev/random a file server's, 8 bytes in \d+ ms\. `)
	// 8 to look, and 32 each for crypto/rand and for fount's own pools. What it draws must not come
	// from others' share.
	if took := m.drawn() - before; took != 8+32+32 {
		t.Errorf("fount doctor read %d bytes of /dev/random, want 72", took)
	}
	m.processes()
	m.run(stop)
	says("behind a server that hangs", "for(i in 1 2 3 4 5 6 7 8) if(test -e /proc/$doctor/ctl) sleep 1; if(test -e /proc/$doctor/ctl) waits=yes; "+
		"for(ctl in $ctls) {echo kill >$ctl} >[2]/dev/null; while(test -e /srv/fount) sleep 1; ~ $#waits 0",
		`problem /dev/random not opened within 1s: the file server mounted there hangs\. .* kill it first`)
	says("after its end", "", `problem /dev/random .*(mount rpc error|clone failed).* type unmount /dev/random;`)
	m.must("unmount /dev/random; unmount /n/all")

	// Where there are no unix sockets the hint names what there is.
	if got, _ := m.run("fount serve files"); !strings.Contains(got, "--post fount") {
		t.Errorf("fount serve files says %q", got)
	}
}
