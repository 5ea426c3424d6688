// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// Designs on up to 8 sockets, and what becomes of all that if a far line costs more.

// designWork is the time in ns that a thread does something else between two draws, in all designs.
const designWork = 100

// mostSockets is how many the designs go up to.
const mostSockets = 8

// A Design is a way to have many threads draw, on 1 to 8 sockets.
type Design struct {
	Name      string    `json:"name"`
	Config    Config    `json:"config"`
	PerSecond []float64 `json:"draws_per_s"`
	Ratios    []float64 `json:"ratios"` // to one socket
}

// plans are the designs before they are run. base has the machine and the lines.
func plans(base Config) []Design {
	c := base
	c.Section, c.Work, c.Lines, c.FeedEvery = fountNonce, designWork, stateLines, 0
	with := func(name string, lock Lock) Design {
		c.Lock = lock
		return Design{Name: name, Config: c}
	}
	list := []Design{
		with("one state, ticket lock", Ticket),
		with("one state, MCS lock", MCS),
		with("a state per socket", Node),
	}
	fount := with("fount: a state per thread", Node)
	fount.Config.Section, fount.Config.Batch = fountNode, fountReseed
	fount.Config.Work = fountReseed * (fountNonce + designWork)
	return append(list, fount)
}

// designs runs them.
func (s *study) designs(base Config) []Design {
	list := plans(base)
	var sockets []int
	for n := range mostSockets {
		sockets = append(sockets, n+1)
	}
	for i, d := range list {
		runs := s.on(d.Config, sockets)
		list[i].Ratios = toFirst(runs)
		for _, f := range runs {
			list[i].PerSecond = append(list[i].PerSecond, f.PerSecond)
		}
	}
	return list
}

// A Sensitivity is what a far line of another cost makes of the results.
type Sensitivity struct {
	Factor  float64   `json:"factor"`
	FarNS   float64   `json:"far_ns"`
	OnePool float64   `json:"one_pool_4"` // throughput of 4 sockets to one
	PerNode float64   `json:"per_node_4"` // with the input pool
	FromNS  float64   `json:"cliff_from_ns"`
	ToNS    float64   `json:"cliff_to_ns"`
	Designs []float64 `json:"designs_8"` // throughput of 8 sockets to one, of each design
}

// sensitivity runs all with half the far line to four times it.
func (s *study) sensitivity(base Config, feedEvery float64) (list []Sensitivity) {
	far := base.Far
	base.Draws = s.few()
	for _, factor := range []float64{0.5, 1, 2, 4} {
		base.Far = factor * far
		fed := base
		fed.Lock, fed.FeedEvery = Node, feedEvery
		v := Sensitivity{Factor: factor, FarNS: base.Far,
			OnePool: toFirst(s.on(base, []int{1, 4}))[1],
			PerNode: toFirst(s.on(fed, []int{1, 4}))[1],
			FromNS:  s.holds(base, 2),
			ToNS:    s.holds(base, 4),
		}
		for _, d := range plans(base) {
			v.Designs = append(v.Designs, toFirst(s.on(d.Config, []int{1, mostSockets}))[1])
		}
		list = append(list, v)
	}
	return list
}
