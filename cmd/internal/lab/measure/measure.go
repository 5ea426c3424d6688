// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package measure is the harness. It measures one turn of a [Method] by a [Plan], and returns a
// [Turn]. Package lab makes methods take turns and compares them.
package measure

import (
	"math"
	"time"
)

// A Method is one way to make values. It may be used from any goroutine.
type Method struct {
	Name   string        // in tables and in JSON
	X      float64       // its point on the axis, 0 if there is none
	Then   float64       // ns as published
	Warmup time.Duration // if it needs longer than the Plan's
	Alone  bool          // without the Plan's calls and pauses

	// Open starts the method. It returns [errors.ErrUnsupported] if this operating system has none.
	Open func() (Source, error)
}

// Empty returns a method that makes nothing. Its cost is that of the harness and the call. Its
// percentiles are those of reading the clock twice with nothing in between.
func Empty() Method {
	return Method{Name: "Empty", Open: Stateless(func([]byte) {})}
}

// A Source is an open method.
type Source interface {
	// Worker returns the part that belongs to the k-th goroutine. That goroutine calls it, so that
	// its memory is near.
	Worker(k int) Worker
	// Close ends the method, after all its workers have ended.
	Close()
}

// A Worker is one goroutine's part of a Source.
type Worker interface {
	// Draw makes n values in a loop of its own, so that a measurement adds one indirect call for
	// all of them. If it can't it panics, which the harness reports as the method's error.
	Draw(n int)
	// Close ends the worker.
	Close()
}

// A Loop is a Worker of two functions. End may be nil.
type Loop struct {
	Do  func(n int)
	End func()
}

// Draw calls Do.
func (l Loop) Draw(n int) { l.Do(n) }

// Close calls End.
func (l Loop) Close() {
	if l.End != nil {
		l.End()
	}
}

// Workers is the Source of a method whose workers share nothing that has to be closed.
type Workers func(k int) Worker

// Worker calls w.
func (w Workers) Worker(k int) Worker { return w(k) }

// Close does nothing.
func (Workers) Close() {}

// A Filler is a Worker that fills values of a type. Fill has a loop of its own; End may be nil.
type Filler[T any] struct {
	Fill func(dst []T)
	End  func()

	dst []T
}

// batch is how many values are filled at a time: enough to hide the call of Fill (0.1 ns a value),
// and few enough for the memory of 100,000 workers.
const batch = 16

// Draw fills n values.
func (f *Filler[T]) Draw(n int) {
	if f.dst == nil {
		f.dst = make([]T, batch)
	}
	for ; n > batch; n -= batch {
		f.Fill(f.dst)
	}
	f.Fill(f.dst[:n])
}

// Close calls End.
func (f *Filler[T]) Close() {
	if f.End != nil {
		f.End()
	}
}

// Stateless opens a method whose workers have no state but the values.
func Stateless[T any](fill func(dst []T)) func() (Source, error) {
	return Shareless(func() func([]T) { return fill })
}

// Shareless opens a method whose workers share nothing.
func Shareless[T any](start func() (fill func(dst []T))) func() (Source, error) {
	return func() (Source, error) {
		return Workers(func(int) Worker { return &Filler[T]{Fill: start()} }), nil
	}
}

// CPUSeconds returns the CPU time that this process has used, NaN if it is not known.
func CPUSeconds() float64 {
	if ProcessCPU == nil {
		return math.NaN()
	}
	return ProcessCPU().Seconds()
}
