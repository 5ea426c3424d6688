// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package demo

// The terminal.

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"fount/cmd/fountd/internal/trial"
)

// show is what frames are shown by: objects, a screen, or lines.
func (c *config) show(stdout io.Writer, title string, f *trial.Fleet, o *operator, cancel context.CancelCauseFunc) (show, error) {
	if c.json {
		return objects{stdout}, nil
	}
	out, ok := stdout.(*os.File)
	if _, isTerminal := size(out); !ok || !isTerminal || os.Getenv("TERM") == "dumb" {
		text := "fountd demo: " + title + "\n"
		if f.NoQuotas != nil {
			text += "  without CPU quotas: " + f.NoQuotas.Error() + "\n"
		}
		_, err := io.WriteString(stdout, text+head)
		return plain{stdout}, err
	}
	if f.NoQuotas != nil {
		title += "; no CPU quotas: " + f.NoQuotas.Error()
	}
	s := &screen{out: out, view: view{title: title, unicode: isUTF8(os.Getenv), color: os.Getenv("NO_COLOR") == ""}}
	if keys, err := openKeys(os.Stdin); err == nil {
		s.keys = keys
		s.view.keys = true
		go s.read(o, len(f.Workers), cancel)
	}
	_, err := io.WriteString(out, "\x1b[?1049h\x1b[?25l\x1b[2J") // another screen, no cursor
	return s, err
}

// size is a terminal's, in columns and lines.
func size(f *os.File) (s struct{ width, height int }, ok bool) {
	if f == nil {
		return s, false
	}
	w, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return s, false
	}
	s.width, s.height = int(w.Col), int(w.Row)
	if s.width == 0 || s.height == 0 { // nobody has said
		s.width, s.height = 80, 24
	}
	return s, true
}

func isUTF8(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return false
}

// A screen draws each frame over the last.
type screen struct {
	out  *os.File
	keys *keys // nil: none

	mu     sync.Mutex
	view   view
	closed bool
}

func (s *screen) frame(f trial.Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view.add(f)
	at, _ := size(s.out)
	_, err := io.WriteString(s.out, "\x1b[H"+strings.Join(s.view.lines(at.width, at.height-1), "\x1b[K\r\n")+"\x1b[J")
	return err
}

// end leaves the screen, and says what became of the calls on the one before it.
func (s *screen) end(sum summary) error {
	s.Close()
	return sum.print(s.out)
}

// Close leaves the terminal as it was.
func (s *screen) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	_, err := io.WriteString(s.out, "\x1b[?25h\x1b[?1049l")
	if s.keys != nil {
		s.keys.restore()
	}
	return err
}

// read obeys keys until the terminal ends.
func (s *screen) read(o *operator, workers int, cancel context.CancelCauseFunc) {
	var b [1]byte
	for {
		if n, err := s.keys.in.Read(b[:]); n == 0 || err != nil {
			return
		}
		switch key := int(b[0]); {
		case key == 'q':
			cancel(errQuit)
		case key == 'b':
			o.toggleBroker()
		case '1' <= key && key < '1'+workers:
			o.toggle(key - '1')
		}
	}
}
