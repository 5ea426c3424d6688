// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"math"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"fount/cmd/internal/lab"
)

// A turn is one draw of each worker, and its time is that of all hashes.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		draws := make(chan bool, 100)
		got, err := turn(4, 3, func() error {
			draws <- true
			time.Sleep(120 * time.Millisecond)
			return nil
		})
		if err != nil || len(draws) != 4 || math.Abs(got[1]-0.01) > 1e-9 {
			t.Errorf("%d draws, %v; want 4, and 0.01 s a hash", len(draws), got)
		}
		if _, err := turn(1, 1, func() error { return errors.New("no memory") }); err == nil {
			t.Error("a hash that fails is none")
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
