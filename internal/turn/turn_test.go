// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import (
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// unlimited has no quota for 5 s of the bubble's time, whatever this machine has.
func unlimited() {
	pace.next.Store(int64(time.Since(start) + refresh))
	pace.cores.Store(0)
}

// Where the clock stands still a turn ends after so many looks, else with the first one after 0.4
// ms.
func TestTurnsEnd(t *testing.T) {
	for _, test := range []struct {
		name       string
		every, did int
		takes      time.Duration // each Did
		yields     uint          // in 960 times Did
	}{
		{name: "still", every: 1, did: 1, yields: 120},
		{name: "still, ten units to a look", every: 10, did: 1, yields: 12},
		{name: "still, ten units to a look and at once", every: 10, did: 10, yields: 120},
		{name: "still, many at once", every: 10, did: 1000, yields: 120},
		{name: "0.1 ms each", every: 1, did: 1, takes: 100 * time.Microsecond, yields: 240},
		{name: "0.2 ms each", every: 1, did: 1, takes: 200 * time.Microsecond, yields: 480},
		{name: "1 ms each", every: 1, did: 1, takes: time.Millisecond, yields: 960},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				unlimited()
				var turn Turn
				turn.Start(test.every, nil)

				for range 960 {
					time.Sleep(test.takes)
					if !turn.Did(test.did) || turn.GivenUp() {
						t.Fatal("given up, though there is nobody who might be gone")
					}
				}

				if turn.yields != test.yields {
					t.Errorf("%d yields, want %d", turn.yields, test.yields)
				}
			})
		})
	}
}

// A turn is as long as the yield before it only if goroutines without turns computed meanwhile. On
// one P a yield lasts until the other goroutine has done what it does.
func TestTurnsGrow(t *testing.T) {
	if !knowsCPU {
		t.Skip("the CPU time of the process is not known here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const yield = 8 * time.Millisecond // no goroutine is preempted within

	for _, test := range []struct {
		name  string
		turns bool // of the other's
		grows bool
	}{
		{name: "a goroutine computes", grows: true},
		{name: "another's turn", turns: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []time.Duration
			for range 200 { // of which the system may stop many in between
				var turn, other Turn
				done := make(chan bool)
				turn.Start(1, nil)
				go func() {
					defer close(done)
					other.Start(1, nil)
					for began := processTime(); processTime()-began < yield; {
						if test.turns {
							other.Over(1)
						}
					}
					if test.turns {
						other.Yield()
					}
				}()

				turn.Yield()
				<-done

				isLong := turn.slice > yield/2
				if isLong == test.grows {
					return
				}
				got = append(got, turn.slice)
			}
			t.Errorf("turns after a yield of %v take %v; want more than half of it: %v", yield, got, test.grows)
		})
	}
}

// Who is gone is asked at each yield and only there, and no more once he is.
func TestGone(t *testing.T) {
	asked := 0
	var turn Turn
	synctest.Test(t, func(t *testing.T) {
		unlimited()
		turn.Start(1, func() bool { asked++; return asked == 3 })
		for n := 1; n <= 100; n++ {
			if want := n < 3*Looks; turn.Did(1) != want || turn.GivenUp() == want {
				t.Fatalf("after %d units: given up %v; want %v", n, turn.GivenUp(), !want)
			}
			if asked != int(turn.yields) {
				t.Fatalf("asked %d times in %d yields", asked, turn.yields)
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
	calls := 0
	var turn Turn
	turn.StartCalling(10, func() bool { calls++; return calls < 3 })
	for n := 1; n <= 30; n++ {
		if want := n < 30; turn.Did(1) != want || turn.GivenUp() == want || calls != n/10 {
			t.Fatalf("after %d units: %d calls, given up %v", n, calls, turn.GivenUp())
		}
	}
	if turn.yields != 0 {
		t.Errorf("%d yields of its own", turn.yields)
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
		if most = max(most, echoes(t, park)); most >= 50 {
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

// No more than maxParked pipes are made, and who finds none does not wait for one.
func TestParksAreBounded(t *testing.T) {
	var taken []*pipe
	for {
		p := takePipe()
		if p == nil {
			break
		}
		taken = append(taken, p)
	}

	park()
	if len(taken) > maxParked {
		t.Errorf("%d pipes, want at most %d", len(taken), maxParked)
	}
	parks.free = taken
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
