// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// /proc/self/mountinfo, see proc_pid_mountinfo(5).

import (
	"bytes"
	"slices"
	"strconv"
)

// A mountPoint is a line of mountinfo.
type mountPoint struct {
	path   string
	fsType string
	source string
}

// parseMounts returns all mounts. Of those on one path each hides the ones before it.
func parseMounts(info []byte) (found []mountPoint) {
	for line := range bytes.Lines(info) {
		if m, ok := parseMount(line); ok {
			found = append(found, m)
		}
	}
	return found
}

// mountsOn returns the mounts on a path.
func mountsOn(info []byte, path string) []mountPoint {
	return slices.DeleteFunc(parseMounts(info), func(m mountPoint) bool { return m.path != path })
}

// parseMount reads a line: six fields, of which the fifth is the path, any number of others, "-", the type and
// the source.
func parseMount(line []byte) (m mountPoint, ok bool) {
	fields := bytes.Fields(line)
	for i := 6; i+2 < len(fields); i++ {
		if string(fields[i]) == "-" {
			return mountPoint{unescape(fields[4]), string(fields[i+1]), unescape(fields[i+2])}, true
		}
	}
	return m, false
}

// unescape replaces the \ooo that stand for space, tab, newline and backslash.
func unescape(b []byte) string {
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+3 < len(b) {
			if c, err := strconv.ParseUint(string(b[i+1:i+4]), 8, 8); err == nil {
				out = append(out, byte(c))
				i += 3
				continue
			}
		}
		out = append(out, b[i])
	}
	return string(out)
}
