// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit_test

// Gate, Limiter and Pool together, in simulated time: hashes, bodies and pauses sleep.

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
	"fount/internal/test/mutant"
	"fount/password"
	"fount/password/accountlimit"
	"fount/password/passwordhttp"
)

// sleeps is a form whose hashes are all of "right". They take as long as they say, and tell saw
// what is compared.
type sleeps struct{ saw func(given string) }

func (sleeps) Name() string { return "sleeps" }

func (f sleeps) Parse(encoded string) (password.Parsed, error) {
	took, err := time.ParseDuration(encoded)
	if err != nil {
		return nil, nil
	}

	right := sha256.Sum256([]byte("right"))
	return &password.Computed{
		Cost: uint32(took.Microseconds()), Time: func(int) time.Duration { return took }, Sum: right[:],
		Compute: func(given, _ []byte, yield func() bool) []byte {
			f.saw(string(given))
			for range 8 {
				time.Sleep(took / 8)
				if !yield() {
					return nil
				}
			}
			sum := sha256.Sum256(given)
			return sum[:]
		},
	}, nil
}

// An attack is a service, what a guesser does there, and what the account's owner does meanwhile.
type attack struct {
	Workers int
	Timeout time.Duration   // the Gate's
	Slow    []time.Duration // kinds of the store beside the policy's
	Own     int             // the one of the account's hash; the last: the policy's

	Clients int           // addresses that he has beside the owner's
	Behind  bool          // he has the owner's too
	Days    int           // that it lasts
	Beside  int           // guesses at once
	Flood   int           // calls for other names beside them
	Left    float64       // time that a body leaves a call, of that of a wrong password; 0: all
	Cut     float64       // when he leaves, of the same time; 0: never
	Pause   time.Duration // after a guess
	Owner   int           // times a day that the owner signs in
}

func drawAttack(d *game.Draw) (a attack) {
	a.Workers = d.Int(1, 4)
	a.Timeout = d.Duration(time.Second, 10*time.Second)
	for range d.Int(1, 3) {
		a.Slow = append(a.Slow, d.Duration(time.Millisecond, 250*time.Millisecond))
	}
	a.Own = d.Int(0, len(a.Slow))
	a.Clients = game.Of(d, 0, 1, 3, 12, 1000)
	a.Behind = d.Chance(.4)
	a.Days = d.Int(1, 2)
	a.Beside = game.Of(d, 1, 2, 10, 100)
	a.Flood = game.Of(d, 0, 0, 0, 1, 5)
	if d.Chance(.5) {
		a.Left = d.Float(.02, 1.5)
	}
	if d.Chance(.5) {
		a.Cut = d.Float(.02, 1.5)
	}
	a.Pause = d.Duration(time.Millisecond, time.Minute)
	a.Owner = game.Of(d, 0, 3, 20, 200)
	a.Behind = a.Behind || a.Clients == 0
	return a
}

// most is how many guesses accountlimit's documentation lets him have.
func (a *attack) most() (n int) {
	if a.Clients > 0 {
		n += 100 + 96*a.Days
	}
	if a.Behind {
		n += 10 + 250*a.Days
	}
	return n
}

// A service signs users in.
type service struct {
	attack
	pool    *password.Pool
	handler http.Handler
	mu      sync.Mutex
	tried   map[string]bool // guesses that were hashed or answered: their time, at least, can tell
}

// start opens the service, in a bubble.
func (s *service) start(t *testing.T) {
	s.tried = map[string]bool{}
	formats, err1 := password.NewFormats(sleeps{s.saw})
	limits, err2 := accountlimit.New(accountlimit.Options{Entries: 1 << 10})
	o := password.Options{Workers: s.Workers,
		Policy: password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Formats: formats}}

	for _, took := range s.Slow {
		o.Stored = append(o.Stored, took.String())
	}

	pool, err3 := password.NewPool(o)
	stored, err4 := password.Hash(o.Policy, []byte("right"))
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	if s.Own < len(s.Slow) {
		stored = s.Slow[s.Own].String()
	}

	s.pool = pool
	gate := &passwordhttp.Gate{Pool: pool, Timeout: s.Timeout}
	s.handler = gate.Handle(func(_ http.ResponseWriter, r *http.Request, login password.Login) error {
		user := r.PostFormValue("user")
		_, err := limits.For(pool, user).Verify(r.Context(), login, []byte(r.PostFormValue("password")), map[string]string{"ada": stored}[user])
		return err
	})
}

func (s *service) saw(given string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasPrefix(given, "guess") {
		s.tried[given] = true
	}
}

// signIn sends a form whose end comes after a while. Status 429 says for how long.
func (s *service) signIn(ctx context.Context, from, user, given string, after time.Duration) (status int, wait time.Duration) {
	body := io.MultiReader(late(after), strings.NewReader("user="+user+"&password="+given))
	r := httptest.NewRequestWithContext(ctx, "POST", "/", body)
	r.RemoteAddr = from
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")

	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)

	seconds, _ := strconv.Atoi(w.Header().Get("Retry-After"))
	if w.Code == http.StatusUnauthorized {
		s.saw(given)
	}
	return w.Code, time.Duration(seconds) * time.Second
}

// A late reader is empty, after a while.
type late time.Duration

func (l late) Read([]byte) (int, error) {
	time.Sleep(time.Duration(l))
	return 0, io.EOF
}

const home = "192.0.2.1:1" // the owner's address

// from is whom the guesser's n-th call comes from.
func (a *attack) from(n int) string {
	if a.Behind && (a.Clients == 0 || n%2 == 0) {
		return home
	}
	n %= a.Clients
	return fmt.Sprintf("10.0.%d.%d:1", n/256, n%256)
}

// guess tries a password of its own.
func (s *service) guess(ctx context.Context, n int) (status int, wait time.Duration) {
	wrong := time.Millisecond
	after := time.Duration(0)
	for _, took := range s.Slow {
		wrong += took
	}

	if s.Left > 0 {
		after = max(0, s.Timeout-time.Duration(s.Left*float64(wrong)))
	}
	if s.Cut > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer time.AfterFunc(after+time.Duration(s.Cut*float64(wrong)), cancel).Stop()
	}

	return s.signIn(ctx, s.from(n), "ada", fmt.Sprint("guess", n), after)
}

// play returns what broke.
func (s *service) play(t *testing.T) (lost string) {
	s.start(t)
	end := time.Now().Add(time.Duration(s.Days) * 24 * time.Hour)

	s.signIn(t.Context(), home, "ada", "right", 0)
	var owner sync.WaitGroup
	owner.Go(func() {
		for range s.Owner * s.Days {
			time.Sleep(24 * time.Hour / time.Duration(s.Owner+1))
			if status, _ := s.signIn(t.Context(), home, "ada", "right", 0); status == http.StatusTooManyRequests && !s.Behind {
				lost = "the owner is locked out of a client that he used before"
			}
		}
	})

	for n := 0; time.Now().Before(end) && n < 3000; n += s.Beside {
		wait := time.Hour // until one of those refused may guess again
		var mu sync.Mutex
		var calls sync.WaitGroup
		for i := range s.Beside {
			calls.Go(func() {
				status, told := s.guess(t.Context(), n+i)
				mu.Lock()
				defer mu.Unlock()
				if status != http.StatusTooManyRequests {
					told = s.Pause
				}
				wait = min(wait, told)
			})
		}
		for i := range s.Flood {
			calls.Go(func() { s.signIn(t.Context(), s.from(i), fmt.Sprint("nobody", n+i), "flood", 0) })
		}
		calls.Wait()
		time.Sleep(min(wait, time.Until(end)))
	}

	owner.Wait()
	if err := s.pool.Close(t.Context()); err != nil { // a call that was cut off left its hash running
		t.Error(err)
	}

	if n, most := len(s.tried), s.most(); n > most {
		return fmt.Sprintf("%d guesses had an answer or a time in %d days; want at most %d", n, s.Days, most)
	}
	return lost
}

// However a guesser times, cuts off, crowds and spreads his calls, he has no more verdicts than the
// package's documentation says; nothing that he does locks the owner out of where he was before.
func TestGameGuess(t *testing.T) {
	game.Play(t, 6, 0, func(t *testing.T, d *game.Draw) (lost string) {
		s := &service{attack: drawAttack(d)}
		synctest.Test(t, func(t *testing.T) { lost = s.play(t) })
		if lost != "" {
			lost = fmt.Sprintf("%s: %+v", lost, s.attack)
		}
		return lost
	})
}

// The game is lost where only what was answered counts.
func TestGameGuessControl(t *testing.T) {
	mutant.Fails(t, "limiter.go", "err != nil && !errors.Is(err, password.ErrNotBegun)", "errors.Is(err, password.ErrMismatch)", "TestGameGuess$")
}
