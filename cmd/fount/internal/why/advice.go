// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What to use instead of what a program uses.

import (
	"slices"
	"strings"
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

// Advise sets the advice of each use, by costs of this machine. What was measured beside other
// programs says what to use, and not what that saves.
func (r *Report) Advise(c *Costs) {
	r.Costs = c
	hashing := r.hashingCores()

	for i := range r.Uses {
		u := &r.Uses[i]
		u.Advice, u.Saves = u.advice(c, hashing)
		if !c.Share.Quiet() {
			u.Saves = 0
		}
	}
}

// hashingCores returns how many cores hashes keep busy, or, if the time is not known, their share.
func (r *Report) hashingCores() float64 {
	share := 0.0
	for _, u := range r.Uses {
		if u.hashes() {
			share += u.Share
		}
	}

	if r.Seconds > 0 {
		return share * r.CPUSeconds / r.Seconds
	}
	return share
}

// advice returns what to use instead of u, and the share of the program's CPU time that this saves.
func (u *Use) advice(c *Costs, hashingCores float64) (text string, saves float64) {
	const usePool = "a password.Pool before it"
	switch {
	case u.Family == Fount, u.Family == Pool:
		return "keep: it is fount's", 0
	case u.Family == MathRand:
		return "math/rand/v2, whose functions share no lock", 0
	case u.hashes() && hashingCores < rare:
		return "keep: they are too few to meet", 0
	case u.Family == Bcrypt:
		return usePool, u.Share * c.Bcrypt.saves()
	case u.hashes():
		return usePool, 0
	case u.High < least:
		return "keep: it is too little to matter", 0
	}
	return u.drawAdvice(c)
}

// readers are packages whose functions draw from a Reader that the program hands them.
var readers = []string{"io", "bufio", "encoding/binary", "math/big", "crypto/rand"}

// drawAdvice is advice for random values.
func (u *Use) drawAdvice(c *Costs) (text string, saves float64) {
	through, _ := split(u.Through)
	isDirect := u.Through == ""
	switch {
	case u.Call == "crypto/rand.Prime":
		return "keep: what costs is the search for a prime", 0
	case u.Call == pooledUUID:
		return "keep: EnableRandPool has spread the cost already", 0
	case u.Func == "":
		return "keep: no line is known to call it", 0
	case !isDirect && !isStandard(through):
		return "keep, unless " + through + " takes a Reader: then fount.Reader", 0
	case !isDirect && !slices.Contains(readers, through):
		return "keep: " + through + " draws for itself", 0
	}

	replacement, change := replacementOf(u.Call, c)
	if c.Share.Quiet() && change.saves() < 0.1 {
		return "keep: fount costs as much on this machine", 0
	}
	if !isDirect {
		replacement = "fount.Reader in place of crypto/rand.Reader"
	}
	return replacement, u.Share * change.saves()
}

// replacementOf returns the call that could replace one, and what the replacement changes.
func replacementOf(call string, c *Costs) (string, Change) {
	pkg, name := split(call)
	isUUID := strings.Contains(pkg, "uuid")
	isOrdered := strings.Contains(pkg, "ulid") || strings.Contains(pkg, "ksuid") || strings.HasSuffix(name, "V7") // by time
	isText := strings.HasSuffix(name, "String") || strings.HasPrefix(name, "Generate")

	switch {
	case isOrdered:
		return "fount.NewUUIDv7()", c.UUID
	case isUUID && isText:
		return "fount.NewUUID().String()", c.UUID
	case isUUID:
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
