// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What the simulated adversary found, on real hashes, a real pause and a real
// slowdown. Nothing here is about how fast the machine is: the bars are counts.

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func long(t *testing.T) {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("takes some 10 s: set FOUNT_LONG=1")
	}
}

// try has somebody send a guess with so much time, and reports whether it was answered.
func try(t *testing.T, p *Pool, login Login, guess string, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	_, err := p.Verify(ctx, login, []byte(guess), "")
	return err == ErrMismatch
}

// A pool that is made while the process stands still believes that a hash takes
// longer than anybody waits, and lets in those who come to the idle pool soon.
func TestPoolMadeDuringAPause(t *testing.T) {
	const pause, within = 6 * time.Second, 3 * time.Second
	if os.Getenv("FOUNT_PAUSED") != "" {
		fmt.Println("measures")
		began := time.Now()
		p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 12}})
		if time.Since(began) < pause {
			fmt.Println("missed")
			return
		}
		refused := 0
		for !try(t, p, Login{}, "guess", within) && refused < 200 {
			refused++
			time.Sleep(20 * time.Millisecond)
		}
		answered := 0
		for range 10 {
			if try(t, p, Login{}, "guess", within) {
				answered++
			}
		}
		fmt.Println("refused", refused, "then answered", answered)
		return
	}
	long(t)
	for range 5 {
		refused, answered, ok := pausedPool(t, pause)
		if !ok {
			continue // it was ready before the pause
		}
		t.Logf("%d refused, then %d of 10 answered", refused, answered)
		if refused == 0 {
			continue // the pause was not measured, which tells nothing
		}
		if refused >= 200 || answered < 5 {
			t.Errorf("%d calls refused, then %d of 10 answered; want all but the first few", refused, answered)
		}
		return
	}
	t.Skip("five pools were ready before they could be stopped, or were not measured during the pause")
}

// pausedPool runs the test in a child that it stops while it measures.
func pausedPool(t *testing.T, pause time.Duration) (refused, answered int, ok bool) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, "-test.run=^TestPoolMadeDuringAPause$")
	c.Env = append(os.Environ(), "FOUNT_PAUSED=1")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch line := lines.Text(); {
		case line == "measures":
			time.Sleep(20 * time.Millisecond) // of the quarter of a second that it takes
			if err := c.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
			time.Sleep(pause)
			if err := c.Process.Signal(syscall.SIGCONT); err != nil {
				t.Error(err)
			}
		case strings.HasPrefix(line, "refused"):
			_, err := fmt.Sscanf(line, "refused %d then answered %d", &refused, &answered)
			ok = err == nil
		}
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	return refused, answered, ok
}

// One client floods the class that goes first. Ten who sign in get their answers; if all
// were one principal they would not.
func TestOneClientLeavesTheSignIns(t *testing.T) {
	long(t)
	others := func(name func(i int) string) (answered int64) {
		p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 8}, Workers: 1, Lanes: 1})
		var stop atomic.Bool
		var good atomic.Int64
		var flood, people sync.WaitGroup
		for range 32 {
			flood.Go(func() {
				for !stop.Load() {
					if !try(t, p, Login{Class: ClassChangePassword, Principal: "flood"}, "wrong old", time.Second) {
						time.Sleep(10 * time.Millisecond)
					}
				}
			})
		}
		time.Sleep(500 * time.Millisecond)
		for i := range 10 {
			people.Go(func() {
				for range 8 {
					if try(t, p, Login{Principal: name(i)}, "guess", time.Second) {
						good.Add(1)
					}
					time.Sleep(400 * time.Millisecond)
				}
			})
		}
		people.Wait()
		stop.Store(true)
		flood.Wait()
		return good.Load()
	}
	each := others(func(i int) string { return fmt.Sprint("user ", i) })
	same := others(func(int) string { return "flood" })
	t.Logf("%d of 80 answered, %d if they were the flood's principal", each, same)
	if each < 48 {
		t.Errorf("%d of 80 sign-ins answered beside a flood of password changes; want at least 48", each)
	}
	if same > each/2 {
		t.Errorf("%d of 80 answered without principals of their own: the test can't tell", same)
	}
}

// Overloaded, the machine becomes several times slower, as others want it, too. Those who are let in get their answers again:
// within 5 s, which TestSlowdownUnderLoad has in simulated time. Here others may want the machine still more at any moment, and
// one of ten spans must show it.
func TestSlowdownOfTheMachine(t *testing.T) {
	long(t)
	policy := Policy{Algorithm: Bcrypt, Cost: 8} // some 15 ms: twenty times that is still in time
	p := newPool(t, Options{Policy: policy, Workers: 2, Lanes: 5, MaxWait: time.Second})
	var stop atomic.Bool
	var callers sync.WaitGroup
	for i := range 600 {
		callers.Go(func() {
			for !stop.Load() {
				if !try(t, p, Login{Principal: fmt.Sprint(i)}, "guess", time.Second) {
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	during := func(d time.Duration) (completed, late uint64) {
		a := p.Stats().SignIn
		time.Sleep(d)
		b := p.Stats().SignIn
		return b.Completed - a.Completed, b.Expired + b.Dropped - a.Expired - a.Dropped
	}
	took := func() time.Duration {
		began := time.Now()
		for range 10 {
			if _, err := Hash(policy, []byte("guess")); err != nil {
				t.Fatal(err)
			}
		}
		return time.Since(began)
	}
	time.Sleep(time.Second)
	before, _ := during(3 * time.Second)
	alone := took()
	busy := 4 * runtime.NumCPU() // fewer would slow down nothing on a large machine
	for range busy {
		c := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			c.Process.Kill()
			c.Wait()
		}()
	}
	time.Sleep(5 * time.Second)
	slower, healed := 0.0, false
	for span := 0; span < 10 && !healed; span++ {
		after, late := during(4 * time.Second)
		slower = float64(took()) / float64(alone)
		healed = after > 0 && late <= after && float64(after)*12*slower >= float64(before) // a sixteenth of what that pace lets
		t.Logf("%d answered in 3 s before, %d in 4 s after, when a hash took %.1f times as long; %d were let in, and late", before, after, slower, late)
	}
	stop.Store(true)
	callers.Wait()
	if slower < 1.5 {
		t.Skipf("a hash takes %.1f times as long beside %d busy processes; want 1.5", slower, busy)
	}
	if !healed {
		t.Error("in none of ten spans were most of those let in answered, and a sixteenth of what that pace lets")
	}
}
