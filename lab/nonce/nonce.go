// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package nonce measures what 16-byte nonces and random integers cost on this machine, by each of the methods in use and by
// those of two posts. It does not judge whether what they make is random, and it is no package testing: it measures
// several methods in turns, many times, so that whatever else the machine does meets all of them alike.
//
// A [Method] is a recipe, a [Source] the method at work, a [Plan] how to measure, a [Result] what came out. [Judge] says
// what to do about it; [Trial.Conclude] and [ConcludeTale] say what the posts' methods show today.
package nonce

import (
	"errors"
	"strings"

	"fount/lab/machine"
)

// A Nonce is what every method makes.
type Nonce = [16]byte

// A Method is one way to make nonces: a recipe, whose fields are its parameters. A value may be used from any goroutine.
type Method interface {
	// Name is the method's name in tables and in JSON.
	Name() string
	// Weakness is what its nonces must not be trusted with, in a few words; "" if nothing is to be said.
	Weakness() string
	// Open starts the method. The error is an [errors.ErrUnsupported] if the operating system lacks what it needs.
	Open() (Source, error)
}

// A Source is a method at work.
type Source interface {
	// Worker makes what one goroutine has to itself. The goroutine that will draw calls it, so that memory is near.
	// draw fills all of dst; the loop over dst is draw's own, so that a measurement adds one indirect call for a
	// whole dst and nothing for a nonce. close ends the worker; draw must not be called after it.
	Worker() (draw func(dst []Nonce), close func())
	// Close ends what the workers share, after the last of them is closed, and returns when its goroutines have ended.
	Close()
}

// shareless is the Source of a method whose workers share nothing: it makes a worker.
type shareless func() (draw func(dst []Nonce), close func())

func (s shareless) Worker() (draw func(dst []Nonce), close func()) { return s() }
func (s shareless) Close()                                         {}

// stateless is the Source of a method whose workers have no state either.
func stateless(draw func(dst []Nonce)) Source {
	return shareless(func() (func([]Nonce), func()) { return draw, func() {} })
}

// Reason is why a method could not be measured, in one line.
func Reason(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		return "not on " + machine.OSName()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}
