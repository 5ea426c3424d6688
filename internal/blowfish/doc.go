// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package blowfish computes several bcrypts side by side on one core. It is not a password hash to call by itself:
// package password parses, guards, compares and decides how many at once, and golang.org/x/crypto/bcrypt computes one.
//
// One bcrypt is a chain of table lookups in which each waits for the one before, so most of a core stands idle.
// Lanes are independent bcrypts whose chains share one loop, and fill it.
//
// Read the files in this order:
//
//	state.go        one Blowfish state: its round function, the salted key schedule, the encryption at the end
//	engine.go       Lane, Engine and Run: which states run together, for how long, and when they are wiped
//	expand.go       the key schedule for k states side by side
//	expand_go.go    generated: its loops, by k, for any processor
//	expand_amd64.s  generated: the same for amd64 with BMI2 (build tag purego: not used)
//	initial.go      generated: the state before any key, the digits of pi
//	width.go        how many lanes are worth it
//	_gen            the generator, a module of its own
package blowfish

//go:generate env GOWORK=off go run -C _gen . -out ..
