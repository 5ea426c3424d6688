// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The text that perf script writes.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	// perfSample is the line that begins a sample: command, process or process/thread, perhaps the CPU, the time, perhaps
	// the period, and the event.
	perfSample = regexp.MustCompile(`^ *(\S.*?) +(?:\d+/)?\d+ +(?:\[\d+\] +)?(\d+\.\d+): +(?:(\d+) +)?(\S+?): *$`)
	// perfFrame is a line of its stack: address, symbol, and where it is from.
	perfFrame = regexp.MustCompile(`^\s+[0-9a-f]+ (.+?)(?:\+0x[0-9a-f]+)? \((.*)\)$`)
	// perfLine is the source line of the frame above it, which perf writes if asked to.
	perfLine = regexp.MustCompile(`^\s+(\S.*):(\d+)$`)
)

// ReadPerf reads what perf script has written. It takes the samples of the first event, whose stacks are to be recorded too
// (perf record -g).
func ReadPerf(r io.Reader) (*Profile, error) {
	p := &Profile{Source: "perf script"}
	var event string
	var first, last float64
	var open bool      // the last sample is of the event
	var others int     // samples of other events
	var strangers bool // there is another command
	in := bufio.NewScanner(io.LimitReader(r, 4<<30))
	in.Buffer(nil, 1<<20)
	for n := 0; in.Scan(); n++ {
		line := in.Text()
		if n == 0 && strings.HasPrefix(line, "PERFILE2") {
			return nil, errors.New("it is a perf.data file; the text that perf script makes of it is wanted")
		}
		if strings.TrimSpace(line) == "" {
			open = false
			continue
		}
		if m := perfSample.FindStringSubmatch(line); m != nil {
			if event == "" {
				event, p.Program = m[4], m[1]
			}
			if open = m[4] == event; !open {
				others++
			} else {
				strangers = strangers || m[1] != p.Program
				if at, err := strconv.ParseFloat(m[2], 64); err == nil {
					if len(p.Stacks) == 0 {
						first = at
					}
					last = max(last, at)
				}
				p.Stacks = append(p.Stacks, Stack{Seconds: period(m[3]), Samples: 1})
			}
			continue
		}
		if open {
			p.Stacks[len(p.Stacks)-1].add(line)
		}
	}
	switch {
	case errors.Is(in.Err(), bufio.ErrTooLong):
		return nil, errors.New("it is no text of perf script: a line is longer than 1 MiB")
	case in.Err() != nil:
		return nil, in.Err()
	case event == "":
		return nil, errors.New("it holds no sample as perf script writes it")
	}
	p.Elapsed = time.Duration(min(max(0, last-first), 1e9) * 1e9) // 30 years
	p.Untimed = !strings.Contains(event, "cpu-clock") && !strings.Contains(event, "task-clock")
	if p.Untimed {
		p.Notes = append(p.Notes, fmt.Sprintf("The event %s counts no time, so that shares are known and rates are not; "+
			"record cpu-clock for those.", event))
	}
	if others > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d samples of other events than %s are left out.", others, event))
	}
	if strangers {
		p.Notes = append(p.Notes, "The samples are of several commands, and shares are of all of them together; record one process for those of one.")
	}
	if leavesKernel(event) {
		p.Notes = append(p.Notes, "The samples leave the kernel out.")
	}
	p.Go = builtWith(p.Stacks)
	return p, nil
}

// leavesKernel reports whether an event's modifiers (perf-list(1)) ask for the user's part alone.
func leavesKernel(event string) bool {
	m := event[strings.LastIndexAny(event, ":/")+1:]
	return m != event && strings.Trim(m, "ukhIGHpPSDWeb") == "" && strings.Contains(m, "u") && !strings.Contains(m, "k")
}

// add adds a line of a sample: a frame, or the source line of the last one.
func (s *Stack) add(line string) {
	if m := perfFrame.FindStringSubmatch(line); m != nil {
		name := m[1]
		if name == "[unknown]" {
			name = "[" + base(m[2]) + "]"
		}
		s.Frames = append(s.Frames, Frame{Func: name})
	} else if m := perfLine.FindStringSubmatch(line); m != nil && len(s.Frames) > 0 {
		f := &s.Frames[len(s.Frames)-1]
		f.File = m[1]
		f.Line, _ = strconv.Atoi(m[2])
	}
}

// period is a sample's weight in seconds: one without a period counts as much as any other.
func period(ns string) float64 {
	n, err := strconv.ParseUint(ns, 10, 64)
	if err != nil || n == 0 {
		n = 1
	}
	return float64(n) / 1e9
}

// base is the last element of a path of any system.
func base(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
