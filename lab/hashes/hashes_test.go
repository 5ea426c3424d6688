// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package hashes

import (
	"errors"
	"math"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"fount/lab"
)

// A turn is one draw of each worker, and its time is that of all hashes.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		draws := make(chan bool, 100)
		w := way{workers: 4, hashes: 3, draw: func() error {
			draws <- true
			time.Sleep(120 * time.Millisecond)
			return nil
		}}
		w.turn()
		w.turn()
		if len(draws) != 8 || len(w.seconds) != 2 || math.Abs(w.seconds[1]-0.01) > 1e-9 || math.Abs(w.quantity[0]-100) > 1e-6 {
			t.Errorf("%d draws, %v s a hash, %v hashes a second; want 8, 0.01 and 100", len(draws), w.seconds, w.quantity)
		}
		w.draw = func() error { return errors.New("no memory") }
		if w.turn(); w.row().Error != "no memory" {
			t.Errorf("%+v", w.row())
		}
	})
}

// Every way hashes.
func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Count: 1, Only: regexp.MustCompile("lanes|OWASP")})
	if err != nil || len(r.Groups) != 2 {
		t.Fatalf("%v, %d groups", err, len(r.Groups))
	}
	for _, g := range r.Groups {
		for _, row := range g.Rows {
			if row.Error != "" || !(row.Figures[0].Value > 0) {
				t.Errorf("%s: %s: %s %+v", g.Name, row.Name, row.Error, row.Figures)
			}
		}
	}
}
