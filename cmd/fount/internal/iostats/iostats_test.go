// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package iostats

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"fount/cmd/internal/lab/show"
)

func TestTidy(t *testing.T) {
	for name, want := range map[string]string{
		"/tmp/gone (deleted)":     "/tmp/gone",
		"/tmp/a:b":                "/tmp/a:b",
		"pipe:[17]":               "pipes",
		"socket:[17]":             "sockets",
		"anon_inode:[eventpoll]":  "files without a name",
		"/memfd:secret (deleted)": "/memfd:secret",
		"net:[4026531840]":        "net:[4026531840]",
	} {
		if got := tidy(name); got != want {
			t.Errorf("tidy(%q) = %q, want %q", name, got, want)
		}
	}
}

// A ledger tells calls apart by what they do, whether they failed, and whether they waited.
func TestLedger(t *testing.T) {
	l := ledger{}
	l.add("/dev/urandom", opens, 3, time.Microsecond, false)
	l.add("/dev/urandom", reads, 16, 2*time.Second, true)
	l.add("/dev/urandom", reads, 16, 4*time.Second, false)     // it had no core
	l.add("/dev/urandom", reads, 16, waiting-1, true)          // too short to tell
	l.add("/dev/urandom", reads, -512, time.Second, true)      // interrupted: time without bytes
	l.add("/dev/hwrng", reads, 8, waiting, true)               //
	l.add("/etc/passwd", reads, 100, 3*time.Second, true)      // not random: no wait
	l.add("pipe:[1]", writes, 5, time.Millisecond, true)       //
	l.add("pipe:[2]", writes, 6, time.Millisecond, true)       // all pipes are one
	l.add("/quick (deleted)", opens, 4, time.Nanosecond, true) //
	var r Result
	l.close(&r)
	var names []string
	for _, f := range r.Files {
		names = append(names, f.Path)
	}
	if got, want := strings.Join(names, " "), "/dev/urandom /dev/hwrng /etc/passwd pipes /quick"; got != want {
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
	a := r.All
	if a.RPC != 10 || a.Read != 156 || a.Wrote != 11 || a.Writing != 0.002 || a.Reading < 10 || a.Reading >= a.Calls {
		t.Errorf("all: %+v", a)
	}
	if f := r.Files[2]; f.Waited != 0 || f.Random {
		t.Errorf("/etc/passwd: %+v", f)
	}
}

// A name's control characters do not reach the terminal.
func TestHostileNames(t *testing.T) {
	r := Result{Command: []string{"cat", "\x1b]0;x\a"}, Elapsed: 1, Files: []File{{Path: "/tmp/\x1b[2Jé\r"}, {Path: "/tmp/\xff"}, {Path: "/dev/urandom", Random: true}}}
	got := r.Text(show.Style{Width: 80})
	if strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) || !utf8.ValidString(got) || !strings.Contains(got, "2Jé") {
		t.Errorf("%q", got)
	}
}
