// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The script with which rc(1) starts the processes.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// rc starts the processes, not this program, which is large and would copy itself for each. With -e a command fails if any of its
// programs does, not only the last.
var rc = []string{"rc", "-e"}

// ended is the status with which rc ends once it has waited for all processes. With any other it did not take the script, as
// after an open quote: it runs nothing then, and that would be fast.
const ended = "ended"

// script has rc start the processes at once, and wait for their end. Braces are around each &, which else takes the whole loop:
// its rounds would come one after the other. Between rc and a program are two small shells: the inner ends when the command fails,
// the outer then prints its status. Before it starts a program, each shell writes the variables and functions to /env that have
// changed since rc itself last did: echo has rc do that once. Each process is a note group of its own (rc's &), so an interrupt or
// hangup, which ends this program, reaches it through rc alone. Nothing can pass a kill on.
func (o order) script() string {
	return "fn program {" + o.Command + "}\n" +
		"fn sigint {for(i in $started $apid) {echo kill >/proc/$i/notepg} >[2]/dev/null; exit interrupted}\n" +
		"fn sighup {sigint}\n" +
		"started=() i=() apid=()\n" +
		"echo ready\n" +
		"for(i in" + strings.Repeat(" .", o.Procs) + ") {{@{program} >/dev/null || echo failed $status} & started=($started $apid)}\n" +
		"wait\n" +
		"exit " + ended + "\n"
}

// start runs the script.
func (o order) start() (a answer, err error) {
	program := rc
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stdin = strings.NewReader(o.script())
	var said tail
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return a, err
	}
	if err := cmd.Start(); err != nil {
		return a, err
	}
	lines := bufio.NewReader(out)
	_, notReady := lines.ReadString('\n')
	begin := time.Now()
	statuses, unread := io.ReadAll(lines)
	a.TookMS = milliseconds(time.Since(begin).Nanoseconds())
	var status *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &status) {
		return a, err
	}
	if notReady != nil || status == nil || !strings.Contains(status.Error(), ": "+ended) {
		return a, o.notTaken(lastLine(string(said)))
	}
	if a.Failed = strings.Count(string(statuses), "failed "); a.Failed > 0 {
		a.Why = strings.TrimPrefix(lastLine(string(statuses)), "failed ")
		if line := lastLine(string(said)); line != "" {
			a.Why += "; " + line
		}
	}
	return a, unread
}

// A tail keeps the end of what is written to it.
type tail []byte

func (t *tail) Write(b []byte) (int, error) {
	*t = append(*t, b...)
	*t = (*t)[max(0, len(*t)-4096):]
	return len(b), nil
}

// notTaken is the error of a command that is no sentence of rc's, which has said why.
func (o order) notTaken(said string) error {
	if said != "" {
		said = " (" + said + ")"
	}
	return fmt.Errorf("rc does not take %q%s; use a command without # and with its quotes and braces closed", o.Command, said)
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
