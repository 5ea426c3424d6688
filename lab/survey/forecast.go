// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// How long an upgrade by logins takes.

import "math"

// A Forecast says how the users who sign in leave the old hashes. Its premises:
//
//   - Each user signs in at times that are independent of each other, at a rate of the user's own that does not change.
//   - The rates of all users have a gamma distribution of Shape 0.5. So a quarter sign in less than a tenth as often as the
//     mean, and a tenth 2.7 times as often. This is the NBD model of marketing. No public figures for logins
//     are known to us; those for the purchases at a web shop gave 0.55 (Fader, Hardie, Lee: "Counting Your Customers" the Easy Way,
//     Marketing Science 24, 2005, table 2). Alike is the bound of which most think first, where all have one rate.
//   - Whoever has an old hash signs in as often as the others. Nobody leaves, and nobody joins.
//   - The first login upgrades: no pool is overloaded for long.
type Forecast struct {
	Logins float64 `json:"logins_per_day"` // of all users who can sign in
	Mean   float64 `json:"logins_per_user_per_day"`
	Shape  float64 `json:"shape"`
	Users  int64   `json:"users"` // with hashes to upgrade
	Days   []Day   `json:"days"`

	Half   float64 `json:"days_to_50_percent"`
	Most   float64 `json:"days_to_90_percent"`
	Nearly float64 `json:"days_to_99_percent"`

	FirstDay float64 `json:"core_s_first_day"` // of hashing, at most: verifies, and a new hash for each upgrade
	Finally  float64 `json:"core_s_finally"`   // each day, once all are upgraded
}

// A Day is how far the upgrade is after so many days.
type Day struct {
	Day      int     `json:"day"`
	Upgraded float64 `json:"upgraded"`       // share of Users
	Alike    float64 `json:"upgraded_alike"` // if all signed in equally often
	Left     int64   `json:"left"`           // users with an old hash
}

const shape = 0.5

// unmoved is the share of users that have not signed in after a time in which the mean user does so n times:
// the mean of exp(-r·n) over the rates r.
func unmoved(n, shape float64) float64 { return math.Pow(1+n/shape, -shape) }

// until is the inverse: how many logins a user has in the mean when the share left is unmoved.
func until(unmoved, shape float64) float64 { return shape * (math.Pow(unmoved, -1/shape) - 1) }

// forecast is for so many logins a day, by all users.
func forecast(logins float64, all, old int64) *Forecast {
	mean := logins / float64(all)
	f := &Forecast{
		Logins: logins, Mean: mean, Shape: shape, Users: old,
		Half: until(0.5, shape) / mean, Most: until(0.1, shape) / mean, Nearly: until(0.01, shape) / mean,
	}
	for _, day := range []int{1, 7, 30, 90, 365, 3 * 365} {
		n := mean * float64(day)
		left := unmoved(n, shape)
		f.Days = append(f.Days, Day{day, 1 - left, 1 - math.Exp(-n), int64(math.Round(left * float64(old)))})
	}
	return f
}
