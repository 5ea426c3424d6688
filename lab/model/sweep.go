// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// One design on 1 to so many sockets.

import "context"

// A Sweep is what a Config gives on 1 to its number of sockets, all of it modelled.
type Sweep struct {
	Note   string    `json:"note"`
	Config Config    `json:"config"`
	Runs   []Figures `json:"runs"` // by sockets
	Ratios []float64 `json:"ratios"`
}

// sweepNote is the first sentence about a Sweep.
const sweepNote = "Everything here is modelled, nothing measured, and fitted to no point; the usual far line is, to 1 of 6 published."

// RunSweep simulates c on 1 to c.Sockets sockets, each with c's draws.
func RunSweep(ctx context.Context, c Config) (Sweep, error) {
	if err := c.Check(); err != nil {
		return Sweep{}, err
	}
	var sockets []int
	for n := range c.Sockets {
		sockets = append(sockets, n+1)
	}
	s := &study{ctx: ctx}
	w := Sweep{Note: sweepNote, Config: c, Runs: s.on(c, sockets)}
	w.Ratios = toFirst(w.Runs)
	return w, s.err
}
