// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !js

package top

// The view on a terminal.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"fount/lab/show"

	tea "charm.land/bubbletea/v2"
)

// HasScreen tells that Show has one on this system.
const HasScreen = true

// A Screen is what Show needs.
type Screen struct {
	In, Out  *os.File
	Next     func(context.Context) Frame
	Interval time.Duration
	Count    int // frames after the first; 0: no end
	Style    show.Style
	Color    bool
}

// Show shows first and what follows until the user quits, or Count frames were shown. It returns the last frame, and leaves the
// terminal as it was, also at a signal or panic.
func (s Screen) Show(first Frame) (Frame, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m := &live{Screen: s, ctx: ctx, next: time.Now().Add(s.Interval), last: first}
	m.view.Add(first)
	// Its own handler knows no SIGHUP and does not say which signal it was.
	program := tea.NewProgram(m, tea.WithInput(s.In), tea.WithOutput(s.Out), tea.WithoutSignalHandler())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, os.Interrupt)
	defer signal.Stop(signals)
	go func() {
		select {
		case sig := <-signals:
			signal.Stop(signals) // a second one ends the process, even if its terminal takes no more
			number, _ := sig.(syscall.Signal)
			program.Send(Signaled(number))
		case <-ctx.Done():
		}
	}()
	_, err := program.Run()
	if p := m.panicked; p != nil {
		panic(fmt.Sprintf("%v\n\n%s", p.value, p.stack))
	}
	if errors.Is(err, tea.ErrProgramPanic) {
		return m.last, errors.New("a defect of this program: see the trace above")
	}
	if err == nil && m.ended != nil {
		err = m.ended
	}
	return m.last, err
}

// A live view is the state between two messages of Bubble Tea, which calls it from one goroutine.
type live struct {
	Screen
	ctx           context.Context
	view          View
	last          Frame
	frames        int
	next          time.Time // the next frame is due
	width, height int
	ended         error
	panicked      *panicked
}

// A panicked is a panic on a goroutine of Bubble Tea's: Show repeats it when the terminal is as it was.
type panicked struct {
	value any
	stack []byte
}

// A tick lets ages grow.
type tick struct{}

func (m *live) Init() tea.Cmd { return tea.Batch(m.wait(), everySecond()) }

func everySecond() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return tick{} }) }

// wait returns the next frame when it is due. Frames that a slow answer left no time for are left out.
func (m *live) wait() tea.Cmd {
	due := m.next
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = panicked{r, debug.Stack()}
			}
		}()
		time.Sleep(time.Until(due)) // Bubble Tea does not wait for it at the end
		return m.Next(m.ctx)
	}
}

func (m *live) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tick:
		return m, everySecond()
	case Frame:
		m.view.Add(msg)
		m.last = msg
		if m.frames++; m.frames == m.Count {
			return m, tea.Quit
		}
		m.next = after(m.next, m.Interval)
		return m, m.wait()
	case panicked:
		m.panicked = &msg
		return m, tea.Quit
	case Signaled:
		m.ended = msg
		return m, tea.Quit
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	}
	return m, nil
}

func (m *live) key(key string) tea.Cmd {
	switch key {
	case "q", "esc":
		return tea.Quit
	case "ctrl+c":
		m.ended = Signaled(syscall.SIGINT)
		return tea.Quit
	case "ctrl+z":
		return suspend
	case "tab", "down", "right", "j":
		m.view.Choose(1)
	case "shift+tab", "up", "left", "k":
		m.view.Choose(-1)
	}
	return nil
}

func (m *live) View() tea.View {
	var text []string
	for _, line := range m.view.Lines(time.Now(), m.Interval, m.width, m.height, m.Style) {
		if m.Color {
			text = append(text, line.Colored())
		} else {
			text = append(text, line.String())
		}
	}
	v := tea.NewView(strings.Join(text, "\n"))
	v.AltScreen = true
	return v
}
