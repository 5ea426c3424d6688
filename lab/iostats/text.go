// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package iostats

// The result as text.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fount/lab/show"
)

// mostRows is how many other files the text has; JSON has all.
const mostRows = 10

// Text is a report of the random files, one sentence on the waiting, and a table of other files.
func (r Result) Text(s show.Style) string {
	var b strings.Builder
	paragraph := func(text string) { b.WriteString(show.Paragraph(text, s.Width, "", "")) }
	paragraph(r.title())
	n := slices.IndexFunc(r.Files, func(f File) bool { return !f.Random })
	if n < 0 {
		n = len(r.Files)
	}
	random, others := r.Files[:n], r.Files[n:]
	table := func(files []File) show.Table {
		t := show.Table{Head: []string{"", "opens", "reads", "bytes", "writes", "bytes", "in calls", "waited"}}
		for _, f := range files {
			t.Rows = append(t.Rows, f.row(s.Width))
		}
		return t
	}
	b.WriteString("\n")
	if len(random) > 0 {
		b.WriteString(table(random).String(""))
	}
	paragraph(r.verdict())
	if shown := min(mostRows, len(others)); shown > 0 {
		b.WriteString("\n")
		b.WriteString(table(others[:shown]).Without(7).String("")) // only random bytes are waited for
		if more := len(others) - shown; more > 0 {
			paragraph(fmt.Sprintf("%d more took less time.", more))
		}
	}
	return b.String()
}

func (r Result) title() string {
	end := fmt.Sprintf("exit status %d", r.Status)
	if r.Signal != "" {
		end = "ended by " + r.Signal
	}
	processes := "1 process"
	if r.Processes != 1 {
		processes = fmt.Sprintf("%d processes", r.Processes)
	}
	name := []rune(printable(strings.Join(strings.Fields(strings.Join(r.Command, " ")), " "))) // a script has newlines
	if len(name) > 60 {
		name = append(name[:57], []rune("...")...)
	}
	return fmt.Sprintf("%s: %s, %s, %s", string(name), seconds(r.Elapsed), processes, end)
}

// verdict says what randomness cost the program.
func (r Result) verdict() string {
	switch {
	case r.Random == Tally{}:
		return "It asked no file and no system call for random bytes. What the vDSO gives, and what is mapped into memory, is not seen."
	case r.Random.Waited == 0:
		return "It never waited for random bytes: none of these calls slept for a millisecond."
	}
	share := 100 * r.Random.Waited / r.Elapsed
	text := fmt.Sprintf("It waited %s for random bytes, %s %% of its %s", seconds(r.Random.Waited), show.Ratio(share), seconds(r.Elapsed))
	if r.Processes > 1 {
		text += "; processes that wait side by side count each"
	}
	return text + "."
}

func (f File) row(width int) []string {
	dash := func(none bool, n int64) string {
		if none {
			return "-"
		}
		return show.Count(n)
	}
	return []string{shorten(printable(f.Path), max(width-54, 16)), dash(f.Opens == 0, int64(f.Opens)), dash(f.Reads == 0, int64(f.Reads)), dash(f.Reads == 0, f.Read),
		dash(f.Writes == 0, int64(f.Writes)), dash(f.Writes == 0, f.Wrote), seconds(f.Calls), seconds(f.Waited)}
}

// printable is a name as a terminal may be given it: quoted if it has anything that is not printed, as the escape codes that a
// file's name may hold.
func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return name
	}
	return strconv.Quote(name)
}

// shorten keeps the end of a path, in at most n characters.
func shorten(path string, n int) string {
	runes := []rune(path)
	if len(runes) <= n {
		return path
	}
	return "..." + string(runes[len(runes)-n+3:])
}

// seconds is a time in ms or s.
func seconds(s float64) string {
	switch {
	case s == 0:
		return "0 s"
	case s < 0.9995:
		return show.Ratio(1000*s) + " ms"
	}
	return show.Ratio(s) + " s"
}
