// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// From a Profile to a Report.

import (
	"context"
	"fmt"
	"math"
	"time"

	"fount/lab/measure"
	"fount/lab/show"
)

// An Examination says how costs are measured, and for what machine the verdict is.
type Examination struct {
	Plan  measure.Plan  // of draws
	Run   time.Duration // of each of the two loads of bcrypts
	Cores int
}

// Examine finds the uses in a profile, measures what they cost here, and judges. A nil line shows no progress.
func (x Examination) Examine(ctx context.Context, p *Profile, line *show.Progress) (*Report, error) {
	r, err := Of(p)
	if err != nil {
		return nil, err
	}
	defer line.Clear()
	var c *Costs
	draws, bcrypts := r.Wants()
	if draws || bcrypts {
		c = new(Costs)
	}
	if draws {
		err = c.MeasureDraws(x.Plan, func(done, all int) {
			left := x.Plan.Time(all/max(1, x.Plan.Rounds)) * time.Duration(all-done) / time.Duration(all)
			line.Show(fmt.Sprintf("measuring draws here: %d %%, %.0f s left", 100*done/all, math.Ceil(left.Seconds())))
		})
	}
	if err == nil && bcrypts && r.wantsPool(x.Cores) {
		line.Show(fmt.Sprintf("measuring bcrypts here: %.0f s", math.Ceil(2*x.Run.Seconds())))
		err = c.MeasureHashes(ctx, x.Run)
	}
	if err != nil {
		return nil, err
	}
	r.Judge(c, x.Cores)
	return r, nil
}
