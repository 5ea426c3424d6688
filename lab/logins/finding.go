// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What a study found.

import (
	"context"
	"errors"
	"fmt"

	"fount/lab/machine"
	"fount/lab/show"
)

// A Finding is what a study found on a machine. Names of fields stay; fields may be added.
type Finding struct {
	machine.Facts `json:"machine"`
	Measured      any `json:"measured"` // a *Study, *MemoryReport or *UnknownReport

	Conditions []Condition `json:"-"`

	table show.Table
	notes []string
}

// Find makes the study.
func (p Plan) Find(ctx context.Context, terms Terms) (*Finding, error) {
	if terms.Show == nil {
		terms.Show = func(string) {}
	}
	f, err := p.find(ctx, terms)
	if err != nil {
		return nil, err
	}
	f.Facts = machine.Inspect()
	return f, nil
}

func (p Plan) find(ctx context.Context, terms Terms) (*Finding, error) {
	switch p.Name {
	case memoryName:
		r, err := DefaultMemory().Measure(ctx, func(done int) {
			terms.Show(fmt.Sprintf("%d of %d callers have their answers", done, DefaultMemory().Callers))
		})
		if err != nil {
			return nil, err
		}
		return &Finding{Measured: r, Conditions: r.Conditions, notes: []string{r.note()}}, nil
	case unknownName:
		r, err := DefaultUnknown().Measure(ctx, func(done, of int) {
			terms.Show(fmt.Sprintf("%d of %d pairs of calls", done, of))
		})
		if err != nil {
			return nil, err
		}
		return &Finding{Measured: r, Conditions: r.Conditions, table: r.table(), notes: []string{r.note()}}, nil
	}
	s, err := p.Make(ctx, terms)
	if err != nil {
		return nil, err
	}
	return &Finding{Measured: s, Conditions: s.Conditions, table: s.table(), notes: s.notes()}, nil
}

// Err is nil if all conditions are met.
func (f *Finding) Err() error {
	n, first := missed(f.Conditions)
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d conditions not met, the first: %v", n, len(f.Conditions), first)
}

// SVG draws the study; nil if it has no picture.
func (f *Finding) SVG() ([]byte, error) {
	s, ok := f.Measured.(*Study)
	if !ok {
		return nil, nil
	}
	svg, err := s.SVG(f.Facts)
	if errors.Is(err, ErrNoPicture) {
		return nil, nil
	}
	return svg, err
}
