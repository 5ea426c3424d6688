// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of who draws when, what is counted, and that nothing is left running.

package scale

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"fount/cmd/internal/lab"
	"fount/internal/numa"
)

func TestNumbersOfThreads(t *testing.T) {
	for _, test := range []struct{ nodes, want []int }{
		{[]int{1}, []int{1}},
		{[]int{2}, []int{1, 2}},
		{[]int{9}, []int{1, 2, 4, 8, 9}},
		{[]int{16}, []int{1, 2, 4, 8, 16}},
		{[]int{11, 9}, []int{1, 2, 4, 8, 11, 16, 20}},
	} {
		if got := threads(test.nodes); !slices.Equal(got, test.want) {
			t.Errorf("nodes of %d cores: %v, want %v", test.nodes, got, test.want)
		}
	}
}

// Every method draws in both sizes from four workers at once.
func TestMethods(t *testing.T) {
	for _, size := range []int{16, 4096} {
		for _, m := range Methods(Setting{size, []int{0, 0, 1, 1}}) {
			src, err := m.Open()
			if errors.Is(err, errors.ErrUnsupported) {
				t.Logf("%s: %v", m.Name, err)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			var all sync.WaitGroup
			for k := range 4 {
				all.Go(func() {
					w := src.Worker(k)
					defer w.Close()
					for _, n := range []int{0, 1, 15, 16, 17, 50} {
						w.Draw(n)
					}
				})
			}
			all.Wait()
			src.Close()
		}
	}
}

// A worker on another CPU or node than its spot says so; what can't be known is no error.
func TestSpots(t *testing.T) {
	at := spot{3, 2}
	for _, here := range []spot{{-1, -1}, {3, -1}, {3, 2}} {
		if err := at.check(here.CPU, here.Node); err != nil {
			t.Errorf("%+v: %v", here, err)
		}
	}
	for _, here := range []spot{{4, -1}, {4, 2}, {3, 0}} {
		if err := at.check(here.CPU, here.Node); err == nil {
			t.Errorf("%+v was not found", here)
		}
	}
	if err := (spot{3, -1}).check(3, 0); err != nil { // a node that fount made
		t.Error(err)
	}
}

// A turn whose thread is elsewhere ends the run: there is no row that says otherwise.
func TestMisplacedEndsTheRun(t *testing.T) {
	if cpu, _ := numa.Here(); cpu < 0 {
		t.Skip("this system does not say where a thread is")
	}
	setting := Setting{16, []int{0}}
	s := study{
		Run:     &lab.Run{Context: t.Context(), Options: lab.Options{Quick: true}},
		setting: setting,
		spots:   []spot{{CPU: allowed()[0], Node: 1023}}, // no machine of a test has that node
	}
	_, err := s.turn(Methods(setting)[0], s.spots)
	if err == nil || !strings.Contains(err.Error(), "node 1023 by sysfs") || !s.Over() {
		t.Errorf("%v, want the node that the thread is not on", err)
	}
}

// Each row is held against one thread, or node, of the same method.
func TestStudy(t *testing.T) {
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Count: 2, Only: regexp.MustCompile("16 bytes.*: (fount|one mutex),|4096.*nodes: fount,")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range r.Groups {
		names = append(names, g.X)
		for _, row := range g.Rows {
			if row.Error != "" || len(row.Figures) == 0 || row.Figures[0] == nil || !(row.Figures[0].Value > 0) {
				t.Errorf("%s: %+v", g.Name, row)
			}
			method, _, _ := strings.Cut(row.Name, ",")
			if base := g.Rows[row.Base]; base.X != 1 || !strings.HasPrefix(base.Name, method+",") {
				t.Errorf("%s is compared with %s", row.Name, base.Name)
			}
		}
	}
	want := "threads"
	if nodes, _ := layout(&lab.Run{}); len(nodes) > 1 {
		want = "threads nodes nodes"
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("measured were %s, want %s", got, want)
	}
}
