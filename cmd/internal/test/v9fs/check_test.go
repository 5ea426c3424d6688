// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package v9fs

// What is asserted of a visit, and that each assertion can fail.

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fount/cmd/internal/test/internal/wire"
)

// whole is the tree, and small what the attach name dev shows of it.
var (
	whole = []wire.File{file("ctl", 0o644), file("random", 0o444), file("seed", 0o200),
		file("stats", 0o444), file("urandom", 0o444)}
	small = []wire.File{file("random", 0o444), file("urandom", 0o444)}
)

func file(name string, mode uint32) wire.File { return wire.File{Name: name, Mode: mode} }

// check says what is wrong with a visit.
func check(m wire.Mount, v wire.Visit) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	if v.Name != m.Name {
		complain("it is of %q", v.Name)
	}
	if v.Failed != "" {
		complain("%s", v.Failed)
	}
	// The kernel shows no version where it speaks 9P2000.L, and noextend where it speaks 9P2000.
	if !slices.Contains(strings.Split(v.Options, ","), "noextend") {
		complain("the options are %q, without the noextend of 9P2000", v.Options)
	}
	files := small
	if m.All {
		files = whole
	}
	if !slices.Equal(v.Files, files) {
		complain("the files are %+v, want %+v", v.Files, files)
	}
	complaints = append(complaints, checkReads(v.Reads)...)
	if m.All {
		complaints = append(complaints, checkWrites(v)...)
	}
	if (v.Orphan != "") != (m.Transport == "unix") {
		complain("the error of a read without a server is %q", v.Orphan)
	}
	return complaints
}

func checkReads(reads []wire.Read) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	if len(reads) != len(wire.ReadSizes) {
		complain("%d reads, want %d", len(reads), len(wire.ReadSizes))
	}
	for i, r := range reads {
		if r.Got != r.Asked || len(r.First) != min(r.Asked, 16) {
			complain("a read of %d bytes gave %d", r.Asked, r.Got)
		}
		if len(r.First) < 16 { // some bytes are alike by chance
			continue
		}
		for _, other := range reads[:i] {
			if bytes.Equal(r.First, other.First) {
				complain("reads of %d and %d bytes begin with the same 16", other.Asked, r.Asked)
			}
		}
		if bytes.Equal(r.First, make([]byte, 16)) {
			complain("a read of %d bytes begins with 16 zeros", r.Asked)
		}
	}
	return complaints
}

// checkWrites has the server's figures say that the guest's writes came, and that it reseeded.
func checkWrites(v wire.Visit) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	written := 0
	for _, n := range v.Seeds {
		written += n
	}
	if len(v.Seeds) == 0 {
		complain("nothing was written into seed")
	}
	for _, want := range []struct {
		file         string
		calls, bytes int
	}{{"seed", len(v.Seeds), written}, {"ctl", 1, len("reseed\n")}, {"random", 0, 0}} {
		callsBefore, bytesBefore := figures(v.Before, want.file)
		callsAfter, bytesAfter := figures(v.After, want.file)
		calls, bytes := callsAfter-callsBefore, bytesAfter-bytesBefore
		if callsBefore < 0 || calls != want.calls || bytes != want.bytes {
			complain("the stats of %s grew by %d calls and %d bytes, want %d and %d, between\n%s\nand\n%s",
				want.file, calls, bytes, want.calls, want.bytes, v.Before, v.After)
		}
	}
	if !strings.Contains(v.Status, "reseeds") {
		complain("ctl reads %q", v.Status)
	}
	return complaints
}

// figures returns the calls and bytes in the line of a file in stats, -1 if there is none.
func figures(stats, file string) (calls, bytes int) {
	for line := range strings.Lines(stats) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == file {
			calls, err1 := strconv.Atoi(f[1])
			bytes, err2 := strconv.Atoi(f[2])
			if err1 == nil && err2 == nil {
				return calls, bytes
			}
		}
	}
	return -1, -1
}

// good returns a visit without fault.
func good() wire.Visit {
	v := wire.Visit{
		Name: "9p2000", Options: "rw,noextend,access=any", Files: slices.Clone(whole),
		Before: "random 1 2\nseed 3 400\nctl 0 0\n",
		After:  "random 1 2\nseed 5 601\nctl 1 7\n",
		Seeds:  []int{100, 101}, Status: "reseeds 2\n",
	}
	for i, n := range wire.ReadSizes {
		v.Reads = append(v.Reads, wire.Read{Asked: n, Got: n, First: bytes.Repeat([]byte{byte(i + 1)}, min(n, 16))})
	}
	return v
}

func TestCheck(t *testing.T) {
	m := wire.Mounts[0]
	if c := check(m, good()); len(c) != 0 {
		t.Fatalf("complaints about a visit without fault: %q", c)
	}
	for name, spoil := range map[string]func(*wire.Visit){
		"another mount":        func(v *wire.Visit) { v.Name = "dev" },
		"a step failed":        func(v *wire.Visit) { v.Failed = "list: input/output error" },
		"another dialect":      func(v *wire.Visit) { v.Options = "rw,version=9p2000.u" },
		"a file less":          func(v *wire.Visit) { v.Files = v.Files[1:] },
		"a size":               func(v *wire.Visit) { v.Files[1].Size = 1 },
		"a mode":               func(v *wire.Visit) { v.Files[2].Mode = 0o600 },
		"a read less":          func(v *wire.Visit) { v.Reads = v.Reads[1:] },
		"a byte less":          func(v *wire.Visit) { v.Reads[9].Got-- },
		"a byte more":          func(v *wire.Visit) { v.Reads[0].Got++ },
		"the same bytes":       func(v *wire.Visit) { v.Reads[2].First = v.Reads[1].First },
		"zeros":                func(v *wire.Visit) { clear(v.Reads[3].First) },
		"no stats":             func(v *wire.Visit) { v.Before = "" },
		"stats that stand":     func(v *wire.Visit) { v.After = v.Before },
		"a seed byte lost":     func(v *wire.Visit) { v.After = strings.Replace(v.After, "601", "600", 1) },
		"a reseed lost":        func(v *wire.Visit) { v.After = strings.Replace(v.After, "ctl 1 7", "ctl 0 0", 1) },
		"reads that were none": func(v *wire.Visit) { v.After = strings.Replace(v.After, "random 1 2", "random 2 2", 1) },
		"no seeds":             func(v *wire.Visit) { v.Seeds = nil },
		"no status":            func(v *wire.Visit) { v.Status = "" },
		"an orphan":            func(v *wire.Visit) { v.Orphan = "input/output error" },
	} {
		v := good()
		spoil(&v)
		if len(check(m, v)) == 0 {
			t.Errorf("no complaint about %s", name)
		}
	}
	unix := good()
	unix.Name = "unix"
	if len(check(wire.Mounts[len(wire.Mounts)-1], unix)) == 0 {
		t.Error("no complaint about a read that outlived its server")
	}
}
