// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What to do about each use, and what that saves.

import (
	"slices"
	"strings"
)

const (
	// least is the share of the program's CPU time from which a change is worth its line.
	least = 0.01
	// rare is how much of one core hashes keep busy, below which they hardly meet.
	rare = 0.05
)

func (u *Use) hashes() bool {
	return slices.Contains([]string{Bcrypt, Argon2, Scrypt, PBKDF2}, u.Family)
}

// draws reports whether a use draws secure bytes in another way than through fount.
func (u *Use) draws() bool { return slices.Contains([]string{CryptoRand, Getrandom, UUID}, u.Family) }

// Wants reports whether a use is worth that costs are measured.
func (r *Report) Wants() bool {
	return slices.ContainsFunc(r.Uses, func(u Use) bool { return u.High >= least && (u.draws() || u.Family == Bcrypt) })
}

// Advise sets the advice of each use, by costs of this machine; nil: nothing is saved.
func (r *Report) Advise(c *Costs) {
	r.Costs = c
	hashing := 0.0 // cores that hashes keep busy; the share, where nobody tells for how long the program ran
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
			if u.Family == Bcrypt && c != nil {
				u.Saves = u.Share * c.Bcrypt.saves()
			}
		case u.High < least || c == nil:
			u.Advice = "keep: it is too little to matter"
		default:
			u.adviseDraw(c)
		}
	}
}

// readers are the packages of the standard library whose functions draw from a Reader that the program hands them.
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
	if change.saves() < 0.1 {
		u.Advice = "keep: fount costs as much on this machine"
		return
	}
	u.Advice, u.Saves = replacement, u.Share*change.saves()
}

// replacementOf is the call that would stand in the place of one, and what that changes.
func replacementOf(call string, c *Costs) (string, Change) {
	pkg, name := split(call)
	switch {
	case strings.Contains(pkg, "ulid"), strings.Contains(pkg, "ksuid"), strings.HasSuffix(name, "V7"): // in order of time
		return "fount.NewUUIDv7()", c.UUID
	case strings.Contains(pkg, "uuid") && (strings.HasSuffix(name, "String") || strings.HasPrefix(name, "Generate")):
		return "fount.NewUUID().String()", c.UUIDText
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
