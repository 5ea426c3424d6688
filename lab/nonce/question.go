// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What a study asks.

import (
	"time"

	"fount/lab/measure"
)

// A Question is what a study measures, and how it answers.
type Question struct {
	name     string // of its figures in files
	unit     string
	base     string // the others' ratios are to it
	methods  func(Parameters) []measure.Method
	beside   func(Parameters) []measure.Method // those that have bytes of their own
	conclude func(Trial) measure.Conclusion
	columns  []measure.Column
	cpu      func() time.Duration // what it counts as CPU time; nil: as the plan does
	timed    bool                 // each value is timed in the same turns that are counted
}

// Which asks which of the post's seven methods is the cheapest.
var Which = &Question{
	name: "Nonce", unit: "ns per nonce", base: Baseline, methods: Seven,
	beside: func(Parameters) []measure.Method {
		return []measure.Method{CryptoRand(), Fount(), Generator(), Strict(), Empty()}
	},
	conclude: Trial.concludeSeven, columns: measure.Columns("mean", "95 %", "ratio", "core", "p50", "p99", "p99.9"),
}

// question is Which where nothing else is asked.
func (s Study) question() *Question {
	if s.Question == nil {
		return Which
	}
	return s.Question
}

// Name is that of the figures in files.
func (s Study) Name() string { return s.question().name }

// Methods are those of the question, then those beside them.
func (s Study) Methods() []measure.Method {
	q := s.question()
	return append(q.methods(s.Parameters), q.beside(s.Parameters)...)
}

// own is the way to the kernel of a method that does not read by its study's.
const own = "own"

// viaOf is where a method of the study has its bytes from.
func (s Study) viaOf(method string) string {
	for _, m := range s.question().beside(s.Parameters) {
		if m.Name == method {
			return own
		}
	}
	return s.Via.Name
}

// Conclude says what the figures show.
func (t Trial) Conclude() measure.Conclusion { return t.question().conclude(t) }
