// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import (
	"math"
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// counted replaces what a yield does until the test ends, and counts. There is no quota.
func counted(t *testing.T) (yields, parked *int) {
	t.Cleanup(func() { gosched, park, pauseAt = runtime.Gosched, parkOnce, quotaPause })
	pauseAt = func(time.Time) time.Duration { return 0 }
	yields, parked = new(int), new(int)
	gosched = func() { *yields++ }
	park = func() { *yields++; *parked++ }
	return yields, parked
}

// Where the clock stands still a turn ends after so many looks, else with the first one after 0.4
// ms; and each second yield is a park.
func TestTurnsEnd(t *testing.T) {
	for _, test := range []struct {
		name          string
		every, did    int
		takes         time.Duration // each Did
		yields, parks int           // of 960 times Did
	}{
		{"still", 1, 1, 0, 120, 60},
		{"still, ten units to a look", 10, 1, 0, 12, 6},
		{"still, ten units to a look and at once", 10, 10, 0, 120, 60},
		{"still, many at once", 10, 1000, 0, 120, 60},
		{"0.1 ms each", 1, 1, 100 * time.Microsecond, 240, 120},
		{"0.2 ms each", 1, 1, 200 * time.Microsecond, 480, 240},
		{"1 ms each", 1, 1, time.Millisecond, 960, 480},
	} {
		t.Run(test.name, func(t *testing.T) {
			yields, parked := counted(t)
			synctest.Test(t, func(t *testing.T) {
				var turn Turn
				turn.Start(test.every, nil)
				for range 960 {
					time.Sleep(test.takes)
					if !turn.Did(test.did) || turn.GivenUp() {
						t.Fatal("given up, though there is nobody who might be gone")
					}
				}
			})
			if *yields != test.yields || *parked != test.parks {
				t.Errorf("%d yields of which %d are parks; want %d and %d", *yields, *parked, test.yields, test.parks)
			}
		})
	}
}

// A turn is as long as the yield before it only if goroutines without turns computed meanwhile. The
// clock is the bubble's; CPU time is real.
func TestTurnsGrow(t *testing.T) {
	if !knowsCPU {
		t.Skip("the CPU time of the process is not known here")
	}
	const yield = 10 * time.Millisecond
	compute := func() {
		time.Sleep(yield)
		for began := processTime(); processTime()-began < yield; {
		}
	}
	var other Turn
	for _, test := range []struct {
		name  string
		yield func()
		grows bool
	}{
		{"another program computes", func() { time.Sleep(yield) }, false},
		{"a goroutine computes", compute, true},
		{"another's turn", func() {
			compute()
			other.Yield()
		}, false},
		{"another's turn, then another program", func() {
			for range yield / preempted {
				time.Sleep(preempted)
				other.Over(1)
			}
			compute()
			other.Over(1)
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			counted(t)
			synctest.Test(t, func(t *testing.T) {
				var turn Turn
				turn.Start(1, nil)
				for range 3 {
					gosched = func() {
						gosched, park = func() {}, func() {} // the other's yield
						test.yield()
					}
					park = gosched
					other.Start(1, nil)
					turn.Yield()
				}
				began := time.Now()
				for !turn.Over(1) {
					time.Sleep(slice / 4)
				}
				if took := time.Since(began); (took > yield/2) != test.grows {
					t.Errorf("a turn after a yield of %v takes %v; want more than half of it: %v", yield, took, test.grows)
				}
			})
		})
	}
}

// Who is gone is asked at each yield and only there, and no more once he is.
func TestGone(t *testing.T) {
	yields, _ := counted(t)
	asked := 0
	var turn Turn
	synctest.Test(t, func(t *testing.T) {
		turn.Start(1, func() bool { asked++; return asked == 3 })
		for n := 1; n <= 100; n++ {
			if want := n < 3*Looks; turn.Did(1) != want || turn.GivenUp() == want {
				t.Fatalf("after %d units: given up %v; want %v", n, turn.GivenUp(), !want)
			}
			if asked != *yields {
				t.Fatalf("asked %d times in %d yields", asked, *yields)
			}
			if turn.GivenUp() {
				break
			}
		}
	})
	if asked != 3 {
		t.Errorf("asked %d times; want 3", asked)
	}
}

// Whose yield is a call has one after each so many units, whatever the clock says, and no other.
func TestCalls(t *testing.T) {
	yields, _ := counted(t)
	calls := 0
	var turn Turn
	turn.StartCalling(10, func() bool { calls++; return calls < 3 })
	for n := 1; n <= 30; n++ {
		if want := n < 30; turn.Did(1) != want || turn.GivenUp() == want || calls != n/10 {
			t.Fatalf("after %d units: %d calls, given up %v", n, calls, turn.GivenUp())
		}
	}
	if *yields != 0 {
		t.Errorf("%d yields of its own", *yields)
	}
}

// On one P that computes, a park lets those run whom the network has something for. Whoever only
// yields keeps them waiting until sysmon looks, 10 ms and hundreds of turns later. The other end's
// answers come from a goroutine on the same P, so that nothing but turns is counted.
func TestParkAsksTheNetwork(t *testing.T) {
	if newPipe() == nil {
		t.Skip("pipes don't go through the network poller here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// Where the system stops the answering thread, the turns pass without it: one of several tries
	// must do.
	most := 0
	for range 50 {
		if most = max(most, echoes(t, parkOnce)); most >= 50 {
			break
		}
	}
	if most < 50 {
		t.Errorf("at most %d bytes came back in 200 turns that end with a park; want 50 at least", most)
	}
	if only := echoes(t, runtime.Gosched); only >= 50 {
		t.Errorf("negative control: %d bytes came back in 200 turns that end with a yield", only)
	}
}

// echoes returns how many bytes come back over a connection in 200 turns.
func echoes(t *testing.T, yield func()) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		var b [1]byte
		for {
			if _, err := c.Read(b[:]); err != nil {
				return
			}
			c.Write(b[:])
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var back atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var b [1]byte
		for {
			if _, err := c.Write(b[:]); err != nil {
				return
			}
			if _, err := c.Read(b[:]); err != nil {
				return
			}
			back.Add(1)
		}
	}()
	for range 200 {
		yield()
	}
	n := back.Load()
	c.Close()
	<-ended
	return int(n)
}

// No more than maxParked pipes are made, and who finds none yields.
func TestParksAreBounded(t *testing.T) {
	yields, _ := counted(t)
	var taken []*pipe
	for p := takePipe(); p != nil; p = takePipe() {
		taken = append(taken, p)
	}
	if parkOnce(); len(taken) > maxParked || *yields != 1 {
		t.Errorf("%d pipes, and %d yields without one; want at most %d, and 1", len(taken), *yields, maxParked)
	}
	parks.free = taken
}

// Beside a goroutine that keeps the only P for as long as it is let, work in turns takes hardly
// longer than work that never yields.
func TestBeside(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var stop atomic.Bool
	stopped := make(chan bool)
	go func() {
		defer close(stopped)
		for !stop.Load() {
		}
	}()
	work := func(did func()) time.Duration {
		began := time.Now()
		for range 1000 {
			spin(1 << 14)
			did()
		}
		return time.Since(began)
	}
	const most = 8 // it is 1.1 where the system stops neither, and 17 with turns of one length
	best := math.Inf(1)
	for range 20 {
		var turn Turn
		alone := work(func() {})
		turn.Start(1, nil)
		if best = min(best, float64(work(func() { turn.Did(1) }))/float64(alone)); best <= most {
			break
		}
	}
	stop.Store(true)
	<-stopped
	if best > most {
		t.Errorf("in turns it takes %.1f times as long; want %d at most", best, most)
	}
}

var spun uint64

// spin computes for some 10 to 50 microseconds.
//
//go:noinline
func spin(n int) {
	for range n {
		spun = spun*6364136223846793005 + 1442695040888963407
	}
}

func TestTurnsAllocateNothing(t *testing.T) {
	var turn Turn
	turn.Start(1, nil)
	turn.Yield()
	turn.Yield() // the first park makes the pipe
	if n := testing.AllocsPerRun(20, func() { turn.Yield(); turn.Yield() }); n != 0 {
		t.Errorf("two yields allocate %v times; want 0", n)
	}
}
