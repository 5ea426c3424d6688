// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Control sequences of ECMA-48 and xterm.
const (
	enter   = "\x1b[?1049h\x1b[?25l" // the alternate screen, without cursor
	leave   = "\x1b[?25h\x1b[?1049l"
	home    = "\x1b[H"
	endLine = "\x1b[K\r\n" // clears the rest of the line
	endView = "\x1b[J"     // clears the rest of the screen
)

const ctrlC = 3 // as a key, of a terminal in raw mode

// Show shows the view on a terminal until the user types q, and then restores the terminal. At
// Ctrl-C, or when ctx ends, the error is context.Canceled.
func (v *View) Show(ctx context.Context, in, out *os.File) error {
	before, err := term.MakeRaw(int(in.Fd())) // keys arrive at once and are not shown
	if err != nil {
		return err
	}
	defer term.Restore(int(in.Fd()), before)
	io.WriteString(out, enter)
	defer io.WriteString(out, leave)

	keys := make(chan byte)
	go readKeys(in, keys)
	samples := make(chan func())
	ticker := time.NewTicker(v.Interval)
	defer ticker.Stop()

	isReading := false
	for {
		if _, err := io.WriteString(out, v.frame(out)); err != nil {
			return err
		}

		select {
		case <-ctx.Done():
			return context.Canceled
		case key := <-keys:
			switch key {
			case 'q':
				return nil
			case ctrlC:
				return context.Canceled
			}
		case <-ticker.C:
			if isReading {
				continue // the last answer is still under way
			}
			isReading = true
			go func() {
				sample, err := v.Source.read(ctx)
				samples <- func() { v.add(sample, err) }
			}()
		case add := <-samples:
			isReading = false
			add()
		}
	}
}

// readKeys sends each typed byte to keys until reading fails.
func readKeys(in *os.File, keys chan<- byte) {
	b := make([]byte, 1)
	for {
		if n, err := in.Read(b); n == 0 || err != nil {
			return
		}
		keys <- b[0]
	}
}

// frame returns the lines, cut to the terminal's present size.
func (v *View) frame(out *os.File) string {
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width < 1 || height < 1 {
		width, height = 80, 24
	}

	var b strings.Builder
	b.WriteString(home)

	lines := v.Lines()
	for _, line := range lines[:min(len(lines), height-1)] {
		r := []rune(line)
		b.WriteString(string(r[:min(len(r), width)]) + endLine)
	}
	return b.String() + endView
}
