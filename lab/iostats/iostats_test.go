// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package iostats

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"fount/lab/show"
)

func TestTidy(t *testing.T) {
	for name, want := range map[string]string{
		"/etc/passwd":               "/etc/passwd",
		"/tmp/gone (deleted)":       "/tmp/gone",
		"/tmp/a:b":                  "/tmp/a:b",
		"pipe:[17]":                 "pipes",
		"socket:[17]":               "sockets",
		"anon_inode:[eventpoll]":    "files without a name",
		"files that were not open":  "files that were not open",
		Getrandom:                   Getrandom,
		"/memfd:secret (deleted)":   "/memfd:secret",
		"/dev/urandom":              "/dev/urandom",
		"net:[4026531840]":          "net:[4026531840]",
		"/tmp/ends in (deleted) no": "/tmp/ends in (deleted) no",
	} {
		if got := tidy(name); got != want {
			t.Errorf("tidy(%q) = %q, want %q", name, got, want)
		}
	}
}

// A ledger tells calls apart by what they do, whether they failed, and whether they waited.
func TestLedger(t *testing.T) {
	l := newLedger([]string{"/run/random"})
	l.add("/dev/urandom", opens, 3, time.Microsecond, false)
	l.add("/dev/urandom", reads, 16, 2*time.Second, true)
	l.add("/dev/urandom", reads, 16, 4*time.Second, false)     // it had no core
	l.add("/dev/urandom", reads, 16, waiting-1, true)          // too short to tell
	l.add("/dev/urandom", reads, -512, time.Second, true)      // interrupted: time without bytes
	l.add("/run/random", reads, 8, waiting, true)              // a source by name
	l.add("/etc/passwd", reads, 100, 3*time.Second, true)      // what is not random is not waited for
	l.add("pipe:[1]", writes, 5, time.Millisecond, true)       //
	l.add("pipe:[2]", writes, 6, time.Millisecond, true)       // all pipes are one
	l.add("/quick (deleted)", opens, 4, time.Nanosecond, true) //
	var r Result
	l.close(&r)
	var names []string
	for _, f := range r.Files {
		names = append(names, f.Path)
	}
	if got, want := strings.Join(names, " "), "/dev/urandom /run/random /etc/passwd pipes /quick"; got != want {
		t.Errorf("files %q, want %q", got, want)
	}
	u := r.Files[0]
	if u.Opens != 1 || u.Reads != 3 || u.Read != 48 || u.Waited != 3 || u.Calls < 7 || u.Writes != 0 {
		t.Errorf("/dev/urandom: %+v", u)
	}
	if p := r.Files[3]; p.Writes != 2 || p.Wrote != 11 || p.Waited != 0 || p.Random {
		t.Errorf("pipes: %+v", p)
	}
	if r.Random.Reads != 4 || r.Random.Read != 56 || r.Random.Waited != 3.001 || r.Random.Opens != 1 {
		t.Errorf("random: %+v", r.Random)
	}
	if f := r.Files[2]; f.Waited != 0 || f.Random {
		t.Errorf("/etc/passwd: %+v", f)
	}
}

func TestText(t *testing.T) {
	r := Result{Command: []string{"make", "-j4", "test"}, Status: 2, Elapsed: 12.5, Processes: 17,
		Random: Tally{Opens: 16, Reads: 16, Read: 2048, Calls: 40, Waited: 39.5},
		Files: []File{
			{Path: "/dev/random", Random: true, Tally: Tally{Opens: 16, Reads: 16, Read: 2048, Calls: 40, Waited: 39.5}},
			{Path: "/usr/lib/somewhere/far/down/x86_64-linux-gnu/libc.so.6", Tally: Tally{Opens: 17, Reads: 17, Read: 1234567, Calls: 0.0125}},
			{Path: "pipes", Tally: Tally{Writes: 3, Wrote: 12, Calls: 0.00001}},
		}}
	want := `make -j4 test: 12.5 s, 17 processes, exit status 2

             opens  reads  bytes  writes  bytes  in calls  waited
/dev/random     16     16  2,048       -      -    40.0 s  39.5 s
It waited 39.5 s for random bytes, 316 % of its 12.5 s; processes that wait side
by side count each.

                            opens  reads      bytes  writes  bytes  in calls
`
	got := r.Text(show.Style{Width: 80}, 1)
	if !strings.HasPrefix(got, want) {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
	if rest := got[len(want):]; !strings.HasPrefix(rest, "...") || !strings.Contains(rest, "64-linux-gnu/libc.so.6     17     17  1,234,567       -      -   12.5 ms\n1 more took less time.\n") {
		t.Errorf("the rest of the text is %q", rest)
	}
	for _, line := range strings.Split(got, "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}

	hostile := Result{Command: []string{"cat", "\x1b]0;x\a"}, Elapsed: 1, Files: []File{
		{Path: "/tmp/\x1b[2Jé\r"}, {Path: "/tmp/\xff"}, {Path: `/tmp/"quoted" \ é`}}} // the last is the control
	got = hostile.Text(show.Style{Width: 80}, 3)
	for _, want := range []string{`"cat \x1b]0;x\a": 1.00 s`, "\n\"/tmp/\\x1b[2Jé\\r\" ", "\n\"/tmp/\\xff\" ", "\n/tmp/\"quoted\" \\ é "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not have %q", got, want)
		}
	}
	if strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) || !utf8.ValidString(got) {
		t.Errorf("a name's control characters reach the terminal: %q", got)
	}

	r = Result{Command: []string{"true"}, Elapsed: 0.001, Processes: 1, Signal: "SIGKILL", Status: 137, Files: []File{}}
	if got := r.Text(show.Style{Width: 80}, 10); !strings.HasPrefix(got, "true: 1.00 ms, 1 process, ended by SIGKILL\n\nIt asked no file") {
		t.Errorf("without files: %q", got)
	}
	b, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(b), `"files":[]`) || !strings.Contains(string(b), `"signal":"SIGKILL"`) {
		t.Errorf("JSON %s, %v", b, err)
	}
}
