// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !js

package top

import (
	"context"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// HasScreen tells that Show has one on this system.
const HasScreen = true

// ErrInterrupted is Show's error of Ctrl-C and SIGINT.
var ErrInterrupted = tea.ErrInterrupted

// Show shows the view on a terminal until the user quits, or count intervals have passed, 0 for no end. It leaves the
// terminal as it was.
func (v *View) Show(in, out *os.File, count int) error {
	_, err := tea.NewProgram(&screen{view: v, left: count}, tea.WithInput(in), tea.WithOutput(out)).Run()
	return err
}

// A screen is the state between two messages of Bubble Tea, which calls it from one goroutine.
type screen struct {
	view          *View
	left          int // looks; below 1: no end
	width, height int
}

// A looked is what a look gave.
type looked struct {
	sample *sample
	err    error
}

func (s *screen) Init() tea.Cmd { return s.wait() }

// wait looks an interval later.
func (s *screen) wait() tea.Cmd {
	source := s.view.Source
	return tea.Tick(s.view.Interval, func(time.Time) tea.Msg {
		sample, err := source.read(context.Background())
		return looked{sample, err}
	})
}

func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case looked:
		s.view.add(msg.sample, msg.err)
		if s.left--; s.left == 0 {
			return s, tea.Quit
		}
		return s, s.wait()
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "esc":
			return s, tea.Quit
		case "ctrl+c":
			return s, tea.Interrupt
		}
	}
	return s, nil
}

func (s *screen) View() tea.View {
	lines := s.view.Lines()
	lines = lines[:min(len(lines), s.height)]
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = string([]rune(line)[:min(len([]rune(line)), s.width)])
	}
	v := tea.NewView(strings.Join(text, "\n"))
	v.AltScreen = true
	return v
}
