// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A truth is a Verifier that knows: the password of "ada:secret:3" is "secret". It counts its calls.
type truth struct {
	calls  int
	during func() // of a call
	result Result
}

func (v *truth) Verify(_ context.Context, _ Login, password []byte, encoded string) (Result, error) {
	v.calls++
	if v.during != nil {
		v.during()
	}
	return v.result, verdict(password, encoded)
}

func verdict(password []byte, encoded string) error {
	if parts := strings.Split(encoded, ":"); len(parts) != 3 || parts[1] != string(password) {
		return ErrMismatch
	}
	return nil
}

func (v *truth) Hash(context.Context, Login, []byte) (string, error) { return "made", nil }

// rememberer is what Remembered is, and each of its broken twins.
type rememberer interface {
	Verifier
	Forget(encoded string)
}

func newRemembered(t testing.TB, next Verifier, o RememberOptions) *Remembered {
	t.Helper()
	r, err := Remember(next, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const lifetime = 4 * time.Minute

// searchRemember plays random histories of some users on one rememberer, and returns the first thing that it does wrong.
func searchRemember(t *testing.T, seed uint64, make func(*truth) rememberer) (wrong string) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 23))
		var next truth
		r := make(&next)
		users := []string{"ada", "bob", "eve"}
		stored := map[string]string{}
		secret := func(version int) string { return fmt.Sprint("secret", version%2) } // an old password comes back
		version := map[string]int{}
		hashed := map[string]time.Time{} // when a match of user, hash and password was hashed
		forgotten := func(encoded string) {
			maps.DeleteFunc(hashed, func(key string, _ time.Time) bool { return strings.HasPrefix(key, encoded+" ") })
		}
		for _, user := range users {
			stored[user] = user + ":secret0:0"
		}
		for range 200 {
			user := users[rng.IntN(len(users))]
			switch rng.IntN(10) {
			case 0: // a change of the password
				version[user]++
				stored[user] = fmt.Sprintf("%s:%s:%d", user, secret(version[user]), version[user])
			case 1:
				r.Forget(stored[user])
				forgotten(stored[user])
			case 2:
				time.Sleep(time.Duration(rng.Int64N(int64(lifetime))))
			case 3: // a spray
				for i := range 50 {
					r.Verify(t.Context(), Login{}, fmt.Appendf(nil, "guess%d", i), stored[users[i%len(users)]])
				}
			case 4: // forgotten while it is hashed
				next.during = func() { r.Forget(stored[user]) }
				fallthrough
			default:
				given := secret(rng.IntN(2))
				key := stored[user] + " " + given
				before, began := next.calls, time.Now()
				_, err := r.Verify(t.Context(), Login{}, []byte(given), stored[user])
				asked := next.calls > before
				at, known := hashed[key]
				fresh := known && began.Sub(at) < lifetime
				switch {
				case err != verdict([]byte(given), stored[user]):
					wrong = fmt.Sprintf("%q for %q: %v", given, stored[user], err)
				case err != nil && !asked:
					wrong = "a mismatch was not hashed"
				case fresh && asked:
					wrong = "a match that it knows was hashed again"
				case !fresh && !asked:
					wrong = "a match was believed that it does not know"
				}
				if wrong != "" {
					return
				}
				switch {
				case asked && next.during != nil:
					forgotten(stored[user])
				case asked && err == nil:
					hashed[key] = began
				}
				next.during = nil
			}
		}
	})
	return wrong
}

func TestRemember(t *testing.T) {
	for seed := range uint64(200) {
		wrong := searchRemember(t, seed, func(next *truth) rememberer {
			return newRemembered(t, next, RememberOptions{For: lifetime})
		})
		if wrong != "" {
			t.Fatalf("seed %d: %s", seed, wrong)
		}
	}
}

// A twin is a rememberer of one map, with a fault.
type twin struct {
	next    Verifier
	key     func(password []byte, encoded string) string
	misses  bool // remembers these too
	places  int  // 0: no bound; else every call takes one, and the oldest makes way
	deaf    bool // to a Forget during a call
	forever bool

	errs    map[string]error
	until   map[string]time.Time
	order   []string
	forgets int
}

func (v *twin) Hash(context.Context, Login, []byte) (string, error) { return "", nil }

func (v *twin) Forget(encoded string) {
	v.forgets++
	for key := range v.errs {
		if strings.HasPrefix(key, encoded+" ") {
			delete(v.errs, key)
		}
	}
}

func (v *twin) Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error) {
	key := v.key(password, encoded)
	if err, ok := v.errs[key]; ok && (v.forever || time.Now().Before(v.until[key])) {
		return Result{}, err
	}
	forgets := v.forgets
	_, err := v.next.Verify(ctx, login, password, encoded)
	if v.places > 0 {
		if v.order = append(v.order, key); len(v.order) > v.places {
			delete(v.errs, v.order[0])
			v.order = v.order[1:]
		}
	}
	if (err == nil || v.misses) && (v.deaf || forgets == v.forgets) {
		v.errs[key], v.until[key] = err, time.Now().Add(lifetime)
	}
	return Result{}, err
}

func TestRememberControl(t *testing.T) {
	both := func(password []byte, encoded string) string { return encoded + " " + string(password) }
	for name, fault := range map[string]twin{
		"remembers misses":             {key: both, misses: true},
		"without the hash":             {key: func(password []byte, encoded string) string { return encoded[:3] + " " + string(password) }},
		"without the password":         {key: func(_ []byte, encoded string) string { return encoded + " " }},
		"a spray evicts":               {key: both, places: 40},
		"deaf to a Forget during Hash": {key: both, deaf: true},
		"never out of date":            {key: both, forever: true},
	} {
		found := ""
		for seed := uint64(0); seed < 200 && found == ""; seed++ {
			found = searchRemember(t, seed, func(next *truth) rememberer {
				v := fault
				v.next, v.errs, v.until = next, map[string]error{}, map[string]time.Time{}
				return &v
			})
		}
		if found == "" {
			t.Errorf("%s: the search found nothing", name)
		}
		t.Logf("%s: %s", name, found)
	}
	sound := twin{key: both}
	for seed := range uint64(50) {
		if wrong := searchRemember(t, seed, func(next *truth) rememberer {
			v := sound
			v.next, v.errs, v.until = next, map[string]error{}, map[string]time.Time{}
			return &v
		}); wrong != "" {
			t.Fatalf("the twin without a fault: seed %d: %s", seed, wrong)
		}
	}
}

// used counts the places that hold something.
func (r *Remembered) used() (n int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, m := range r.places {
		if m != (match{}) {
			n++
		}
	}
	return n
}

// A million wrong passwords, for users who are remembered and for others, take no place and displace nobody.
func TestRememberSpray(t *testing.T) {
	next := &truth{}
	r := newRemembered(t, next, RememberOptions{Entries: 64})
	for i := range 8 {
		r.Verify(t.Context(), Login{}, []byte("s"), fmt.Sprintf("u%d:s:0", i))
	}
	places, before := &r.places[0], append([]match(nil), r.places...)
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	for i := range n {
		if _, err := r.Verify(t.Context(), Login{}, fmt.Appendf(nil, "guess%d", i), fmt.Sprintf("u%d:s:0", i%100)); err != ErrMismatch {
			t.Fatal(err)
		}
	}
	if next.calls != 8+n || r.used() != 8 || len(r.places) != 64 || &r.places[0] != places {
		t.Errorf("%d calls of the next, %d of %d places used; want %d, 8 of 64", next.calls, r.used(), len(r.places), 8+n)
	}
	for i, m := range r.places {
		if m != before[i] {
			t.Fatalf("place %d has changed", i)
		}
	}
}

// With more users than places the newest are remembered, and nothing grows. One user, whatever matches his hash, has one place:
// a bcrypt of a long password is matched by many.
func TestRememberIsBounded(t *testing.T) {
	r := newRemembered(t, certain{}, RememberOptions{Entries: 60})
	if len(r.places) != 64 {
		t.Errorf("%d places; want 64", len(r.places))
	}
	for i := range 1000 {
		r.Verify(t.Context(), Login{}, []byte("s"), fmt.Sprint("user", i))
		if _, known, _ := r.recall([]byte("s"), fmt.Sprint("user", i)); !known {
			t.Fatalf("user %d is not remembered", i)
		}
	}
	if r.used() != 64 {
		t.Errorf("%d places used; want 64", r.used())
	}
	r = newRemembered(t, certain{}, RememberOptions{Entries: 64})
	r.Verify(t.Context(), Login{}, []byte("s"), "another")
	for i := range 1000 {
		r.Verify(t.Context(), Login{}, fmt.Append(nil, "long", i), "truncated")
	}
	if _, known, _ := r.recall([]byte("s"), "another"); !known || r.used() != 2 {
		t.Errorf("one user has %d places, and has displaced another: %v", r.used()-1, !known)
	}
}

// What is out of date is wiped, also if nobody asks for it.
func TestRememberWipes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRemembered(t, certain{}, RememberOptions{For: lifetime})
		for i := range 100 {
			r.Verify(t.Context(), Login{}, []byte("s"), fmt.Sprint("user", i))
			time.Sleep(time.Second)
		}
		time.Sleep(lifetime - time.Second)
		if n := r.used(); n == 0 || n == 100 {
			t.Errorf("%d places used as the last goes out of date; want some", n)
		}
		time.Sleep(lifetime/4 + time.Second)
		synctest.Wait()
		if n := r.used(); n != 0 {
			t.Errorf("%d places used a quarter of the time later; want none", n)
		}
		r.mu.RLock()
		if r.sweeper != nil {
			t.Error("the sweep goes on with nothing to wipe")
		}
		r.mu.RUnlock()
		r.Verify(t.Context(), Login{}, []byte("s"), "user")
		time.Sleep(2 * lifetime)
		synctest.Wait()
		if n := r.used(); n != 0 {
			t.Errorf("%d places used after a second time; want none", n)
		}
	})
}

// Whenever it was remembered, nothing is there a quarter of the time after it went out of date.
func TestRememberWipesInTime(t *testing.T) {
	for wait := time.Duration(0); wait < 2*lifetime; wait += lifetime / 60 {
		synctest.Test(t, func(t *testing.T) {
			r := newRemembered(t, certain{}, RememberOptions{For: lifetime})
			r.Verify(t.Context(), Login{}, []byte("s"), "first") // sets when the sweeps are
			time.Sleep(wait)
			r.Verify(t.Context(), Login{}, []byte("s"), "second")
			time.Sleep(lifetime + lifetime/4)
			synctest.Wait()
			if n := r.used(); n != 0 {
				t.Errorf("%v after the first: %d places used a quarter of the time after the last", wait, n)
			}
		})
	}
}

// A machine that was suspended has lost time by one clock alone, and one whose clock was set by the other.
func TestRememberClocks(t *testing.T) {
	start := moment{1000, 5000}
	till := start.plus(100)
	for _, c := range []struct {
		name string
		now  moment
		want bool
	}{
		{"at once", start, true},
		{"before the end", moment{1099, 5099}, true},
		{"at the end", moment{1100, 5100}, false},
		{"suspended", moment{1001, 5100}, false},
		{"set back", moment{1100, 4000}, false},
		{"set back, in time", moment{1099, 4000}, true},
		{"free", moment{}, true},
	} {
		if got := till.after(c.now); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if (moment{}).after(moment{}) {
		t.Error("a free place has time left")
	}
}

// The MAC is the standard library's, under a key of its own; its memory has neither password nor hash.
func TestRememberMAC(t *testing.T) {
	r, other := newRemembered(t, certain{}, RememberOptions{}), newRemembered(t, certain{}, RememberOptions{})
	for _, n := range []int{0, 1, 20, 55, 56, 64, 500} {
		password, encoded := []byte(strings.Repeat("p", n)), strings.Repeat("e", 2*n/3)
		want := hmac.New(sha256.New, r.key[:])
		want.Write(binary.BigEndian.AppendUint64(nil, uint64(len(encoded))))
		want.Write([]byte(encoded))
		want.Write(password)
		got := r.mac(password, encoded)
		if !hmac.Equal(got[:], want.Sum(nil)) {
			t.Errorf("%d bytes: %x", n, got)
		}
		if got == other.mac(password, encoded) {
			t.Error("two have one key")
		}
	}
	if r.mac([]byte("bc"), "a") == r.mac([]byte("c"), "ab") {
		t.Error("hash and password can be divided otherwise")
	}
	if n := testing.AllocsPerRun(100, func() { r.mac([]byte("password"), goodBcrypt) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What it does not answer itself is the next Verifier's answer.
func TestRememberPassesOn(t *testing.T) {
	next := &truth{result: Result{NeedsRehash: true, Truncated: true}}
	r := newRemembered(t, next, RememberOptions{})
	for i := range 3 {
		want := Result{NeedsRehash: i == 0, Truncated: true}
		if got, err := r.Verify(t.Context(), Login{}, []byte("s"), "ada:s:0"); err != nil || got != want {
			t.Errorf("call %d: %+v, %v; want %+v", i, got, err, want)
		}
	}
	if next.calls != 1 || r.Hits() != 2 {
		t.Errorf("%d calls of the next, %d hits; want 1, 2", next.calls, r.Hits())
	}
	if got, err := r.Hash(t.Context(), Login{}, []byte("s")); got != "made" || err != nil {
		t.Errorf("Hash: %q, %v", got, err)
	}
	long := strings.Repeat("s", maxInput)
	for range 2 {
		r.Verify(t.Context(), Login{}, []byte(long), "ada:"+long+":0")
	}
	if next.calls != 3 {
		t.Errorf("%d calls; want 3: more than %d bytes are not remembered", next.calls, maxInput)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if r.Verify(gone, Login{}, []byte("s"), "ada:s:0"); next.calls != 4 {
		t.Error("a call whose context is done was answered from memory")
	}
	if err := r.Close(t.Context()); err != nil { // truth has no Close
		t.Error(err)
	}
	r.Verify(t.Context(), Login{}, []byte("s"), "ada:s:0")
	r.Verify(t.Context(), Login{}, []byte("s"), "ada:s:0")
	if next.calls != 6 || r.used() != 0 || *r.key != ([macSize]byte{}) {
		t.Errorf("after Close: %d calls, want 6; %d places used, want 0; the key is %x, want zeros", next.calls, r.used(), *r.key)
	}
}

// Clients that sign in with each request have one new hash made each time that one is hashed, not with each request: the
// control has no memory.
func TestRememberUpgradesOnce(t *testing.T) {
	for _, remembers := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			next := &outdated{}
			v, want := Verifier(next), int32(100)
			if remembers {
				v, want = newRemembered(t, next, RememberOptions{For: time.Minute}), 2
			}
			save := func(context.Context, string, string) (bool, error) { return true, nil }
			for range 100 {
				if _, err := SignIn(t.Context(), v, Login{}, "password", "stored", save); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
			}
			if got := next.hashed.Load(); got != want {
				t.Errorf("remembers %v: in 100 s %d upgrades are tried; want %d", remembers, got, want)
			}
			time.Sleep(2 * time.Minute) // the sweep ends
		})
	}
}

// outdated wants each hash replaced, counts the attempts, and makes none.
type outdated struct{ hashed atomic.Int32 }

func (*outdated) Verify(context.Context, Login, []byte, string) (Result, error) {
	return Result{NeedsRehash: true}, nil
}

func (v *outdated) Hash(context.Context, Login, []byte) (string, error) {
	v.hashed.Add(1)
	return "", ErrClosed
}

// A Forget keeps nobody else from being remembered, however often others are forgotten.
func TestForgetIsOneHash(t *testing.T) {
	next := &truth{}
	r := newRemembered(t, next, RememberOptions{})
	other, i := "", 0
	for mine := r.set(r.place("ada:s:0")); other == "" || r.set(r.place(other)) == mine; i++ {
		other = fmt.Sprint("bob:s:", i)
	}
	next.during = func() { r.Forget(other) }
	r.Verify(t.Context(), Login{}, []byte("s"), "ada:s:0")
	if r.Verify(t.Context(), Login{}, []byte("s"), "ada:s:0"); r.Hits() != 1 {
		t.Error("what is forgotten of another keeps a match from being remembered")
	}
}

func TestRememberClosesThePool(t *testing.T) {
	pool, err := NewPool(Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRemembered(t, pool, RememberOptions{})
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verify(t.Context(), Login{}, []byte("s"), goodBcrypt); !errors.Is(err, ErrClosed) {
		t.Errorf("%v; want ErrClosed", err)
	}
}

func TestRememberOptions(t *testing.T) {
	for _, o := range []RememberOptions{{For: -1}, {For: maxRemember + 1}, {Entries: -1}, {Entries: maxEntries + 1}} {
		if _, err := Remember(certain{}, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if _, err := Remember(nil, RememberOptions{}); err == nil {
		t.Error("a nil Verifier was taken")
	}
}

// For the race detector: everything at once, and each answer the truth.
func TestRememberConcurrently(t *testing.T) {
	r := newRemembered(t, stateless{}, RememberOptions{Entries: 16, For: time.Minute})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 500 {
				encoded, given := fmt.Sprintf("u%d:s%d:0", i%30, i%2), fmt.Append(nil, "s", (i+g)%2)
				if _, err := r.Verify(t.Context(), Login{}, given, encoded); err != verdict(given, encoded) {
					t.Errorf("%q for %q: %v", given, encoded, err)
				}
				switch {
				case i%50 == 0:
					r.Forget(encoded)
				case i%70 == 0:
					r.sweep()
				case g == 0 && i == 400:
					r.Close(t.Context())
				}
			}
		})
	}
	all.Wait()
}

type stateless struct{ certain }

func (stateless) Verify(_ context.Context, _ Login, password []byte, encoded string) (Result, error) {
	return Result{}, verdict(password, encoded)
}
