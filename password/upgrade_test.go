// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"math/rand/v2"
	"testing"
	"time"

	"fount/internal/test/game"
)

// upgrades makes what next makes, as upgrades.
func upgrades(next func(*rand.Rand) *request) func(*rand.Rand) *request {
	return func(rng *rand.Rand) *request {
		r := next(rng)
		r.task.upgrade = true
		r.within = 10 * time.Second
		return r
	}
}

// Of upgrades that each second sign-in asks for, load .7 makes most and a lasting overload a
// hundredth of the machine; sign-ins lose no more than that. One client that asks for too much
// stops none.
func TestUpgrades(t *testing.T) {
	game.Skip(t)

	other := effort{kind: kind{algorithm: 2}, units: 50} // no lane of a sign-in has room for it
	for name, c := range map[string]struct {
		up          effort
		load, flood float64
		made, lost  float64 // part of the upgrades at least; part of the machine at most
	}{
		"load 0.7":       {up: fast, load: 0.7, made: 0.78, lost: 0.005},
		"overload":       {up: other, load: 2, made: 0.0065, lost: 0.015}, // 0.005 are the last 64, when it is over
		"beside a flood": {up: fast, load: 0.3, flood: 0.6, made: 0.8, lost: 0.005},
	} {
		t.Run(name, func(t *testing.T) {
			const machine = 30 * 2 * capacity // hashes that it does
			play := func(part float64) (sign, up tally) {
				bubble(t, world{workers: 2, lanes: 5}, func(t *testing.T, m *sim) {
					to := 40 * time.Second
					signs := &load{rate: c.load * 2 * capacity, to: to, next: from(0, 1000, fast)}
					flood := &load{rate: c.flood*capacity + 1e-9, to: to, next: from(5000, 1, fast)}
					ups := &load{rate: part*c.load*capacity + 1e-9, to: to, next: upgrades(from(0, 1000, c.up))}

					m.run(t, signs, flood, ups)

					sign = m.tally(signs, to/4)
					up = m.tally(ups, to/4)
				})
				return sign, up
			}

			without, _ := play(0)
			with, up := play(1)

			made := float64(up.answered) / float64(up.asked)
			lost := float64(without.answered-with.answered) / machine
			if made < c.made || up.answered == 0 || lost > c.lost {
				t.Errorf("%.3f of the upgrades are made, and %.4f of the machine is lost to sign-ins; want %.2f and at most %.3f", made, lost, c.made, c.lost)
			}
		})
	}
}

// A lasting overload leaves upgrades their hundredth of the machine: also if they were believed to
// take 9 s, as what they took counts, and also where a hundred workers make a pause shorter than an
// upgrade.
func TestUpgradesGetTheirPart(t *testing.T) {
	for name, c := range map[string]struct {
		workers  int
		believed time.Duration
		to       time.Duration
	}{
		"believed slow": {workers: 2, believed: 180 * ms, to: 30 * time.Second},
		"many workers":  {workers: 112, believed: ms, to: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, world{workers: c.workers, lanes: 5, believed: map[Algorithm]float64{2: float64(c.believed)}}, func(t *testing.T, m *sim) {
				workers := float64(c.workers)
				signs := &load{rate: 2 * workers * capacity, to: c.to, next: from(0, 1000, fast)}
				ups := &load{rate: workers, to: c.to, next: upgrades(from(0, 1000, effort{kind: kind{algorithm: 2}, units: 50}))}
				m.run(t, signs, ups)

				var took time.Duration
				for _, r := range ups.requests {
					if r.started.Sub(m.start) < c.to {
						took += r.served
					}
				}
				part := took.Seconds() / c.to.Seconds() / workers
				if part < 0.005 || part > 0.02 {
					t.Errorf("upgrades took %.4f of the machine; want a hundredth", part)
				}
			})
		})
	}
}

// A sign-in that an idle pool admitted while an upgrade ran finds no second one ahead: where hashes
// take exactly what they took, all are in time.
func TestUpgradesMakeNobodyLate(t *testing.T) {
	slow := effort{kind: fast.kind, units: 250}
	asks := from(0, 500, slow)
	bubble(t, world{workers: 1, kinds: []effort{slow}}, func(t *testing.T, m *sim) {
		l := &load{rate: 1, to: 1000 * time.Second, next: func(rng *rand.Rand) *request {
			r := asks(rng)
			r.within = 750 * ms
			r.upgrade = upgrades(asks)(rng)
			return r
		}}
		m.run(t, l)
		if got := m.tally(l, 0); got.late > 0 || got.answered < got.asked*9/10 {
			t.Errorf("%d of %d are late, %d answered", got.late, got.asked, got.answered)
		}
	})
}

// An upgrade that waits keeps no sign-in out, also one that takes longer than sign-ins may wait for
// each other.
func TestSlowUpgradeWaits(t *testing.T) {
	bubble(t, world{workers: 1}, func(t *testing.T, m *sim) {
		m.asks(signIn(0, fast))
		m.asks(&task{upgrade: true, stages: []effort{{kind: kind{algorithm: 2}, units: 400}}})
		if err := m.asks(signIn(0, fast)); err != nil {
			t.Error(err)
		}
	})
}
