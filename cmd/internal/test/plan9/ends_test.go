// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An end is what becomes of the server: a line of rc, in which $server is its first process and
// $ctls are the files ctl of all.
type end struct{ name, line string }

var ends = []end{
	{"interrupt", "echo interrupt >/proc/$server/notepg"},
	{"hangup", "echo hangup >/proc/$server/notepg"},
	{"kill", "echo kill >/proc/$server/notepg"},
	{"kill, one process", "echo kill >/proc/$server/note"},
	{"ctl: kill", "for(ctl in $ctls) echo kill >$ctl"},
	{"ctl: kill, one process", "echo kill >/proc/$server/ctl"},
	// A process that waits stops when it has what it waits for: until then echo waits for it.
	{"ctl: stop", "for(ctl in $ctls) {echo stop >$ctl} >[2]/dev/null &"},
	{"ctl: stop, one process", "{echo stop >/proc/$server/ctl} >[2]/dev/null &"},
}

// A reader is a program that reads the random file, or only its directory.
type reader struct{ id, name, line string }

var (
	// /tmp/began is there once this one has bytes. The last cat's standard error is the first's.
	reading = reader{"pours", "cat that is reading", "rc /bin/pours.rc"}
	later   = []reader{
		{"draw", "crypto/rand", "draw"},
		{"dd", "dd of 8 bytes", "dd -if /dev/random -bs 8 -count 1 -of /dev/null"},
		{"ls", "ls /dev", "ls /dev"},
	}
)

const pours = "cat /dev/random | {dd -bs 512 -count 1 -of /tmp/began >[2]/dev/null; cat >/dev/null}\n"

// processes sets $server and $ctls.
func (m *machine) processes() {
	m.Helper()
	m.must("server=" + m.server())
	m.must("ctls=`{grep -l '^ *'^`{cat /proc/$server/noteid}^' *$' /proc/*/noteid | sed 's/noteid/ctl/'}")
}

// begin has readers start after a line, and keeps what time(1) says of each in a file of its own.
func (m *machine) begin(wait string, readers ...reader) {
	m.Helper()
	for _, r := range readers {
		m.must(fmt.Sprintf("{%s; time %s >/tmp/%s.out} >/tmp/%[3]s.said >[2=1] &", wait, r.line, r.id))
		m.must(r.id + "=$apid")
	}
}

// patience is for how long a reader may wait, by the machine's clock.
const patience = 10

// timed is the last line of time(1): seconds of processor, of system and real ones, the command,
// and its status.
var timed = regexp.MustCompile(`([\d.]+)r \t [^#\n]*(# status= *(.*))?$`)

// An outcome is what a reader got.
type outcome struct {
	seconds float64 // by the machine's clock
	failed  string  // the first line that it printed, if it had a status
	hangs   bool    // and has nothing else
}

func (o outcome) String() string {
	switch {
	case o.hangs:
		return fmt.Sprintf("waits for more than %d s", patience)
	case o.failed != "":
		return fmt.Sprintf("%.1f s | %s", o.seconds, o.failed)
	}
	return fmt.Sprintf("%.1f s | what it wanted", o.seconds)
}

// got waits until a reader has ended, or should have.
func (m *machine) got(r reader) (o outcome) {
	m.Helper()
	m.must(fmt.Sprintf("for(i in 1 2 3 4 5 6 7 8 9 10 11 12) if(test -e /proc/$%s/ctl) sleep 1; status=''", r.id))
	if _, gone := m.run(fmt.Sprintf("test -e /proc/$%s/ctl", r.id)); gone == "" {
		return outcome{hangs: true}
	}
	said := m.must(fmt.Sprintf("cat /tmp/%s.said", r.id))
	found := timed.FindStringSubmatch(said)
	if found == nil {
		m.Fatalf("%s: time says %q", r.line, said)
	}
	var err error
	if o.seconds, err = strconv.ParseFloat(found[1], 64); err != nil {
		m.Fatal(err)
	}
	if found[3] != "" {
		o.failed, _, _ = strings.Cut(said, "\n")
	}
	o.hangs = o.seconds > patience
	return o
}

// TestServerEnds has the server of the recipe end in each way, and hang: who is reading gets an
// error, who comes later an error or the kernel's bytes, nobody waits for longer than patience, and
// all is as it was before.
func TestServerEnds(t *testing.T) {
	needLong(t)
	t.Parallel()
	m := boot(t, map[string][]byte{
		"fount":    compile(t, "fount/cmd/fount"),
		"draw":     compile(t, "./draw"),
		"pours.rc": []byte(pours),
	})
	for _, end := range ends {
		m.up()
		m.begin("", reading)
		m.must("while(! test -e /tmp/began) sleep 1; rm /tmp/began")
		m.processes()
		m.run(end.line)
		m.begin("", later...)
		for _, r := range append(later, reading) {
			o := m.got(r)
			m.Logf("| %s | %s | %s |", end.name, r.name, o)
			if o.hangs || r == reading && o.failed == "" {
				said, _ := m.run("ps")
				m.Fatalf("want an end within %d s, and of %s an error:\n%s", patience, reading.name, said)
			}
		}
		m.waitDown()
	}
	m.up()
	m.must("draw") // restarted
}

// stop has all processes in $ctls stop, each as soon as it wakes.
const stop = "for(ctl in $ctls) {echo stop >$ctl &} >[2]/dev/null"

// TestStopsUnmounted has two servers stop whose readers wait for ever unless the recipe helps: one
// that has a mount and the name, but no watch, must lose the name to the recipe's; the recipe's
// own, which has the name and no mount yet, must be killed.
func TestStopsUnmounted(t *testing.T) {
	needLong(t)
	t.Parallel()
	m := boot(t, map[string][]byte{
		"fount": compile(t, "fount/cmd/fount"),
		"draw":  compile(t, "./draw"),
	})
	m.must("fount serve files --post fount &")
	m.must("while(! test -e /srv/fount) sleep 1; status=''")
	m.processes()
	m.must("old=$server; mount /srv/fount /n/fount dev; bind /n/fount/random /dev/random")
	m.run(stop)
	m.up()
	m.must("draw")
	m.must("killgroup `{cat /proc/$old/noteid}; while(test -e /proc/$old/ctl) sleep 1; status=''")
	m.must("draw")
	m.must("echo kill >/proc/" + m.server() + "/notepg")
	m.waitDown()

	before, after, found := strings.Cut(recipe(t), "\nmount ")
	if !found {
		t.Fatal("the recipe has no line that mounts")
	}
	m.paste(before)
	m.must("block=$apid")
	m.processes()
	m.run(stop)
	m.paste("mount " + after)
	m.must("status=''") // mount has ended
	m.waitDown()
	m.up()
	m.must("draw")
}

// TestUnionFailsHarder is the control of TestServerEnds: mount -b over the whole of /dev, which the
// recipe avoids. While the server hangs, so does whoever opens a file there; when it ends, nothing
// is taken back and /dev can't be listed.
func TestUnionFailsHarder(t *testing.T) {
	needLong(t)
	t.Parallel()
	m := boot(t, map[string][]byte{
		"fount": compile(t, "fount/cmd/fount"),
		"draw":  compile(t, "./draw"),
	})
	m.paste("fount serve files --post fount &\nwhile(! test -e /srv/fount) sleep 1\nmount -b /srv/fount /dev dev")
	m.must("ls /dev >/dev/null")
	m.processes()

	// All that rc's & starts is started now, since that opens /dev/null.
	const signal = "while(! test -e /tmp/go) sleep 1"
	m.must("{" + signal + "; echo stop >/proc/$server/ctl} &")

	others := []reader{{"draw", "crypto/rand", "draw"}, {"clock", "cat of the clock", "cat /dev/time"}}
	m.begin(signal+"; sleep 3", others...) // longer than the others may look before the first does
	m.must("echo >/tmp/go")

	for _, r := range others {
		o := m.got(r)
		m.Logf("| hangs under mount -b | %s | %s |", r.name, o)
		if !o.hangs {
			t.Errorf("%s: want it to hang as long as the server does", r.name)
		}
	}

	m.run("for(ctl in $ctls) echo kill >$ctl")
	m.must("while(test -e /srv/fount) sleep 1; status=''")

	if got, _ := m.run("ls /dev"); !strings.Contains(got, "clone failed") {
		t.Errorf("ls /dev says %q, want clone failed", got)
	}
	if got, _ := m.run("unmount /srv/fount /dev"); !strings.Contains(got, "does not exist") {
		t.Errorf("unmount says %q, want that the name does not exist", got)
	}
	// An open goes on to the kernel's device. (Not cat: that has no end.)
	m.must("dd -if /dev/random -bs 8 -count 1 -of /dev/null")
}
