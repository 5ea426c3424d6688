// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package iostats runs a program and says which files it and its children read and wrote, and how
// long they waited for random bytes. It slows each watched call by some microseconds.
//
// It is named after iostats(4) of Plan 9. On Linux (amd64, arm64 and riscv64; Run fails elsewhere)
// a seccomp filter stops the program at the system calls that open, read and write files or draw
// random bytes, and at no others, for ptrace(2).
//
// strace -f -T prints each call with its time. This names the file behind each descriptor, also of
// one that was inherited, duplicated or copied from, sums up by file, and tells a call that slept
// for random bytes from one that lacked a core.
package iostats

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fount/cmd/internal/lab/show"
)

// ErrUnsupported is what Run fails with where it can't watch.
var ErrUnsupported = errors.New("watching a program needs Linux on amd64, arm64 or riscv64")

// A Result is what the program did.
type Result struct {
	Command   []string `json:"command"`
	Status    int      `json:"status"`           // 128 and the signal if one ended it
	Signal    string   `json:"signal,omitempty"` // that ended it
	Elapsed   float64  `json:"elapsed_s"`        // until the last of its processes ended
	Processes int      `json:"processes"`        // all that ran, itself included
	All       Tally    `json:"all"`              // all files
	Random    Tally    `json:"random"`           // random files and getrandom(2)
	Files     []File   `json:"files"`            // random ones first, then by time
}

// A File is what was done with one file. All pipes, all sockets and all without a name are one.
type File struct {
	Path   string `json:"path"`
	Random bool   `json:"random"` // it holds random bytes
	Tally
}

// A Tally is what was done, by all processes together.
type Tally struct {
	Opens  int   `json:"opens"`
	Reads  int   `json:"reads"`
	Read   int64 `json:"bytes_read"`
	Writes int   `json:"writes"`
	Wrote  int64 `json:"bytes_written"`
	RPC    int   `json:"rpc"` // all of these calls, and those that failed

	// Calls is the time from the start of each call to its return, of which some microseconds each
	// are the watching's own, and some the wait for a core.
	Calls   float64 `json:"calls_s"`
	Reading float64 `json:"reads_s"`
	Writing float64 `json:"writes_s"`

	// Waited is the time of those calls for random bytes that slept in the kernel, for at least a
	// millisecond. Processes that wait side by side count each for itself.
	Waited float64 `json:"waited_s"`
}

// waiting is the least time that counts as waiting: less may be what watching costs.
const waiting = time.Millisecond

// Getrandom is the path under which the system call stands among the files.
const Getrandom = "getrandom(2)"

// devices hold random bytes.
var devices = []string{Getrandom, "/dev/random", "/dev/urandom", "/dev/hwrng"}

// A ledger collects what is done.
type ledger map[string]*File

// A kind is what a call does.
type kind int

const (
	opens kind = iota
	reads
	writes
	copies // a read of one file and a write of another
)

// add counts one call that ended after took, and whether it slept meanwhile. A failed one has n
// below 0 and counts for its time alone.
func (l ledger) add(path string, k kind, n int64, took time.Duration, slept bool) {
	path = tidy(path)
	f := l[path]
	if f == nil {
		f = &File{Path: path, Random: slices.Contains(devices, path)}
		l[path] = f
	}

	f.RPC++
	f.Calls += took.Seconds()
	switch k {
	case reads:
		f.Reading += took.Seconds()
	case writes:
		f.Writing += took.Seconds()
	}

	if slept && f.Random && took >= waiting {
		f.Waited += took.Seconds()
	}

	switch {
	case n < 0:
	case k == opens:
		f.Opens++
	case k == reads:
		f.Reads++
		f.Read += n
	default:
		f.Writes++
		f.Wrote += n
	}
}

// tidy is the path as it is told, from the name that /proc gives an open file.
func tidy(path string) string {
	kind, _, numbered := strings.Cut(path, ":")
	switch {
	case strings.HasPrefix(path, "/"):
		return strings.TrimSuffix(path, " (deleted)")
	case kind == "pipe" && numbered:
		return "pipes"
	case kind == "socket" && numbered:
		return "sockets"
	case kind == "anon_inode" && numbered:
		return "files without a name"
	}
	return path
}

// close writes the files into r.
func (l ledger) close(r *Result) {
	r.Files = make([]File, 0, len(l)) // an empty list in JSON, not null
	for _, f := range l {
		r.Files = append(r.Files, *f)
		r.All.add(f.Tally)
		if f.Random {
			r.Random.add(f.Tally)
		}
	}

	random := func(f File) int {
		if f.Random {
			return 0
		}
		return 1
	}

	slices.SortFunc(r.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(random(a), random(b)), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Path, b.Path))
	})
}

func (t *Tally) add(u Tally) {
	t.Opens += u.Opens
	t.Reads += u.Reads
	t.Read += u.Read
	t.Writes += u.Writes
	t.Wrote += u.Wrote
	t.RPC += u.RPC
	t.Calls += u.Calls
	t.Reading += u.Reading
	t.Writing += u.Writing
	t.Waited += u.Waited
}

// mostRows is how many files the text has; JSON has all.
const mostRows = 15

// Text is a table of the files, and what randomness cost in all.
func (r Result) Text(s show.Style) string {
	end := fmt.Sprintf("exit status %d", r.Status)
	if r.Signal != "" {
		end = "ended by " + r.Signal
	}

	moved := func(n int64, seconds float64) string {
		return fmt.Sprintf("%s bytes, %s KB/s", show.Count(n), show.Rate(float64(n)/1000/max(seconds, 1e-9)))
	}

	text := ""
	say := func(format string, args ...any) {
		text += show.Paragraph(fmt.Sprintf(format, args...), s.Width, "", "")
	}
	say("%s: %s, %d processes, %s", printable(strings.Join(r.Command, " ")), show.Seconds(r.Elapsed), r.Processes, end)
	say("read %s; wrote %s; rpc %s",
		moved(r.All.Read, r.All.Reading), moved(r.All.Wrote, r.All.Writing), show.Count(int64(r.All.RPC)))
	say("random bytes: %s, waited %s", show.Count(r.Random.Read), show.Seconds(r.Random.Waited))

	t := show.Table{Head: []string{"", "opens", "reads", "B read", "writes", "B written", "in calls", "waited"}}
	for _, f := range r.Files[:min(mostRows, len(r.Files))] {
		t.Rows = append(t.Rows, f.row(s.Width))
	}
	if len(t.Rows) > 0 {
		text += "\n" + t.Fit(s.Width, "opens", "writes", "in calls").String("")
	}

	if more := len(r.Files) - len(t.Rows); more > 0 {
		say("%d more took less time.", more)
	}

	return text
}

func (f File) row(width int) []string {
	count := func(calls int, n int64) string {
		if calls == 0 {
			return "-"
		}
		return show.Count(n)
	}

	waited := "-" // only random bytes are waited for
	if f.Random {
		waited = show.Seconds(f.Waited)
	}

	room := max(width-64, 16)
	if width < 64 { // the path has a line to itself
		room = width
	}
	path := []rune(printable(f.Path))
	if len(path) > room {
		path = append([]rune("..."), path[len(path)-room+3:]...)
	}

	return []string{string(path), count(f.Opens, int64(f.Opens)), count(f.Reads, int64(f.Reads)), count(f.Reads, f.Read),
		count(f.Writes, int64(f.Writes)), count(f.Writes, f.Wrote), show.Seconds(f.Calls), waited}
}

// printable is a name on one line, without what a terminal would obey: it may be a stranger's.
func printable(name string) string {
	return show.Printable(strings.Join(strings.Fields(name), " "))
}
