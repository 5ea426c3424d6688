// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package top

// Job control: Ctrl-Z.

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspend stops the process and its group while the terminal is as it was. Bubble Tea's own command waits for a SIGCONT that
// never comes where nobody could send one: the kernel does not stop an orphaned group, such as that of ssh -t HOST fount top.
func suspend() tea.Msg { return tea.Exec(stopped{}, nil)() }

// A stopped is a pause between giving the terminal back and taking it again.
type stopped struct{}

// untilStopped is how long a signal to this very process may take to stop it.
const untilStopped = 500 * time.Millisecond

func (stopped) Run() error {
	going := make(chan os.Signal, 1)
	signal.Notify(going, syscall.SIGCONT)
	defer signal.Stop(going)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-going:
	case <-time.After(untilStopped): // it was not stopped
	}
	return nil
}

func (stopped) SetStdin(io.Reader)  {}
func (stopped) SetStdout(io.Writer) {}
func (stopped) SetStderr(io.Writer) {}
