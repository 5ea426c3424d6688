// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

// Whether anything tells real accounts from invented ones, in simulated time: hashes sleep.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/password/passwordtest"
)

// An attack is a service, and how somebody who guesses passwords measures it. What happens within
// or after a time is told in parts of the time that a wrong password takes.
type attack struct {
	Workers int
	Kinds   []time.Duration // of stored hashes beside the policy's: how long they take, as their Format says
	Faster  float64         // how many times faster they are
	Noise   float64         // standard deviation of the logarithm of their times
	MaxWait time.Duration

	Load   float64 // by the guesser and others, as a part of what the machine can do
	Others float64 // the others' part of that

	AtOnce    int     // guesses at one name
	Addresses int     // of the guesser
	Within    float64 // deadline of a guess; 0: none
	Leaves    bool    // the guesser tells nobody of the deadline, and leaves

	Own   int     // kind of the guesser's own account, which signs in beside the guesses; -1: none
	After float64 // how long after them

	Seed uint64
}

func drawAttack(d *game.Draw) attack {
	a := attack{Workers: int(d.Log(1, 17)), Faster: d.Log(0.3, 3), Noise: game.Of(d, 0, 0.03, 0.3)}
	for range d.Int(1, 5) {
		a.Kinds = append(a.Kinds, d.Duration(time.Millisecond, 300*time.Millisecond))
	}
	a.MaxWait = game.Of(d, 0, 0, 0, 30*time.Millisecond, 3*time.Second)
	a.Load = d.Log(0.05, 3)
	a.Others = d.Float(0, 0.7)
	a.AtOnce = game.Of(d, 1, 1, 2, 6)
	a.Addresses = game.Of(d, 1, 10, 100_000)
	a.Within = max(d.Log(0.1, 10)*float64(d.Int(-1, 1)), 0)
	a.Leaves = d.Chance(0.5)
	a.Own = max(d.Int(-3, len(a.Kinds)), -1)
	a.After = d.Float(0, 1)
	a.Seed = d.Rand().Uint64()
	return a
}

// Name and Parse make it a Format, of hashes of "right".
func (attack) Name() string { return "slow" }

func (a attack) Parse(encoded string) (password.Parsed, error) {
	var kind int
	if _, err := fmt.Sscanf(encoded, "slow %d", &kind); err != nil {
		return nil, nil
	}

	told := a.Kinds[kind]
	return &password.Computed{
		Cost: uint32(kind), Time: func(int) time.Duration { return told }, Sum: fmt.Appendf(nil, "%32s", "right"),
		Compute: func(given, _ []byte, yield func() bool) []byte {
			half := time.Duration(float64(told) / a.Faster * math.Exp(a.Noise*rand.NormFloat64()) / 2)
			if time.Sleep(half); !yield() {
				return nil
			}
			time.Sleep(half)
			return fmt.Appendf(nil, "%32s", given)
		},
	}, nil
}

// names is how many real names are guessed at, and how many invented ones.
const names = 50

// A guesser plays an attack.
type guesser struct {
	attack
	pool  *password.Pool
	wrong float64 // how long a wrong password takes, about

	mu  sync.Mutex
	saw map[string]*[2 * names][]float64 // what was measured, by what it is of and by name
}

// call measures a call for a name: a guess at it, or the guesser's own sign-in beside that.
func (g *guesser) call(call string, within time.Duration, name, from int, given, encoded string) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	if g.Leaves {
		ctx, cancel = context.WithCancel(context.Background())
		time.AfterFunc(within, cancel)
	}
	defer cancel()

	began := time.Now()
	_, err := g.pool.Verify(ctx, password.Login{Principal: fmt.Sprint(from)}, []byte(given), encoded)
	took := time.Since(began)

	g.mu.Lock()
	defer g.mu.Unlock()
	note := func(what string, v time.Duration) {
		what += " of " + call
		if g.saw[what] == nil {
			g.saw[what] = new([2 * names][]float64)
		}
		g.saw[what][name] = append(g.saw[what][name], float64(v))
	}
	note("time", took)
	if overloaded, ok := errors.AsType[password.OverloadedError](err); ok {
		note("Retry-After", overloaded.After)
	}
	if errors.Is(err, password.ErrNotBegun) {
		note("ErrNotBegun", 0)
	}
}

// play returns by how many standard deviations, and in what, real names differ from invented ones.
func (g *guesser) play(t *testing.T) (far float64, by string) {
	formats, err1 := password.NewFormats(g)
	p := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Formats: formats}
	stored, err2 := password.Hash(p, []byte("right"))
	hashes := []string{stored}
	for kind := range g.Kinds {
		hashes = append(hashes, fmt.Sprint("slow ", kind))
	}

	rng := rand.New(rand.NewPCG(g.Seed, 0))
	var users []string // the stored hashes of all names; "" of those that are invented
	for range names {
		users = append(users, hashes[max(rng.IntN(len(hashes)), rng.IntN(len(hashes)))])
	}
	o := password.Options{Policy: p, Workers: g.Workers, MaxWait: g.MaxWait}
	o.Stored = password.Sample(p, slices.Values(users))
	pool, err3 := password.NewPool(o)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())

	users = slices.DeleteFunc(users, func(encoded string) bool { return !pool.Covers(encoded) })
	users = append(users, make([]string, names)...)
	g.pool = pool
	g.saw = map[string]*[2 * names][]float64{}
	g.wrong = float64(time.Millisecond)
	for _, encoded := range o.Stored {
		p, _ := g.Parse(encoded)
		g.wrong += float64(p.(*password.Computed).Time(1)) / g.Faster
	}

	g.guess(users, hashes, rng)
	return g.compare(users)
}

// guess makes thirty guesses at each name, while others sign in.
func (g *guesser) guess(users, hashes []string, rng *rand.Rand) {
	within := time.Hour
	if g.Within > 0 {
		within = time.Duration(g.Within * g.wrong)
	}
	pause := (g.Others + (1-g.Others)*float64(g.AtOnce)) * g.wrong / g.Load / float64(g.Workers)

	var calls sync.WaitGroup
	defer calls.Wait()
	for order := rng.Perm(len(users) * 30 / g.AtOnce); len(order) > 0; {
		time.Sleep(time.Duration(rng.ExpFloat64() * pause))
		name := order[0] % len(users)
		from := rng.IntN(g.Addresses)
		other := hashes[rng.IntN(len(hashes))]
		if login := (password.Login{Principal: fmt.Sprint("other ", rng.IntN(100))}); rng.Float64() < g.Others {
			calls.Go(func() { g.pool.Verify(context.Background(), login, []byte("right"), other) })
			continue
		}

		order = order[1:]
		for range g.AtOnce {
			calls.Go(func() { g.call("a guess", within, name, from, "wrong", users[name]) })
		}
		if g.Own >= 0 {
			calls.Go(func() {
				time.Sleep(time.Duration(g.After * g.wrong))
				g.call("the own sign-in", time.Hour, name, from, "right", hashes[g.Own])
			})
		}
	}
}

// statistics are taken of what was measured of a name, in order.
var statistics = map[string]func(sorted []float64) float64{
	"number": func(s []float64) float64 { return float64(len(s)) },
	"sum": func(s []float64) (sum float64) {
		for _, v := range s {
			sum += v
		}
		return sum
	},
	"10 %":   func(s []float64) float64 { return s[len(s)/10] },
	"median": func(s []float64) float64 { return s[len(s)/2] },
	"90 %":   func(s []float64) float64 { return s[len(s)*9/10] },
	"spread": func(s []float64) float64 { return s[len(s)*9/10] - s[len(s)/10] },
}

// compare compares each statistic of all real names, and of those with one kind of hash, with that
// of invented ones.
func (g *guesser) compare(users []string) (far float64, by string) {
	for what, saw := range g.saw {
		for statistic, of := range statistics {
			values := map[string][]float64{} // by stored hash
			var real []float64
			for name, encoded := range users {
				v := of(slices.Sorted(slices.Values(append(saw[name], 0))))
				values[encoded] = append(values[encoded], v)
				if encoded != "" {
					real = append(real, v)
				}
			}

			invented := values[""]
			values[""] = real
			for encoded, some := range values {
				if z := mannWhitney(some, invented); z > far {
					far = z
					by = fmt.Sprintf("%s of the %s, hash %.6q", statistic, what, encoded)
				}
			}
		}
	}
	return far, by
}

// mannWhitney returns by how many standard deviations the values of one list are above or below
// those of another more often than by chance.
func mannWhitney(some, others []float64) float64 {
	above := 0.
	for _, a := range some {
		for _, b := range others {
			above += float64(cmp.Compare(a, b)) / 2
		}
	}
	n := float64(len(some))
	m := float64(len(others))
	return math.Abs(above) / math.Sqrt(max(1, n*m*(n+m+1)/12))
}

// Nothing tells real names from invented ones. By chance one play in a million is lost.
func TestGameTell(t *testing.T) {
	game.Play(t, 3, 0, func(t *testing.T, d *game.Draw) (lost string) {
		g := &guesser{attack: drawAttack(d)}
		synctest.Test(t, func(t *testing.T) {
			if far, by := g.play(t); far > 6 {
				lost = fmt.Sprintf("%.1f standard deviations in %s: %+v", far, by, g.attack)
			}
		})
		return lost
	})
}

// Every Verifier has this test.
func TestPoolIsAVerifier(t *testing.T) {
	verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		pool := passwordtest.NewPool(t, o).Pool
		return pool, pool
	})
}
