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

// A scene is a service, and how somebody who guesses passwords measures it. Within and After
// are parts of the time that a wrong password takes.
type scene struct {
	Workers   int
	Kinds     []time.Duration // of stored hashes beside the policy's, by the time that the Format says
	Faster    float64         // they are
	Noise     float64         // of the time of a hash, as a part of it
	MaxWait   time.Duration
	Load      float64 // by him and others, as a part of what the machine can do
	Others    float64 // the others' part of that
	AtOnce    int     // his guesses at one name
	Addresses int     // that he has
	Within    float64 // deadline of a guess; 0: none
	Leaves    bool    // he tells nobody, and leaves
	Own       int     // kind of his own account, where he signs in beside his guesses; -1: he has none
	After     float64 // how long after them
	Seed      uint64
}

func drawScene(d *game.Draw) scene {
	s := scene{Workers: int(d.Log(1, 17)), Faster: d.Log(0.3, 3), Noise: game.Of(d, 0, 0.03, 0.3)}
	for range d.Int(1, 5) {
		s.Kinds = append(s.Kinds, d.Duration(time.Millisecond, 300*time.Millisecond))
	}
	s.MaxWait = game.Of(d, 0, 0, 0, 30*time.Millisecond, 3*time.Second)
	s.Load = d.Log(0.05, 3)
	s.Others = d.Float(0, 0.7)
	s.AtOnce = game.Of(d, 1, 1, 2, 6)
	s.Addresses = game.Of(d, 1, 10, 100_000)
	s.Within = max(d.Log(0.1, 10)*float64(d.Int(-1, 1)), 0)
	s.Leaves = d.Chance(0.5)
	s.Own = max(d.Int(-3, len(s.Kinds)), -1)
	s.After = d.Float(0, 1)
	s.Seed = d.Rand().Uint64()
	return s
}

// Name and Parse make it a Format, of hashes of "right".
func (scene) Name() string { return "slow" }

func (s scene) Parse(encoded string) (password.Parsed, error) {
	var kind int
	if _, err := fmt.Sscanf(encoded, "slow %d", &kind); err != nil {
		return nil, nil
	}
	took := s.Kinds[kind]
	return &password.Computed{
		Cost: uint32(kind), Time: func(int) time.Duration { return took }, Sum: fmt.Appendf(nil, "%32s", "right"),
		Compute: func(given, _ []byte, yield func() bool) []byte {
			half := time.Duration(float64(took) / s.Faster * math.Exp(s.Noise*rand.NormFloat64()) / 2)
			if time.Sleep(half); !yield() {
				return nil
			}
			time.Sleep(half)
			return fmt.Appendf(nil, "%32s", given)
		},
	}, nil
}

// A guesser plays a scene.
type guesser struct {
	scene
	pool  *password.Pool
	wrong float64 // how long a wrong password takes, about
	mu    sync.Mutex
	saw   [6][2 * each][]float64 // what he measured of each name
}

const (
	each     = 50 // real names, and invented ones
	ownLogin = 3  // where measured turns to his own login
)

var measured = [6]string{"time", "Retry-After", "ErrNotBegun", "his login's time", "its Retry-After", "its ErrNotBegun"}

// call measures a guess at a name, or his own login beside it.
func (g *guesser) call(whose, name, from int, given, encoded string) {
	within := time.Hour
	if whose != ownLogin && g.Within > 0 {
		within = time.Duration(g.Within * g.wrong)
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	if g.Leaves {
		ctx, cancel = context.WithCancel(context.Background())
		time.AfterFunc(within, cancel)
	}
	defer cancel()

	began := time.Now()
	_, err := g.pool.Verify(ctx, password.Login{Principal: fmt.Sprint(from)}, []byte(given), encoded)
	g.mu.Lock()
	defer g.mu.Unlock()

	note := func(what int, d time.Duration) { g.saw[what][name] = append(g.saw[what][name], float64(d)) }
	note(whose, time.Since(began))
	if overloaded, ok := errors.AsType[password.OverloadedError](err); ok {
		note(whose+1, overloaded.After)
	}
	if errors.Is(err, password.ErrNotBegun) {
		note(whose+2, 0)
	}
}

// play returns by how many standard deviations, and in what, real names differ from invented ones.
func (g *guesser) play(t *testing.T) (far float64, by string) {
	formats, err1 := password.NewFormats(g)
	p := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Formats: formats}
	stored, err2 := password.Hash(p, []byte("right"))
	hashes := []string{stored}
	names := []string{}
	for kind := range g.Kinds {
		hashes = append(hashes, fmt.Sprint("slow ", kind))
	}

	rng := rand.New(rand.NewPCG(g.Seed, 0))
	for range each {
		names = append(names, hashes[max(rng.IntN(len(hashes)), rng.IntN(len(hashes)))])
	}
	o := password.Options{Policy: p, Workers: g.Workers, MaxWait: g.MaxWait}
	o.Stored = password.Sample(p, slices.Values(names))
	pool, err3 := password.NewPool(o)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())

	g.pool = pool
	g.wrong = float64(time.Millisecond)
	for _, encoded := range o.Stored {
		p, _ := g.Parse(encoded)
		g.wrong += float64(p.(*password.Computed).Time(1)) / g.Faster
	}

	names = slices.DeleteFunc(names, func(encoded string) bool { return !pool.Covers(encoded) })
	names = append(names, make([]string, each)...)
	order := rng.Perm(len(names) * 30 / g.AtOnce)
	pause := (g.Others + (1-g.Others)*float64(g.AtOnce)) * g.wrong / g.Load / float64(g.Workers)

	var calls sync.WaitGroup
	for len(order) > 0 {
		time.Sleep(time.Duration(rng.ExpFloat64() * pause))
		name := order[0] % len(names)
		from := rng.IntN(g.Addresses)
		other := hashes[rng.IntN(len(hashes))]
		if login := (password.Login{Principal: fmt.Sprint("other ", rng.IntN(100))}); rng.Float64() < g.Others {
			calls.Go(func() { pool.Verify(t.Context(), login, []byte("right"), other) })
			continue
		}
		order = order[1:]
		for range g.AtOnce {
			calls.Go(func() { g.call(0, name, from, "wrong", names[name]) })
		}
		if g.Own >= 0 {
			calls.Go(func() {
				time.Sleep(time.Duration(g.After * g.wrong))
				g.call(ownLogin, name, from, "right", hashes[g.Own])
			})
		}
	}

	calls.Wait()
	return g.compare(names)
}

// compare takes statistics of each name, and the Mann-Whitney test of those of all real names, and
// of those with one kind of hash, against invented ones.
func (g *guesser) compare(names []string) (far float64, by string) {
	values := map[[3]string][]float64{}
	for name, encoded := range names {
		for i, what := range measured {
			list := append(g.saw[i][name], 0)
			sum := 0.
			slices.Sort(list)
			for _, v := range list {
				sum += v
			}
			n := len(list)
			low := list[len(list)/10]
			high := list[len(list)*9/10]
			for statistic, v := range map[string]float64{
				"number": float64(n), "sum": sum, "10 %": low, "median": list[n/2], "90 %": high, "spread": high - low,
			} {
				for _, kind := range []string{encoded, "all"}[:min(1+len(encoded), 2)] {
					key := [3]string{statistic, what, kind}
					values[key] = append(values[key], v)
				}
			}
		}
	}

	for key, real := range values {
		invented := values[[3]string{key[0], key[1]}]
		above := 0.
		for _, a := range real {
			for _, b := range invented {
				above += float64(cmp.Compare(a, b)) / 2
			}
		}
		n := float64(len(real))
		m := float64(len(invented))
		if z := math.Abs(above) / math.Sqrt(max(1, n*m*(n+m+1)/12)); z > far {
			far = z
			by = fmt.Sprintf("%s of %s, hash %.6q", key[0], key[1], key[2])
		}
	}
	return far, by
}

// Nothing tells real names from invented ones. By chance one play in a million is lost.
func TestGameTell(t *testing.T) {
	game.Play(t, 3, 0, func(t *testing.T, d *game.Draw) (lost string) {
		g := &guesser{scene: drawScene(d)}
		synctest.Test(t, func(t *testing.T) {
			if far, by := g.play(t); far > 6 {
				lost = fmt.Sprintf("%.1f standard deviations in %s: %+v", far, by, g.scene)
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
