// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The study as it is run.

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"fount/cmd/internal/lab"
)

// TestPatch: the fits meet the points that they are fitted to, a pool per node is linear, and the
// ticket lock is nearer to the published row than the control, whose handover does not grow. How
// near is held against no bar: the choices were made with the points in sight.
func TestPatch(t *testing.T) {
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Only: regexp.MustCompile("^The patch's table")})
	if err != nil || len(r.Groups) != 1 {
		t.Fatalf("%v, %d groups", err, len(r.Groups))
	}
	off := map[string]float64{}
	waiting := 0.0
	for _, row := range r.Groups[0].Rows {
		name := row.Name[:strings.LastIndex(row.Name, ",")]
		modelled := row.Figures[0].Value
		off[name] = max(off[name], math.Abs(modelled/row.Then-1))
		switch {
		case row.X == 4 && name != "a pool per node":
			within(t, row.Name, modelled, row.Then, 0.02)
		case name == "a pool per node":
			within(t, row.Name, modelled, row.X, 0.01)
		}
		if row.Name == "one pool, 4" {
			waiting = row.Figures[1].Value
		}
	}
	if ticket, control := off["one pool"], off["one pool, MCS lock"]; control < 2*ticket {
		t.Errorf("the control meets the published row to %.3f, the ticket lock to %.3f", control, ticket)
	}
	if waiting < 0.8 {
		t.Errorf("4 sockets wait %.2f of their time; published is over 0.8", waiting)
	}
}

// TestNoFit: where no far line gives the published figure there is an error, and no figure.
func TestNoFit(t *testing.T) {
	only := lab.Study{Name: "model", Run: func(r *lab.Run) {
		c := patch
		c.Cores, c.Threads, c.Work, c.Draws = 1, 1, 1e6, 1000 // a thread a socket hardly waits
		study{r}.far(c, Ticket)
	}}
	if r, err := only.Measure(t.Context(), lab.Options{}); err == nil || !strings.HasPrefix(err.Error(), "no far line") || len(r.Groups) > 0 {
		t.Errorf("%d groups and error %v, want no far line", len(r.Groups), err)
	}
}

// TestCancel: a context that is done ends a run, and the study.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Simulate(ctx, small(MCS)); !errors.Is(err, context.Canceled) {
		t.Errorf("Simulate returned %v, want %v", err, context.Canceled)
	}
	if _, err := Study.Measure(ctx, lab.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the study returned %v, want %v", err, context.Canceled)
	}
}
