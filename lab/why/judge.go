// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What to do about it. Judge is a pure function of the uses and the costs.

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"fount/internal/judge"
)

const (
	// least is the share of the program's CPU time from which a change is worth its line, as the doctor's 1 % of a core.
	least = 0.01
	// rare is the share of the machine's cores that hashes keep busy, below which they hardly meet, as the doctor has it.
	rare = 0.05
	// late is the lateness in ms, at the 99th percentile, that people notice in an answer.
	late = 20
)

// What a Verdict says to do.
const (
	Nothing = "nothing"
	Replace = "replace"
	Bound   = "pool"
	Both    = "both"
)

// hashing is the share of CPU time in password hashes that no Pool of fount's holds.
func (r *Report) hashing() (share float64) {
	for _, u := range r.Uses {
		if u.hashes() && u.Family != Pool {
			share += u.Share
		}
	}
	return share
}

func (u *Use) hashes() bool { return slices.Contains(hashes, u.Family) }

// draws reports whether a use draws secure bytes in another way than through fount.
func (u *Use) draws() bool {
	return slices.Contains([]string{CryptoRand, Getrandom, Urandom, UUID}, u.Family)
}

// Wants says what is to be measured before Judge: what no verdict would use is not.
func (r *Report) Wants() (draws, bcrypts bool) {
	for _, u := range r.Uses {
		draws = draws || u.draws() && u.High >= least
		bcrypts = bcrypts || u.Family == Bcrypt && u.Share >= least
	}
	return draws, bcrypts
}

// Judge says what to do, on a machine of so many cores. Costs that are 0 were not measured, and nothing is saved by them.
func (r *Report) Judge(c *Costs, cores int) {
	r.Costs = c
	for i := range r.Uses {
		u := &r.Uses[i]
		switch {
		case u.draws():
			u.judgeDraw(c, r)
		case u.Family == MathRand:
			u.Advice = "math/rand/v2's functions, which share no lock"
			u.saves(u.Locks, u.Locks*u.Low/u.Share, u.Share)
		case u.Family == Fount, u.Family == Pool:
			u.Advice = "keep: it is fount's"
		}
	}
	if r.wantsPool(cores) {
		for i := range r.Uses {
			if u := &r.Uses[i]; u.hashes() && u.Family != Pool {
				u.judgeHash(c)
			}
		}
	}
	r.conclude(cores)
}

// readers are the packages of the standard library whose functions draw from a Reader that the program hands them.
var readers = []string{"io", "bufio", "encoding/binary", "math/big", "crypto/rand"}

// judgeDraw says what a draw would save. The draws a second are the CPU time in crypto/rand by the cost of 16 bytes there:
// if they are in truth of 64, they are fewer.
func (u *Use) judgeDraw(c *Costs, r *Report) {
	if c == nil || !(c.Draw.From > 0) {
		u.Advice = "keep: too little to matter"
		return
	}
	if r.CPUSeconds > 0 && r.Seconds > 0 && u.Call != pooledUUID {
		ns := u.Drawing * r.CPUSeconds / r.Seconds * 1e9
		u.PerSecond, u.PerLow, u.PerHigh = ns/c.Draw.From, ns*u.Low/u.Share/c.Draw.From, ns*u.High/u.Share/c.Draw.From
		if u.Family != UUID {
			u.PerLow = ns * u.Low / u.Share / c.Long.From
		}
	}
	replacement, change := replacementOf(u.Call, c)
	pkg, _ := split(u.Through)
	switch {
	case u.Call == pooledUUID:
		u.Advice = "keep: EnableRandPool has spread the cost already"
		return
	case c.Use == CryptoRand:
		u.Advice = "keep: fount saves nothing on this machine"
		return
	case u.Through != "" && isStandard(pkg) && !slices.Contains(readers, pkg):
		u.Advice = "keep: " + pkg + " draws it, and takes no other source"
		return
	case u.Through != "" && !isStandard(pkg):
		u.Advice = "keep, unless " + pkg + " takes a Reader: then fount.Reader"
		return
	case u.Site.Func == "":
		u.Advice = "keep: no line of the program is known to call it"
		return
	case u.Call == "crypto/rand.Prime":
		u.Advice = "keep: what costs is the search for a prime, which takes no other source"
		return
	case u.Through != "":
		replacement = readerOf(c) + " in place of crypto/rand.Reader"
	}
	u.Advice = replacement
	saved := func(share, ratio float64) float64 { return share * max(0, 1-ratio) }
	whole := 1 + u.Garbage/u.Share
	u.saves(saved(u.Share*whole, change.Ratio), saved(u.Low*whole, change.High), saved(u.High*whole, change.Low))
	if u.Family != UUID { // of any size
		u.saves(u.Saves, min(u.Least, saved(u.Low*whole, c.Long.High)), max(u.Most, saved(u.High*whole, c.Long.Low)))
	}
}

// saves sets what is saved and its bounds.
func (u *Use) saves(share, low, high float64) {
	u.Saves, u.Least, u.Most = min(1, share), min(low, share), min(1, max(high, share))
}

// replacementOf is the call that would stand in the place of one, and what that changes.
func replacementOf(call string, c *Costs) (string, Change) {
	pkg, name := split(call)
	source := "fount"
	if c.Use == onlyStrict {
		source = onlyStrict + "{}"
	}
	switch {
	case strings.Contains(pkg, "ulid"), strings.Contains(pkg, "ksuid"), strings.HasSuffix(name, "V7"): // in order of time
		return "fount.NewUUIDv7()", c.UUID
	case strings.Contains(pkg, "uuid"):
		if strings.HasSuffix(name, "String") || strings.HasPrefix(name, "Generate") {
			return "fount.NewUUID().String()", c.UUIDText
		}
		return "fount.NewUUID()", c.UUID
	case name == "Int" && pkg == "crypto/rand":
		return "fount.IntN", c.Draw
	case name == "Text" && pkg == "crypto/rand":
		return "fount.Text()", c.Draw
	case strings.HasSuffix(name, ").Read"):
		return readerOf(c), c.Draw
	}
	return source + ".Read, or Nonce or Key by size", c.Draw
}

// onlyStrict is the doctor's verdict where fount's own generators gain little more. It reads, and has Nonce and Key.
const onlyStrict = "fount.Strict"

// readerOf is the Reader of the source that the doctor would use.
func readerOf(c *Costs) string {
	if c.Use == onlyStrict {
		return onlyStrict + "{}"
	}
	return "fount.Reader"
}

// judgeHash says what the Pool would save: the bcrypts that it does side by side, while enough of them wait.
func (u *Use) judgeHash(c *Costs) {
	u.Advice = "make one password.Pool, and call its Verify or Hash there"
	if u.Family == Bcrypt && c != nil && c.Lanes > 1 {
		part := 1 - 1/c.Lanes
		u.saves(u.Share*part, 0, u.High*part)
	}
}

// wantsPool reports whether hashes meet often, or make the rest of the program late: they do both where the program may not
// use all of the machine's cores.
func (r *Report) wantsPool(cores int) bool {
	share := r.hashing()
	if share < least {
		return false
	}
	busy := share // of a program that keeps the machine busy, where nothing tells
	if r.Cores > 0 {
		busy = share * r.Cores / float64(cores)
	}
	return busy >= rare || share >= rare && r.isLate()
}

func (r *Report) isLate() bool { return r.Lateness != nil && r.Lateness.P99MS >= late }

// conclude makes the verdict of the uses.
func (r *Report) conclude(cores int) {
	v := &r.Verdict
	v.Sentences = []string{}
	var replaced, bounded bool
	for _, u := range r.Uses {
		hash := u.hashes() && u.Advice != "" && u.Family != Pool
		if !hash && u.Saves < least {
			continue
		}
		bounded, replaced = bounded || hash, replaced || !hash
		v.Saves, v.Least, v.Most = min(1, v.Saves+u.Saves), min(1, v.Least+u.Least), min(1, v.Most+u.Most)
		v.Sentences = append(v.Sentences, u.sentence())
	}
	switch {
	case bounded && replaced:
		v.Do = Both
	case bounded:
		v.Do = Bound
	case replaced:
		v.Do = Replace
	default:
		v.Do = Nothing
		v.Sentences = append(v.Sentences, r.nothing(cores))
	}
	if bounded && r.isLate() {
		v.Sentences = append(v.Sentences, fmt.Sprintf("While it hashes, %s %s ms late (p99): a bound leaves the cores to the rest.",
			r.Lateness.Of, millis(r.Lateness.P99MS)))
	}
}

// sentence says what to change, and what that saves.
func (u *Use) sentence() string {
	where := u.Site.String()
	if u.hashes() {
		text := fmt.Sprintf("Put a pool before %s at %s: %s. The pool answers as many as the cores can hash in time and refuses the others "+
			"at once", short(u.Call), where, u.Advice)
		if u.Saves > 0 {
			text += fmt.Sprintf("; while hashes queue it also makes several bcrypts side by side, which saves %s of this program's CPU time",
				percent(u.Saves))
		}
		return text + "."
	}
	saves := fmt.Sprintf("That saves %s of this program's CPU time (%s to %s).", percent(u.Saves), percent(u.Least), percent(u.Most))
	if u.Through != "" {
		return fmt.Sprintf("Hand %s at %s %s. %s", short(u.Through), where, u.Advice, saves)
	}
	return fmt.Sprintf("Replace %s at %s: use %s. %s", short(u.Call), where, u.Advice, saves)
}

// nothing says why there is nothing to gain.
func (r *Report) nothing(cores int) string {
	all, saved := 0.0, 0.0
	for _, u := range r.Uses {
		if u.draws() || u.Family == MathRand {
			all, saved = all+u.High, saved+u.Saves
		}
	}
	text := "Nothing to gain: "
	switch {
	case len(r.Uses) == 0:
		_, high := judge.Wilson(0, r.equal)
		text += fmt.Sprintf("no sample of %d was in random values or password hashes, which is less than %s of its CPU time", r.Samples, percent(high))
	case all < least:
		text += fmt.Sprintf("random values take less than %s of its CPU time", percent(max(all, 0.0001)))
	case saved > 0:
		text += fmt.Sprintf("random values take %s of its CPU time, and each change would save less than %s", percent(min(1, all)), percent(least))
	default:
		text += fmt.Sprintf("random values take up to %s of its CPU time, and no line of it could save any of that", percent(min(1, all)))
	}
	if share := r.hashing(); share > 0 {
		text += fmt.Sprintf(". Password hashes take %s of it, too few to meet: no pool is needed", percent(share))
		if r.Cores > 0 {
			text += fmt.Sprintf(" while they keep %s of %d cores busy", percent(share*r.Cores/float64(cores)), cores)
		}
	}
	return text + ". Keep it as it is."
}

// String is the line as editors take it, or what is known of it.
func (s Site) String() string {
	switch {
	case s.Func == "":
		return "an unknown line"
	case s.File == "":
		return short(s.Func)
	}
	return fmt.Sprintf("%s:%d (%s)", tail(s.File), s.Line, short(s.Func))
}

// short is a function's name without the directories of its package, unless that is of the standard library.
func short(function string) string {
	pkg, name := split(function)
	if pkg == "" || isStandard(pkg) {
		return function // there is a math/rand too
	}
	return path.Base(pkg) + "." + name
}

// tail is the last two elements of a path.
func tail(file string) string {
	if i := strings.LastIndexByte(file, '/'); i > 0 {
		if k := strings.LastIndexByte(file[:i], '/'); k >= 0 {
			return file[k+1:]
		}
	}
	return file
}

// percent writes a share: one decimal below 10 %.
func percent(share float64) string {
	x := 100 * share
	if math.Abs(x) < 9.95 {
		return fmt.Sprintf("%.2g %%", math.Round(x*100)/100)
	}
	return fmt.Sprintf("%.0f %%", x)
}
