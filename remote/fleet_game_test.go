// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
	"fount/internal/test/mutant"
	"fount/password"
	"fount/remote/api"
)

// While one server, or a third of them, has a fault, the others answer nearly all that they could,
// and seconds after it all do.
func TestGameFleet(t *testing.T) {
	game.Play(t, 8, 5, func(t *testing.T, d *game.Draw) string {
		return drawScene(d).lost(t)
	})
}

// A second try that takes any server meets the zone again.
func TestGameFleetControl(t *testing.T) {
	// As drawScene draws today, a zone of 6 lacks the key, and one client makes all calls. After a
	// change of it, find another seed that loses each time.
	t.Setenv("FOUNT_SEED", "457")
	mutant.Fails(t, "choose.go", "t.answers = false", "t.answers = t.answers", "TestGameFleet$")
}

// A scene is several servers, of which one or a zone has a fault for a time, and their clients.
type scene struct {
	speeds   []float64     // of the servers
	workers  int           // of each
	hash     time.Duration // at speed 1
	noise    float64       // standard deviation of its logarithm
	network  time.Duration // one way
	clients  int
	load     float64       // as a part of what all servers can do
	burst    int           // calls that a client makes at once
	deadline time.Duration // of a call

	kind     string  // of the fault
	slower   float64 // by how much
	faulty   int     // servers that have it, from the first on; 0: one after the other
	from, to time.Duration
}

const (
	warm  = 4 * time.Second  // estimates heal, and clients learn
	calm  = 8 * time.Second  // until the fault
	after = 12 * time.Second // of the fault
)

func drawScene(d *game.Draw) *scene {
	c := &scene{}
	c.speeds = make([]float64, int(d.Log(2, 45)))
	c.workers = game.Of(d, 1, 2, 4)
	c.hash = d.Duration(10*time.Millisecond, 300*time.Millisecond)
	c.noise = d.Float(0, 0.1)
	c.network = d.Duration(100*time.Microsecond, 20*time.Millisecond)
	c.clients = int(d.Log(1, 301))

	const inTurn = "in turn"
	c.kind = game.Of(d, dies, goes, hangs, slows, resets, string(api.ReasonClosed), string(api.ReasonInternal), string(api.ReasonKey), inTurn)
	c.slower = d.Log(2, 30)
	c.faulty = max(int(game.Of(d, 0, 0.2, 0.34)*float64(len(c.speeds))), 1)
	if c.kind == inTurn {
		c.kind = dies
		c.faulty = 0
	}
	c.from = calm
	c.to = c.from + d.Duration(2*time.Second, 20*time.Second)

	mixed := d.Chance(0.25)
	all := 0.0
	left := 0.0 // of the servers without a fault
	for i := range c.speeds {
		c.speeds[i] = 1
		if mixed {
			c.speeds[i] = d.Log(0.5, 2)
		}
		all += c.speeds[i]
		if i >= max(c.faulty, 1) {
			left += c.speeds[i]
		}
	}

	load := d.Float(0.3, 0.85) // of the others
	c.load = load * left / all
	const most = 100 // calls a second, as they take the test's own time
	c.hash = max(c.hash, time.Duration(load*left*float64(c.workers)/most*float64(time.Second)))
	longest := float64(c.hash) / slices.Min(c.speeds)

	c.burst = 1
	if d.Chance(0.25) {
		c.burst = max((len(c.speeds)-c.faulty)*c.workers/2, 1) // a hash for half the workers
	}
	c.deadline = max(time.Duration(longest*d.Log(4, 12))+8*c.network, 300*time.Millisecond)
	return c
}

// An attempt is a call, and whether the servers and an oracle answer it.
type attempt struct {
	at, took         time.Duration
	answered, oracle bool
}

// play has the clients ask at random times, and returns what they asked in that order.
func (c *scene) play(t *testing.T) (servers []*simulated, calls []*attempt) {
	synctest.Test(t, func(t *testing.T) {
		servers = c.start()
		clients := make([]*client, c.clients)
		for i := range clients {
			clients[i], _ = newClient("", time.Hour, 0, isLastingOverHTTP)
			for _, s := range servers {
				clients[i].servers.list = append(clients[i].servers.list, &server{send: s.ask})
			}
		}

		call := func(client *client, a *attempt) {
			ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
			defer cancel()
			began := time.Now()
			login := password.Login{Principal: strconv.Itoa(rand.IntN(1000))}
			_, err := client.Verify(ctx, login, []byte("a"), "sleep")
			a.answered = err == nil
			a.took = time.Since(began)
		}
		begin := time.Now()
		var all sync.WaitGroup
		for at := time.Duration(0); at < c.to+after; {
			time.Sleep(time.Until(begin.Add(at)))
			client := clients[rand.IntN(c.clients)]
			for range c.burst {
				a := &attempt{at: at}
				calls = append(calls, a)
				all.Go(func() { call(client, a) })
			}
			at += time.Duration(rand.ExpFloat64() / c.rate() * float64(c.burst))
		}
		all.Wait()
		time.Sleep(time.Minute)
	})
	return servers, calls
}

// start starts the servers, and says when each has the fault.
func (c *scene) start() (servers []*simulated) {
	const away = 2 * time.Second // in turn
	for i, speed := range c.speeds {
		s := &simulated{scene: c, speed: speed, start: time.Now()}
		from := c.from + away*time.Duration(i)
		switch {
		case i < c.faulty:
			s.from = c.from
			s.to = c.to
		case c.faulty == 0 && from+away <= c.to:
			s.from = from
			s.to = from + away
		}

		s.boot()
		if s.to > 0 && (c.kind == dies || c.kind == goes) {
			time.AfterFunc(s.from, s.boot)
		}
		servers = append(servers, s)
	}
	return servers
}

// rate returns the calls a nanosecond.
func (c *scene) rate() float64 {
	all := 0.0
	for _, speed := range c.speeds {
		all += speed
	}
	return c.load * all * float64(c.workers) / float64(c.hash)
}

// consult asks an oracle: a queue that knows all times, and gives each call to the worker that
// answers it first, if that is in time.
func (c *scene) consult(servers []*simulated, calls []*attempt) {
	free := make([]time.Duration, len(servers)*c.workers)
	for _, a := range calls {
		work := float64(c.hash) * math.Exp(c.noise*rand.NormFloat64())
		best := 0
		end := time.Duration(math.MaxInt64)
		for w := range free {
			e := servers[w/c.workers].finish(max(a.at+c.network, free[w]), work)
			if e < end {
				best = w
				end = e
			}
		}

		a.oracle = end+c.network <= a.at+c.deadline
		if a.oracle {
			free[best] = end
		}
	}
}

// goodput returns the answers to the calls of a time as a part of the oracle's, and whether that is
// less than a least part by more than two standard deviations of chance.
func goodput(calls []*attempt, from, to time.Duration, least float64) (part float64, isLess bool) {
	answers := 2.0 // a call more or less is nothing
	most := 2.0
	for _, a := range calls {
		within := a.at >= from && a.at < to
		if within && a.answered {
			answers++
		}
		if within && a.oracle {
			most++
		}
	}

	expected := (1 - least) * most
	isLess = most-answers > expected+2*math.Sqrt(expected)
	return answers / most, isLess
}

// hashes returns how many hashes were begun, and how many calls were answered.
func hashes(servers []*simulated, calls []*attempt) (begun, answers float64) {
	for _, s := range servers {
		begun += float64(s.begun.Load())
	}
	for _, a := range calls {
		if a.answered {
			answers++
		}
	}
	return begun, answers
}

// lost plays, and returns what broke, or "". A seed fixes no more than the scene, so what looks lost
// is played up to five times more, and judged by all.
func (c *scene) lost(t *testing.T) (how string) {
	var servers []*simulated
	var calls []*attempt
	for range 6 {
		s, asked := c.play(t)
		c.consult(s, asked)
		servers = append(servers, s...)
		calls = append(calls, asked...)

		how = c.judge(servers, calls)
		if how == "" {
			return ""
		}
	}
	return how
}

// judge returns what broke, or "".
func (c *scene) judge(servers []*simulated, calls []*attempt) string {
	leastBefore := 0.97
	if c.burst > 1 {
		leastBefore = 0.95
	}
	leastDuring := 0.93
	if c.faulty > 1 {
		leastDuring = 0.88
	}
	before, lessBefore := goodput(calls, warm, c.from, leastBefore)
	during, lessDuring := goodput(calls, c.from, c.to, leastDuring)
	back, lessBack := goodput(calls, c.to+10*time.Second, c.to+after, 0.9)

	begun, answers := hashes(servers, calls)
	isCheap := begun <= 1.15*answers+10
	if !lessBefore && !lessDuring && !lessBack && isCheap {
		return ""
	}
	return fmt.Sprintf("goodput %.3f, %.3f during the fault, %.3f ten seconds after it; %.3f hashes begun an answer: %+v",
		before, during, back, begun/answers, c)
}

// With FOUNT_LONG=1, -v prints the simulated figures of docs/load.md.
func TestFleetFiguresSimulated(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("takes minutes (FOUNT_LONG=1 plays it)")
	}

	three := scene{speeds: []float64{1, 1, 1}, hash: 65 * time.Millisecond, clients: 4, load: 0.26, faulty: 1}
	many := scene{speeds: slices.Repeat([]float64{1}, 200), hash: 100 * time.Millisecond, clients: 2000, load: 0.56, faulty: 66}
	for _, c := range []scene{three, many} {
		c.workers = 1
		c.burst = 1
		c.slower = 1 // so slows is no fault
		c.noise = 0.05
		c.network = time.Millisecond
		c.deadline = time.Second
		c.from = calm
		c.to = calm + 10*time.Second
		for _, kind := range []string{slows, hangs, dies, goes, string(api.ReasonKey)} {
			t.Run(fmt.Sprintf("%d of %d %s", c.faulty, len(c.speeds), kind), func(t *testing.T) {
				c.kind = kind
				c.figures(t)
			})
		}
	}
}

func (c *scene) figures(t *testing.T) {
	servers, calls := c.play(t)
	begun, answers := hashes(servers, calls)
	asked := int64(0)
	busiest := int64(0)
	for _, s := range servers {
		asked += s.asked.Load()
		busiest = max(busiest, s.begun.Load())
	}

	during := slices.DeleteFunc(slices.Clone(calls), func(a *attempt) bool { return a.at < c.from || a.at >= c.to })
	var took []time.Duration
	for _, a := range during {
		if a.answered {
			took = append(took, a.took)
		}
	}
	slices.Sort(took)
	t.Logf("%d of %d answered during the fault, p50 %v, p99 %v", len(took), len(during), took[len(took)/2], took[len(took)*99/100])
	t.Logf("all the time %.3f requests a call, %.3f hashes an answer, busiest server %.2f times the mean",
		float64(asked)/float64(len(calls)), begun/answers, float64(busiest)*float64(len(servers))/begun)
}
