// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// What a run gives.

import "math"

// batches is into how many parts the draws are split, for the interval of the throughput.
const batches = 20

// tBatches is the 97.5 % point of Student's t with 19 degrees of freedom.
const tBatches = 2.093

// Figures are what a run gave, all of it modelled.
type Figures struct {
	Draws     int64   `json:"draws"`         // critical sections that counted
	Seconds   float64 `json:"model_seconds"` // of the model's clock
	PerSecond float64 `json:"draws_per_s"`   // of all threads
	Interval  float64 `json:"interval"`      // half of the 95 % interval of PerSecond, as a share of it
	Waiting   float64 `json:"waiting"`       // share of all threads' time from an arrival to its critical section
	Crossing  float64 `json:"crossing"`      // share of critical sections whose lock another socket had last
	WaitNS    float64 `json:"wait_ns"`       // mean wait for a critical section
}

// figures computes them from the times at which the batches ended; the first is that of the start.
func (s *sim) figures(marks []int64) Figures {
	elapsed := float64(marks[batches] - marks[0])
	draws := float64(s.c.Draws)
	f := Figures{
		Draws:     s.c.Draws,
		Seconds:   elapsed / 1e12,
		PerSecond: draws * float64(max(s.c.Batch, 1)) / elapsed * 1e12,
		Waiting:   s.waited / (elapsed * float64(s.c.N())),
		Crossing:  float64(s.crossed) / draws,
		WaitNS:    s.waited / draws / 1000,
	}
	mean, sum := elapsed/batches, 0.0
	for i := range batches {
		d := float64(marks[i+1]-marks[i])/mean - 1
		sum += float64(d * d)
	}
	f.Interval = tBatches * math.Sqrt(sum/(batches-1)/batches)
	return f
}
