// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What a study found.

import (
	"context"
	"fmt"

	"fount/lab/machine"
	"fount/lab/show"
)

// A Finding is what a study found on a machine. Names of fields stay; fields may be added.
type Finding struct {
	machine.Facts `json:"machine"`
	Measured      *Study `json:"measured"`

	Conditions []Condition `json:"-"`

	table show.Table
	notes []string
}

// Find makes the study.
func (p Plan) Find(ctx context.Context, terms Terms) (*Finding, error) {
	s, err := p.Make(ctx, terms)
	if err != nil {
		return nil, err
	}
	return &Finding{Facts: machine.Inspect(), Measured: s, Conditions: s.Conditions, table: s.table(), notes: s.notes()}, nil
}

// Err is nil if all conditions are met.
func (f *Finding) Err() error {
	n, first := missed(f.Conditions)
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d conditions not met, the first: %v", n, len(f.Conditions), first)
}
