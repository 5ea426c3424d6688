// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Conditions: what is the same for all methods of a table. Two of them matter: the post's, and today's.

import (
	"fmt"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
)

// Calls are the names of what stands for the call to another service.
var Calls = []string{noCall, goschedCall, loopbackCall}

const (
	noCall       = "none"
	goschedCall  = "gosched"
	loopbackCall = "loopback"
	requestCall  = "request" // what is measured is a whole request to a server
)

// callTexts say what follows each draw.
var callTexts = map[string]string{
	noCall:       "nothing follows a draw",
	goschedCall:  "runtime.Gosched follows each draw",
	loopbackCall: "a round trip by TCP on loopback follows each draw",
	requestCall:  "each draw is a request to an HTTP server in a process of its own",
}

// Post is the study with the post's values, under its conditions: a system call for each read, which is all that Go did in
// 2016, and runtime.Gosched for the call. Its goroutines are testing.B.RunParallel's, one for each of GOMAXPROCS, which was 2.
// Where there is no getrandom system call, the bytes are crypto/rand's.
func Post() Study {
	s := Study{Parameters: PostParameters(), Call: goschedCall, Length: 1000, Idle: 10 * time.Millisecond}
	if s.Via = ViaSyscall; !s.Via.here() {
		s.Via = ViaGo
	}
	return s
}

// Today is the same study under the conditions of a server of today: Go reads in the vDSO where the kernel has getrandom there,
// and nothing is added to the draws.
func Today() Study {
	s := Post()
	s.Via, s.Call = DefaultVia(), noCall
	return s
}

// The names of conditions.
const (
	post  = "post"
	today = "today"
)

// conditionOf names a condition that is the post's or today's.
func conditionOf(via, call string) measure.Condition {
	c := measure.Condition{Via: via, Call: call}
	switch {
	case via == ViaSyscall.Name && call == goschedCall:
		c.Name = post
	case via == ViaVDSO.Name && call == noCall:
		c.Name = today
	}
	return c
}

// IsPosts reports whether a table was measured under the post's conditions, so that the post's figures may stand beside it.
func IsPosts(c measure.Condition) bool { return c.Name == post }

// Label says what a condition is, in a sentence.
func Label(c measure.Condition, random machine.KernelRandom) string {
	name := map[string]string{post: "The post's conditions: ", today: "Today's conditions: ", "": "Conditions: "}[c.Name]
	about := c.Via
	for _, v := range Vias {
		if v.Name == c.Via {
			about = v.About
		}
	}
	if c.Via == ViaVDSO.Name && random.VDSO == machine.No {
		about += ", which this one does not have"
	}
	return fmt.Sprintf("%sbytes come by %s; %s.", name, about, callTexts[c.Call])
}

// Restore labels the tables of a report of before there were conditions, which had one for all.
func (r *Report) Restore() {
	for i := range r.Tables {
		if t := &r.Tables[i]; t.Condition.Via == "" {
			t.Condition = conditionOf(r.Via, r.Call)
		}
	}
}
