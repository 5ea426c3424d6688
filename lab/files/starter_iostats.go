// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// Plan 9's iostats(4), which stands between a program and all files, and counts.

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// iostatsLimit is for a program under iostats. One that has ended before without it takes seconds, all pages of its file being read
// through iostats.
const iostatsLimit = time.Minute

// watch runs the command under iostats, and returns what it read of the random file.
//
// The program gets its /proc past iostats, whose main process asks for a file's state itself. /proc/N/text is the file of a program
// that runs, which iostats serves: it would wait for its own answer, and can't be killed then. Go's os.Executable opens that file.
func (o order) watch() (*Opened, error) {
	path, err := exec.LookPath("iostats")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), iostatsLimit)
	defer cancel()
	program := []string{path, "rc", "-c", "bind '#p' /proc\n{" + o.Command + "\n} >/dev/null >[2]/dev/null"} // iostats' own words
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	err = cmd.Run() // without a status, whatever the program's is
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the program did not end within %v", iostatsLimit)
	}
	if err != nil {
		return nil, err
	}
	return openedOf(said.String())
}

// openedOf finds the random file in the report of iostats. A file of which nothing was read has no line.
func openedOf(report string) (*Opened, error) {
	_, files, found := strings.Cut(report, "\nOpens ")
	if !found {
		return nil, fmt.Errorf("it ended without its report: %q", lastLine(report))
	}
	for line := range strings.Lines(files) {
		// Opens, reads, bytes, writes, bytes, file.
		fields := strings.Fields(line)
		if len(fields) != 6 || fields[5] != randomFile {
			continue
		}
		var n [3]int64
		for i := range n {
			var err error
			if n[i], err = strconv.ParseInt(fields[i], 10, 64); err != nil {
				return nil, err
			}
		}
		return &Opened{n[0], Drawn{n[1], n[2]}}, nil
	}
	return &Opened{}, nil
}
