// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// What fount load password sweep wrote.

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A sweep is the part of the study that is drawn.
type sweep struct {
	Machine struct {
		CPU        string `json:"cpu"`
		GOMAXPROCS int    `json:"gomaxprocs"`
		Go         string `json:"go_version"`
	} `json:"machine"`
	Measured struct {
		Capacity []struct {
			Mechanism string  `json:"mechanism"`
			PerSecond float64 `json:"per_s"`
		} `json:"capacity"`
		Runs []point `json:"runs"`
	} `json:"measured"`
}

// A point is one run.
type point struct {
	Config struct {
		Mechanism string  `json:"mechanism"`
		Rate      float64 `json:"rate"`
		Deadline  int64   `json:"deadline_ns"`
		Cost      int     `json:"cost"`
	} `json:"config"`
	Goodput   float64 `json:"goodput_per_s"`
	Heartbeat *struct {
		P99 *float64 `json:"p99_ms"`
	} `json:"heartbeat"`
}

func read(object []byte) (*sweep, error) {
	s := new(sweep)
	if err := json.Unmarshal(object, s); err != nil {
		return nil, err
	}
	switch {
	case len(s.Measured.Runs) == 0:
		return nil, errors.New("no runs are in it")
	case s.base() <= 0:
		return nil, errors.New("the capacity of pool is not in it")
	}
	for _, p := range s.Measured.Runs {
		if p.Config.Rate <= 0 || p.Config.Deadline <= 0 {
			return nil, fmt.Errorf("a run of %s has rate %v and deadline %v ns; want those of an open loop",
				p.Config.Mechanism, p.Config.Rate, p.Config.Deadline)
		}
	}
	return s, nil
}

// base is the capacity that the loads are multiples of.
func (s *sweep) base() float64 { return s.capacity("pool") }

func (s *sweep) capacity(mechanism string) float64 {
	for _, c := range s.Measured.Capacity {
		if c.Mechanism == mechanism {
			return c.PerSecond
		}
	}
	return 0
}

// mechanisms are those that were measured, in the order of measuring.
func (s *sweep) mechanisms() (names []string) {
	seen := make(map[string]bool)
	for _, p := range s.Measured.Runs {
		if name := p.Config.Mechanism; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
