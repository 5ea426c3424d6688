// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

import (
	"crypto/rand"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/show"
	"fount/internal/blowfish"
	"fount/internal/cputime"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
)

const (
	// least is the smallest share of the program's CPU time for which a change is worth its line.
	least = 0.01
	// rare is how much of one core hashes keep busy, below which they hardly meet.
	rare = 0.05
)

func (u *Use) hashes() bool {
	return slices.Contains([]string{Bcrypt, Argon2, Scrypt, PBKDF2}, u.Family)
}

// Advise sets the advice of each use, by costs of this machine.
func (r *Report) Advise(c *Costs) {
	r.Costs = c
	hashing := 0.0 // cores that hashes keep busy; the share, where no time is known
	for i := range r.Uses {
		if u := &r.Uses[i]; u.hashes() {
			hashing += u.Share
		}
	}

	if r.Seconds > 0 {
		hashing *= r.CPUSeconds / r.Seconds
	}

	for i := range r.Uses {
		u := &r.Uses[i]
		switch {
		case u.Family == Fount, u.Family == Pool:
			u.Advice = "keep: it is fount's"
		case u.Family == MathRand:
			u.Advice = "math/rand/v2, whose functions share no lock"
		case u.hashes() && hashing < rare:
			u.Advice = "keep: they are too few to meet"
		case u.hashes():
			u.Advice = "a password.Pool before it"
			if u.Family == Bcrypt {
				u.Saves = u.Share * c.Bcrypt.saves()
			}
		case u.High < least:
			u.Advice = "keep: it is too little to matter"
		default:
			u.adviseDraw(c)
		}

		if !c.Share.Quiet() {
			u.Saves = 0
		}
	}
}

// readers are packages whose functions draw from a Reader that the program hands them.
var readers = []string{"io", "bufio", "encoding/binary", "math/big", "crypto/rand"}

// pooledUUID is where google/uuid cuts from 256 bytes, after EnableRandPool.
const pooledUUID = "github.com/google/uuid.newRandomFromPool"

func (u *Use) adviseDraw(c *Costs) {
	through, _ := split(u.Through)

	replacement, change := replacementOf(u.Call, c)
	switch {
	case u.Call == "crypto/rand.Prime":
		u.Advice = "keep: what costs is the search for a prime"
		return
	case u.Call == pooledUUID:
		u.Advice = "keep: EnableRandPool has spread the cost already"
		return
	case u.Func == "":
		u.Advice = "keep: no line is known to call it"
		return
	case u.Through != "" && !isStandard(through):
		u.Advice = "keep, unless " + through + " takes a Reader: then fount.Reader"
		return
	case u.Through != "" && !slices.Contains(readers, through):
		u.Advice = "keep: " + through + " takes no other source"
		return
	case u.Through != "":
		replacement = "fount.Reader in place of crypto/rand.Reader"
	}

	if c.Share.Quiet() && change.saves() < 0.1 {
		u.Advice = "keep: fount costs as much on this machine"
		return
	}

	u.Advice = replacement
	u.Saves = u.Share * change.saves()
}

// replacementOf returns the call that could replace one, and what the replacement changes.
func replacementOf(call string, c *Costs) (string, Change) {
	pkg, name := split(call)
	switch {
	case strings.Contains(pkg, "ulid"), strings.Contains(pkg, "ksuid"), strings.HasSuffix(name, "V7"): // in order of time
		return "fount.NewUUIDv7()", c.UUID
	case strings.Contains(pkg, "uuid") && (strings.HasSuffix(name, "String") || strings.HasPrefix(name, "Generate")):
		return "fount.NewUUID().String()", c.UUID
	case strings.Contains(pkg, "uuid"):
		return "fount.NewUUID()", c.UUID
	case pkg == "crypto/rand" && name == "Int":
		return "fount.IntN", c.Draw
	case pkg == "crypto/rand" && name == "Text":
		return "fount.Text()", c.Draw
	case strings.HasSuffix(name, ").Read"):
		return "fount.Reader", c.Draw
	}
	return "fount.Read, or Nonce or Key by size", c.Draw
}

// Costs has the costs of calls and of their replacements, on one core of this machine.
type Costs struct {
	Draw   Change `json:"crypto_rand_16"` // 16 bytes of crypto/rand, and of fount
	UUID   Change `json:"uuid"`           // of google/uuid, and of fount
	Bcrypt Change `json:"bcrypt"`         // one, and one of several in lanes, of cost 6

	Share measure.Share `json:"core_share"` // while they were measured
}

// A Change has the cost of a call and of its replacement, in core ns: the minimum of the rounds.
type Change struct {
	From float64 `json:"ns"`
	To   float64 `json:"own_ns"`
}

// saves returns the share of the cost that the change saves.
func (c Change) saves() float64 { return max(0, 1-c.To/c.From) }

// What is made is kept, as a program does.
var kept struct {
	bytes [16]byte
	id    uuid.UUID
}

// Measure measures all costs, in a second.
func Measure() *Costs {
	hash, err := bcrypt.GenerateFromPassword([]byte("password"), 6)
	if err != nil {
		panic(err) // its arguments are constants
	}

	engine := new(blowfish.Engine)
	lanes := make([]*blowfish.Lane, blowfish.MaxLanes)
	for i := range lanes {
		lanes[i] = &blowfish.Lane{Key: fmt.Appendf(nil, "password %d\x00", i)}
	}

	meter := measure.Start()
	ns := leastNS(
		func() { rand.Read(kept.bytes[:]) }, func() { fount.Read(kept.bytes[:]) },
		func() { kept.id = uuid.New() }, func() { kept.id = uuid.UUID(fount.NewUUID()) },
		func() { _ = bcrypt.CompareHashAndPassword(hash, []byte("password")) }, func() { engine.Run(6, lanes) },
	)
	return &Costs{
		Draw:   Change{ns[0], ns[1]},
		UUID:   Change{ns[2], ns[3]},
		Bcrypt: Change{ns[4], ns[5] / blowfish.MaxLanes},
		Share:  meter.Share(),
	}
}

// leastNS has calls take turns of 5 ms of this thread's CPU time, and returns the least ns of each:
// more is the machine's.
func leastNS(calls ...func()) []float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	list := make([]float64, len(calls))
	for round := range 20 {
		for i, call := range calls {
			start := cputime.Thread()
			var took time.Duration
			n := 0
			for took < 5*time.Millisecond {
				for range min(1000, n+1) { // one at first, as a hash takes long
					call()
					n++
				}
				took = cputime.Thread() - start
			}
			if ns := float64(took) / float64(n); round == 0 || ns < list[i] {
				list[i] = ns
			}
		}
	}
	return list
}

// mostRows is how many uses the text has; JSON has all.
const mostRows = 12

// Text is the report for a terminal.
func (r *Report) Text(s show.Style) string {
	text := fmt.Sprintf("%s: %.2f s of CPU time", r.Program, r.CPUSeconds)
	if r.Seconds > 0 {
		text += fmt.Sprintf(" in %.1f s", r.Seconds)
	}
	text += fmt.Sprintf(", %s samples\n\n", show.Count(r.Samples))

	if len(r.Uses) == 0 {
		return show.Printable(text + "No sample was in random values or password hashes. Keep it as it is.\n")
	}

	t := show.Table{Head: []string{"", "CPU", "95 %", "saves", "line"}, Last: true}
	advice := ""
	for i, u := range r.Uses[:min(len(r.Uses), mostRows)] {
		saves := "-"
		if u.Saves > 0 {
			saves = percent(u.Saves)
		}
		t.Rows = append(t.Rows, []string{fmt.Sprintf("(%d) %s", i+1, u.Family), percent(u.Share), percent(u.Low) + " to " + percent(u.High), saves, u.where()})

		call := short(u.Call)
		if u.Through != "" && u.Through != u.Call {
			call += " through " + short(u.Through)
		}

		advice += show.Paragraph(fmt.Sprintf("%s: %s", call, u.Advice), s.Width, fmt.Sprintf("(%d) ", i+1), "    ")
	}

	if c := r.Costs; c != nil {
		costs := fmt.Sprintf("Here crypto/rand takes %s ns of a core for 16 bytes, fount %s; a UUID of google/uuid %s, "+
			"of fount %s; a bcrypt of cost 6 %s ms, and in a pool's lanes %s. %s", show.Ratio(c.Draw.From), show.Ratio(c.Draw.To),
			show.Ratio(c.UUID.From), show.Ratio(c.UUID.To), show.Ratio(c.Bcrypt.From/1e6), show.Ratio(c.Bcrypt.To/1e6), c.Share)
		advice += "\n" + show.Paragraph(costs, s.Width, "", "")
	}

	return show.Printable(text + t.Fit(s.Width, "95 %").String("") + "\n" + advice)
}

// where returns the line as editors take it, or what is known of it.
func (u *Use) where() string {
	switch {
	case u.Func == "":
		return "unknown"
	case u.File == "":
		return short(u.Func)
	}
	dir, file := path.Split(u.File)
	return fmt.Sprintf("%s:%d", path.Join(path.Base(dir), file), u.Line)
}

// short returns a function's name, without directories unless it is of the standard library.
func short(function string) string {
	pkg, name := split(function)
	if pkg == "" || isStandard(pkg) {
		return function // there is a math/rand too
	}
	return path.Base(pkg) + "." + name
}

// percent writes a share with two digits.
func percent(share float64) string {
	if share > 0.095 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}
