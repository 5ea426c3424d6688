// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a Format may do, and what it can't: a toy one, with each mistake that an author can make.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// A toy is toy$ROUNDS$SUM in hexadecimal: SHA-256 that often.
type toy struct {
	name   string
	change func(*Computed)               // a mistake
	as     func(c *Computed) *Translated // what it is in place of c, if not nil
	asked  *int
}

func (f toy) Name() string { return f.name }

func (f toy) Parse(encoded string) (Parsed, error) {
	if f.asked != nil {
		*f.asked++
	}
	if !strings.HasPrefix(encoded, f.name+"$") {
		return nil, nil
	}
	var rounds uint32
	var sum string
	if _, err := fmt.Sscanf(encoded[len(f.name):], "$%d$%s", &rounds, &sum); err != nil {
		return nil, errors.New("want toy$ROUNDS$SUM")
	}

	p := &Computed{Cost: rounds, Time: func(int) time.Duration { return time.Duration(rounds) * time.Microsecond }}
	p.Sum, _ = hex.DecodeString(sum)
	p.Blank = strings.Repeat("0", len(sum))
	p.Compute = func(password, _ []byte, yield func() bool) []byte { return toySum(password, rounds, yield) }

	if f.change != nil {
		f.change(p)
	}
	if f.as != nil {
		if translated := f.as(p); translated != nil {
			return translated, nil
		}
	}
	return p, nil
}

func toySum(password []byte, rounds uint32, yield func() bool) []byte {
	sum := sha256.Sum256(password)
	for range rounds {
		if sum = sha256.Sum256(sum[:]); !yield() {
			return nil
		}
	}
	return sum[:]
}

func toyHash(password string, rounds uint32) string {
	return fmt.Sprintf("toy$%d$%x", rounds, toySum([]byte(password), rounds, func() bool { return true }))
}

func formats(t testing.TB, list ...Format) *Formats {
	t.Helper()
	return must(NewFormats(list...))(t)
}

func toyPool(t *testing.T, o Options, change func(*Computed)) *Pool {
	t.Helper()
	return translatedPool(t, o, toy{name: "toy", change: change})
}

func translatedPool(t *testing.T, o Options, f toy) *Pool {
	t.Helper()
	if o.Policy.Algorithm == 0 {
		o.Policy = cheapest
	}
	o.Policy.Formats = formats(t, f)
	return must(NewPool(o))(t)
}

func TestFormat(t *testing.T) {
	var seen []Observation
	pool := toyPool(t, Options{Observe: func(_ context.Context, o Observation) { seen = append(seen, o) }}, nil)

	stored := toyHash("p4ssw0rd", 100)
	for password, want := range map[string]error{"p4ssw0rd": nil, "p4ssw0re": ErrMismatch, "": ErrMismatch, "p4ssw0rd\x00": ErrMismatch} {
		for name, v := range map[string]func() (Result, error){
			"Verify":      func() (Result, error) { return Verify(pool.options.Policy, []byte(password), stored) },
			"Pool.Verify": func() (Result, error) { return pool.Verify(t.Context(), Login{}, []byte(password), stored) },
		} {
			r, err := v()
			if !errors.Is(err, want) || r != (Result{NeedsRehash: want == nil}) {
				t.Errorf("%s of %q: %+v, %v; want %v", name, password, r, err, want)
			}
		}
	}

	var row Hashes
	for _, h := range pool.Stats().Hashes {
		if h.Algorithm == "foreign" {
			row = h
		}
	}
	if row.Cost != "toy,100" || row.Service.Count() != 3 {
		t.Errorf("the form's statistics are %+v; want 3 of toy,100", row)
	}

	for _, o := range seen {
		if o.Reason != ReasonEmpty && (o.Algorithm != Foreign || o.Cost() != "toy,100") {
			t.Errorf("observed %v %q", o.Algorithm, o.Cost())
		}
	}
	if !NeedsRehash(pool.options.Policy, stored) || pool.options.Policy.Check(stored) != nil {
		t.Error("a form that is read needs no rehash, or does not pass Check")
	}

	without := pool.options.Policy
	without.Formats = nil
	if _, err := Verify(without, []byte("p4ssw0rd"), stored); !errors.Is(err, ErrMalformed) {
		t.Errorf("without Formats: %v; want ErrMalformed", err)
	}
}

// Hashes are refused before any work: nothing is computed, and a long string is not even looked at.
func TestFormatIsGuarded(t *testing.T) {
	asked := 0
	never := func(p *Computed) {
		p.Compute = func(_, _ []byte, _ func() bool) []byte { t.Error("computed"); return nil }
	}

	with := func(change func(*Computed)) Policy {
		p := cheapest
		p.Formats = formats(t, toy{name: "toy", asked: &asked, change: func(parsed *Computed) { never(parsed); change(parsed) }})
		return p
	}

	asItIs := func(*Computed) {}
	translated := func(hash string) Policy {
		p := cheapest
		p.Formats = formats(t, toy{name: "toy", as: func(*Computed) *Translated { return &Translated{Hash: hash} }})
		return p
	}
	tight := with(asItIs)
	tight.Limits.Time = time.Millisecond
	sum := strings.Repeat("ab", 32)

	for name, c := range map[string]struct {
		policy  Policy
		encoded string // if not toy$1$
		want    error
	}{
		"5 s":                       {policy: with(asItIs), encoded: "toy$5000001$", want: ErrCost},
		"as much as a number holds": {policy: with(asItIs), encoded: "toy$4294967295$", want: ErrCost},
		"own limit":                 {policy: tight, encoded: "toy$1001$", want: ErrCost},
		"negative":                  {policy: with(func(p *Computed) { p.Time = func(int) time.Duration { return -1 } }), want: ErrCost},
		"memory":                    {policy: with(func(p *Computed) { p.Memory = 1<<30 + 1 }), want: ErrCost},
		"dear":                      {policy: translated("$2b$31$" + goodBcrypt[7:]), want: ErrCost},
		"damaged":                   {policy: with(asItIs), encoded: "toy$x$", want: ErrMalformed},
		"another form":              {policy: with(asItIs), encoded: "boy$1$", want: ErrMalformed},
		"no sum":                    {policy: with(func(p *Computed) { p.Sum = nil }), want: ErrMalformed},
		"15 bytes":                  {policy: with(func(p *Computed) { p.Sum = p.Sum[:15] }), want: ErrMalformed},
		"no Time":                   {policy: with(func(p *Computed) { p.Time = nil }), want: ErrMalformed},
		"no Compute":                {policy: with(func(p *Computed) { p.Compute = nil }), want: ErrMalformed},
		"less than no memory":       {policy: with(func(p *Computed) { p.Memory = -1 }), want: ErrMalformed},
		"of no form":                {policy: translated("toy$1$" + sum), want: ErrMalformed},
		"of nothing":                {policy: translated(""), want: ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			encoded := cmp.Or(c.encoded, "toy$1$") + sum
			if _, err := Verify(c.policy, []byte("p4ssw0rd"), encoded); !errors.Is(err, c.want) {
				t.Errorf("%v; want %v", err, c.want)
			} else if strings.Contains(err.Error(), sum[:6]) {
				t.Errorf("the error holds the string: %v", err)
			}
		})
	}

	asked = 0
	for _, encoded := range []string{"", "toy$1$" + strings.Repeat("a", 635), "toy$1$" + ten, goodBcrypt} {
		Verify(with(asItIs), []byte("p4ssw0rd"), encoded)
		NeedsRehash(with(asItIs), encoded)
	}
	if asked != 0 {
		t.Errorf("a Format was asked %d times of strings that it must not see", asked)
	}

	pool := toyPool(t, Options{Memory: 1 << 20}, func(p *Computed) { never(p); p.Memory = 1<<20 + 1 })
	if _, err := pool.Verify(t.Context(), Login{}, []byte("p4ssw0rd"), "toy$1$"+sum); !errors.Is(err, ErrCost) ||
		!strings.HasSuffix(err.Error(), "needs 1048577 bytes, and the pool has a memory of 1048576") {
		t.Errorf("more than the pool's memory: %v; want ErrCost with both numbers", err)
	}
}

// No mistake of a Format's makes a password right.
func TestFormatMistakes(t *testing.T) {
	type compute func(password, memory []byte, yield func() bool) []byte
	stored := toyHash("p4ssw0rd", 1)
	for name, c := range map[string]struct {
		compute
		want string
	}{
		"nil":      {func(_, _ []byte, _ func() bool) []byte { return nil }, "mismatch"},
		"nothing":  {func(_, _ []byte, _ func() bool) []byte { return []byte{} }, "mismatch"},
		"a prefix": {func(p, _ []byte, y func() bool) []byte { return toySum(p, 1, y)[:31] }, "mismatch"},
		"more":     {func(p, _ []byte, y func() bool) []byte { return append(toySum(p, 1, y), 0) }, "mismatch"},
		"panic":    {func(_, _ []byte, _ func() bool) []byte { panic("p4ssw0rd") }, "toy panicked"},
		"no index": {func(_, _ []byte, _ func() bool) []byte { var none []byte; return none[len(none):1] }, "toy panicked"},
	} {
		t.Run(name, func(t *testing.T) {
			pool := toyPool(t, Options{}, func(p *Computed) { p.Compute = c.compute })
			for range 2 { // the worker lives on
				_, err := pool.Verify(t.Context(), Login{}, []byte("p4ssw0rd"), stored)
				if err == nil || !strings.HasSuffix(err.Error(), c.want) {
					t.Errorf("%v; want %s", err, c.want)
				}
			}
			if _, err := Verify(pool.options.Policy, []byte("p4ssw0rd"), stored); err == nil {
				t.Error("a match without a pool")
			}
		})
	}

	if _, err := NewFormats(toy{name: "toy"}, nil); err == nil || !strings.Contains(err.Error(), "Format 2 of 2 is nil") {
		t.Errorf("no Format: %v", err)
	}
	for _, names := range [][]string{{""}, {"Toy"}, {"a b"}, {"a,b"}, {strings.Repeat("a", 33)}, {"toy", "toy"}} {
		var list []Format
		for _, name := range names {
			list = append(list, toy{name: name})
		}
		if _, err := NewFormats(list...); err == nil {
			t.Errorf("formats named %q are taken", names)
		}
	}
}

// Its memory is counted, empty, and wiped; and so is its password.
func TestFormatMemory(t *testing.T) {
	const size = 1 << 20
	var pool *Pool
	var kept [][]byte
	pool = toyPool(t, Options{}, func(p *Computed) {
		p.Memory = size
		p.Compute = func(password, memory []byte, yield func() bool) []byte {
			if len(memory) != size || !bytes.Equal(memory, make([]byte, size)) {
				t.Errorf("%d bytes of memory, or not zeros", len(memory))
			}
			if held := pool.Stats().MemoryInUse; held != size {
				t.Errorf("the pool counts %d bytes; want %d", held, size)
			}
			for i := range memory {
				memory[i] = 0xff
			}
			kept = append(kept, password)
			return toySum(password, 1, yield)
		}
	})

	stored := toyHash("p4ssw0rd", 1)
	other := must(Hash(Policy{Algorithm: Argon2id, Memory: size >> 10, Iterations: 1}, []byte("p4ssw0rd")))(t)
	for _, encoded := range []string{stored, stored, other, stored, other} {
		if _, err := pool.Verify(t.Context(), Login{}, []byte("p4ssw0rd"), encoded); err != nil {
			t.Errorf("%s: %v", encoded, err)
		}
	}

	for _, password := range kept {
		if !bytes.Equal(password, make([]byte, len(password))) {
			t.Errorf("the copy of the password is %q after the call", password)
		}
	}
}

// A caller who leaves is told at once, and the Format with the next yield.
func TestFormatIsGivenUp(t *testing.T) {
	stuck := newStuck()
	pool := toyPool(t, Options{Workers: 1}, func(p *Computed) { p.Compute = stuck.compute })
	stuck.leave(t, pool, toyHash("p4ssw0rd", 1))
	if err := pool.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A stuck Format computes until its caller has left.
type stuck struct{ begun, ended chan bool }

func newStuck() stuck { return stuck{make(chan bool), make(chan bool)} }

func (s stuck) compute(password, _ []byte, yield func() bool) []byte {
	close(s.begun)
	for yield() {
	}
	close(s.ended)
	return password // whatever it returns then
}

// leave has a caller leave while the Format computes, and returns when that has ended.
func (s stuck) leave(t *testing.T, pool *Pool, encoded string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-s.begun; cancel() }()
	if _, err := pool.Verify(ctx, Login{}, []byte("p4ssw0rd"), encoded); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want context.Canceled", err)
	}
	<-s.ended
}

// A translated hash is this package's: prepared, computed and counted so, and replaced only for its
// cost.
func TestTranslated(t *testing.T) {
	const stored = "toy$1$00"
	sum := sha256.Sum256([]byte("p4ssw0rd"))
	hash := must(Hash(Policy{Algorithm: Bcrypt, Cost: 5}, hex.AppendEncode(nil, sum[:])))(t)
	var copies [][]byte
	prepared := toy{name: "toy", as: func(*Computed) *Translated {
		return &Translated{Hash: hash, Prepare: func(password []byte) ([]byte, bool) {
			sum := sha256.Sum256(password)
			out := hex.AppendEncode(nil, sum[:])
			copies = append(copies, password, out)
			return out, true
		}}
	}}
	given := []byte("p4ssw0rd")

	for _, c := range []struct {
		policy   Policy
		outdated bool
	}{{cheapest, false}, {Policy{Algorithm: Bcrypt, Cost: 6}, true}, {Default(), true}} {
		pool := translatedPool(t, Options{Policy: c.policy}, prepared)
		if r, err := pool.Verify(t.Context(), Login{}, given, stored); err != nil || r.NeedsRehash != c.outdated || NeedsRehash(pool.options.Policy, stored) != c.outdated {
			t.Errorf("%+v: %+v, %v; want a rehash: %v", c.policy, r, err, c.outdated)
		}
		if _, err := pool.Verify(t.Context(), Login{}, []byte("p4ssw0re"), stored); !errors.Is(err, ErrMismatch) {
			t.Errorf("%v; want ErrMismatch", err)
		}
		if h := pool.Stats().Hashes[0]; h.Algorithm != "bcrypt" || h.Cost != "5" || h.Service.Count() != 2 {
			t.Errorf("counted as %+v", h)
		}
	}

	if string(given) != "p4ssw0rd" {
		t.Errorf("the caller's password is %q", given)
	}
	for _, b := range copies {
		if !bytes.Equal(b, make([]byte, len(b))) {
			t.Errorf("%q is left", b)
		}
	}
}

// Options.Stored has no work that nobody has, that a long password is refused, or that makes each
// wrong password take a second more; one work counts once, and no cost wraps around.
func TestStoredIsChecked(t *testing.T) {
	p := cheapest
	p.Markers = true
	p.Formats = formats(t, toy{name: "toy"}, toy{name: "slow", change: func(p *Computed) {
		p.Time = func(n int) time.Duration { return time.Duration(n) * 5 * time.Millisecond }
	}})

	patient := p
	endless := p
	patient.Limits.Time = 6 * time.Second
	endless.Limits = Limits{Time: math.MaxInt64, Memory: math.MaxInt64}

	of := func(seconds float64) string {
		return fmt.Sprintf("toy$%d$%s", int(seconds*1e6), strings.Repeat("00", 32))
	}
	slow := "slow" + toyHash("", 1)[3:]
	var dear []string // together they take longer than the longest Duration
	for i := range 9 {
		dear = append(dear, argon2ID("v=19", fmt.Sprintf("m=2147483647,t=%d,p=1", 2147483647-i)))
	}

	for name, c := range map[string]struct {
		policy Policy
		stored []string
		stages int // 0: an error
		cost   bool
	}{
		"nothing":       {p, []string{goodBcrypt, ""}, 0, false},
		"a marker":      {p, []string{goodBcrypt, "!"}, 0, false},
		"unreadable":    {p, []string{"boy$1$00"}, 0, false},
		"good":          {p, []string{goodBcrypt}, 2, false},
		"long":          {p, []string{slow}, 0, true},
		"not too long":  {patient, []string{slow}, 2, false},
		"1 s":           {p, []string{of(.2), of(.3), of(.5), of(.2), of(.5)}, 4, false},
		"1.000001 s":    {p, []string{of(.2), of(.3), of(.500001)}, 0, true},
		"one work more": {p, []string{of(.2), of(.3), of(.5), of(.001)}, 0, true},
		"endless":       {endless, dear, 0, true},
		"endless one":   {endless, dear[:1], 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			stages, err := samplesOf(c.policy, c.stored)
			if len(stages) != c.stages || (err == nil) != (c.stages > 0) || errors.Is(err, ErrCost) != c.cost {
				t.Errorf("%d stages, %v", len(stages), err)
			}
		})
	}
}

// Lengths of passwords make kinds of their own where they make a difference.
func TestFormatLengths(t *testing.T) {
	p := cheapest
	p.Formats = formats(t, toy{name: "toy", change: func(p *Computed) {
		p.Time = func(n int) time.Duration { return time.Duration(1+n/64) * time.Millisecond }
	}})
	for n, want := range map[int]string{1: "toy,1", 63: "toy,1", 127: "toy,1,long=1", 256: "toy,1,long=2", 1000: "toy,1,long=4"} {
		j, err := p.verifyJob(make([]byte, n), toyHash("", 1))
		if _, got := j.need.kind.names(); err != nil || got != want {
			t.Errorf("%d bytes: %q, %v; want %q", n, got, err, want)
		}
	}
}
