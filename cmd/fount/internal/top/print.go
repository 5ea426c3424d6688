// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// Frames for pipes and files: plain lines, or JSON.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Head names the columns of Text.
const Head = "time      pool           demand goodput refused  wait p50  wait p99   busy    memory  late p99 reseeds  notes\n"

// Text is a line for each pool, or one if there is none, or one that says why there are no figures.
func (f Frame) Text() string {
	now := f.Time.Format(time.TimeOnly)
	if f.Error != "" {
		return fmt.Sprintf("%s  gone: %s; waiting\n", now, f.Error)
	}
	pools := f.Pools
	if len(pools) == 0 {
		pools = []Pool{{Name: unknown}}
	}
	var b strings.Builder
	for _, p := range pools {
		line := fmt.Sprintf("%s  %s %s %s %s %s %s %s %s %s %s  %s", now, left(clean(p.Name), 12),
			right(perSecond(p.Demand), 8), right(perSecond(p.Goodput), 7), right(perSecond(p.turnedAway()), 7),
			right(seconds(p.WaitP50), 9), right(seconds(p.WaitP99), 9), right(busy(p), 6), right(size(p.MemoryInUse), 9),
			right(seconds(f.Process.LatenessP99), 9), right(perSecond(f.Random.Rate), 7), f.notes(&p))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// notes are what is not as usual.
func (f *Frame) notes(p *Pool) string {
	var notes []string
	if f.Restarted {
		notes = append(notes, "restarted")
	}
	if p.Overloaded {
		notes = append(notes, "overloaded")
	}
	if f.Random.Mode == "window" {
		notes = append(notes, "window")
	}
	for _, source := range f.Random.CutOff {
		notes = append(notes, clean(source)+" cut off")
	}
	for _, rates := range []Reasons{p.Refused, p.Dropped} {
		for _, reason := range slices.Sorted(maps.Keys(rates)) {
			if rate := rates[reason]; rate > 0 {
				notes = append(notes, clean(reason)+" "+perSecond(&rate))
			}
		}
	}
	return strings.Join(notes, ", ")
}

// JSON is the frame as an object on one line. Characters that a terminal could obey are escaped.
func (f Frame) JSON() (string, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r > unicode.MaxASCII && !unicode.IsPrint(r) && r <= 0xffff, r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r) // JSON's own rules leave them; they are in strings only
		case r > 0xffff && !unicode.IsPrint(r):
			b.WriteString(`\ufffd`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + "\n", nil
}
