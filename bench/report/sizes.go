// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// peers-size.svg: throughput of one core by size of a read.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fount/bench/peers"
	"fount/lab/show/figure"
)

// curves are the throughput of the peers that were measured with two sizes or more, in GB/s over bytes: the fastest at
// the last first.
func curves(r *Result) (list []figure.Series) {
	for _, p := range peers.All() {
		c := figure.Series{Name: p.Name, Look: figure.Methods[p.Name]}
		for _, size := range peers.Sizes {
			if task := peers.Read(size); r.has(task, p) {
				c.Points = append(c.Points, figure.Point{X: float64(size), Y: float64(size) / r.cost(task, p, false).Median})
			}
		}
		if len(c.Points) > 1 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b figure.Series) int {
		return -cmp.Compare(a.Points[len(a.Points)-1].Y, b.Points[len(b.Points)-1].Y)
	})
	return list
}

// drawSizes draws the plot, nil if there are no sizes to compare.
func drawSizes(r *Result) ([]byte, error) {
	l := figure.Lines{
		Title:   "Random bytes by one goroutine: throughput by size of a read",
		X:       figure.Axis{Label: "bytes in one read", Log: true},
		Y:       figure.Axis{Label: "GB per second of CPU time", Log: true},
		Series:  curves(r),
		Caption: captions(r),
	}
	if len(l.Series) == 0 {
		return nil, nil
	}
	if !r.cpu() {
		l.Y.Label = "GB per second"
	}
	for _, size := range peers.Sizes {
		l.X.Ticks = append(l.X.Ticks, figure.Tick{At: float64(size), Label: strings.TrimRight(peers.Bytes(size), " B")})
	}
	return l.SVG()
}

// captions is what a plot says of the run.
func captions(r *Result) []string {
	return []string{
		fmt.Sprintf("Medians of %d rounds; %s.", r.Rounds, r.machine()),
		"math/rand/v2 is not for secrets; its ChaCha8 and PCG, fount.Generator and AES-256-CTR are a goroutine's own.",
	}
}
