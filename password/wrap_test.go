// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"fount/internal/test/require"
)

// wrapPolicy is a policy that wraps, and has these Formats, or toy if there are none.
func wrapPolicy(t testing.TB, list ...Format) Policy {
	t.Helper()
	if len(list) == 0 {
		list = []Format{toy{name: "toy"}}
	}
	return Policy{Algorithm: Argon2id, Memory: 64, Iterations: 1, Formats: formats(t, list...)}
}

// blankToy is a toy hash without its sum.
var blankToy = "toy$1$" + strings.Repeat("0", 64)

// The sum is that of x/crypto's argon2id, over a text that anyone can make.
func TestWrapByOtherHands(t *testing.T) {
	encoded := toyHash("secret", 1)
	wrapped := must(Wrap(wrapPolicy(t), encoded))(t)
	rest, hasHead := strings.CutPrefix(wrapped, "$fount-wrap$v=1,form=toy$argon2id$v=19$m=64,t=1,p=1$")
	rest, hasInner := strings.CutSuffix(rest, "$"+blankToy)
	if !hasHead || !hasInner {
		t.Fatalf("%s", wrapped)
	}

	saltText, sum, _ := strings.Cut(rest, "$")
	salt, err := base64.RawStdEncoding.DecodeString(saltText)
	if err != nil || len(salt) != 16 {
		t.Fatal(salt, err)
	}
	text := "$fount-wrap$v=1,form=toy$" + blankToy + "$" + encoded[len("toy$1$"):]
	if want := base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(text), salt, 1, 64, 1, 32)); sum != want {
		t.Errorf("%s; want the sum %s", wrapped, want)
	}
}

// Django finds a hash's reader by the name before its first '$': its forms have one, of which the
// sum knows nothing, and no other text of theirs is read.
func TestWrapOfDjango(t *testing.T) {
	p := wrapPolicy(t, renamed{toy{name: "toy"}, "django-mine"})
	text := wrappedOf(t, p, toyHash("secret", 1))
	rest, ok := strings.CutPrefix(text, "fount_wrap")
	if !ok || !strings.HasPrefix(rest, "$fount-wrap$v=1,form=django-mine$argon2id$") {
		t.Errorf("%s", text)
	}

	if _, err := Verify(p, []byte("secret"), text); err != nil {
		t.Error(err)
	}
	for _, other := range []string{rest, "fount_wrap" + text, "other" + rest} {
		if _, err := Verify(p, []byte("secret"), other); err == nil {
			t.Errorf("%s matches", other)
		}
	}
}

func TestWrap(t *testing.T) {
	p := wrapPolicy(t)
	weak := []string{toyHash("secret", 1)}
	for _, p := range []Policy{{Algorithm: Bcrypt, Cost: 4}, {Algorithm: PBKDF2SHA256, Iterations: 10}, {Algorithm: PBKDF2SHA512, Iterations: 10}} {
		weak = append(weak, must(Hash(p, []byte("secret")))(t))
	}

	for _, encoded := range weak {
		wrapped, err := Wrap(p, encoded)
		if err != nil {
			t.Errorf("%s: %v", encoded, err)
			continue
		}
		if strings.Contains(wrapped, encoded[len(encoded)-16:]) {
			t.Errorf("%s: its sum is in %s", encoded, wrapped)
		}
		if r, err := Verify(p, []byte("secret"), wrapped); err != nil || !r.NeedsRehash {
			t.Errorf("%s: the password: %+v, %v", wrapped, r, err)
		}
		for _, other := range []string{"Secret", "secret ", "s", strings.Repeat("x", 100)} {
			if _, err := Verify(p, []byte(other), wrapped); !errors.Is(err, ErrMismatch) {
				t.Errorf("%s: another password: %v", wrapped, err)
			}
		}
	}
}

// What is strong, wrapped or no password stays as it is.
func TestWrapKeeps(t *testing.T) {
	p := wrapPolicy(t)
	p.Markers = true
	bcrypt10 := must(Hash(Policy{Algorithm: Bcrypt, Cost: 10}, []byte("secret")))(t)
	wrapped := must(Wrap(p, toyHash("secret", 1)))(t)

	for _, encoded := range []string{bcrypt10, wrapped, argon2ID("v=19", "m=64,t=1,p=1"), scryptPHC("ln=4,r=8,p=1"), "", "!", "!" + goodBcrypt} {
		if got, err := Wrap(p, encoded); got != encoded || err != nil {
			t.Errorf("%q became %q, %v", encoded, got, err)
		}
	}
}

// What can't be wrapped is an error, and none has the hash in its words.
func TestWrapRefuses(t *testing.T) {
	p := wrapPolicy(t)
	stored := toyHash("secret", 1)
	limited := p
	limited.Limits.Time = time.Millisecond
	plain := p
	plain.Formats = nil
	ambiguous := wrapPolicy(t, toy{name: "toy"}, renamed{toy{name: "toy"}, "renamed"})

	const unknown = "can't be wrapped"
	wrong := func(change func(*Computed)) Policy { return wrapPolicy(t, toy{name: "toy", change: change}) }
	blank := func(p *Computed) bool { return !slices.ContainsFunc(p.Sum, func(b byte) bool { return b != 0 }) }

	const bcrypt = "$2b$04$abcdefghijklmnopqrstuu..............................."
	const otherSalt = "$2b$04$bbcdefghijklmnopqrstuu..............................."
	translated := func(whole, blanked string) Policy {
		return wrapPolicy(t, toy{name: "toy", as: func(p *Computed) *Translated {
			switch {
			case blank(p):
				return &Translated{Hash: blanked}
			case whole == "":
				return nil
			}
			return &Translated{Hash: whole, Blank: p.Blank}
		}})
	}

	for name, c := range map[string]struct {
		policy  Policy
		encoded string // if not stored
		want    string
	}{
		"a marker":         {policy: p, encoded: "!", want: ErrMalformed.Error()},
		"a password":       {policy: p, encoded: "hunter2", want: ErrMalformed.Error()},
		"without Formats":  {policy: plain, want: ErrMalformed.Error()},
		"damaged":          {policy: p, encoded: "toy$x$00", want: ErrMalformed.Error()},
		"above the limits": {policy: limited, encoded: goodBcrypt, want: ErrCost.Error()},
		"too long":         {policy: p, encoded: "toy$" + strings.Repeat("0", 500) + stored[4:], want: "want at most 640"},

		"of two makers":         {policy: ambiguous, want: "several forms read this hash, toy, renamed"},
		"a policy of bcrypt":    {policy: cheapest, encoded: goodBcrypt, want: "want argon2id"},
		"a policy without time": {policy: Policy{Algorithm: Argon2id, Memory: 64}, encoded: goodBcrypt, want: "password: "},

		"no Blank":           {policy: wrong(func(p *Computed) { p.Blank = "" }), want: unknown},
		"a long Blank":       {policy: wrong(func(p *Computed) { p.Blank = strings.Repeat("0", 100) }), want: unknown},
		"a Blank with a sum": {policy: wrong(func(p *Computed) { p.Blank = strings.Repeat("01", 32) }), want: unknown},
		"another cost":       {policy: wrong(func(p *Computed) { p.Cost = uint32(p.Sum[0]) }), want: unknown},
		"a longer sum": {policy: wrong(func(p *Computed) {
			if blank(p) {
				p.Sum = make([]byte, 33)
			}
		}), want: unknown},

		"another kind": {policy: translated("", bcrypt), want: unknown},
		"another salt": {policy: translated(otherSalt, bcrypt), want: unknown},
	} {
		t.Run(name, func(t *testing.T) {
			encoded := cmp.Or(c.encoded, stored)
			got, err := Wrap(c.policy, encoded)
			if got != "" || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %v; want %s", got, err, c.want)
			}
			if n := len(encoded); n > 5 && err != nil && strings.Contains(err.Error(), encoded[n/2:]) {
				t.Errorf("the error holds it: %v", err)
			}
		})
	}
}

// renamed is a Format by another name.
type renamed struct {
	Format
	name string
}

func (r renamed) Name() string { return r.name }

// Of a wrapped string that was changed in one byte, the password is not the password, or it can't
// be read.
func TestWrappedIsBound(t *testing.T) {
	p := wrapPolicy(t)
	wrapped := must(Wrap(p, toyHash("secret", 1)))(t)
	p.Limits = Limits{Time: time.Millisecond, Memory: 128 << 10}

	for i := range wrapped {
		for _, c := range "0a$~.=," {
			changed := wrapped[:i] + string(c) + wrapped[i+1:]
			if _, err := Verify(p, []byte("secret"), changed); err == nil && changed != wrapped {
				t.Errorf("%s: a match", changed)
			}
		}
		if _, err := Verify(p, []byte("secret"), wrapped[:i]); err == nil {
			t.Errorf("%s: a match", wrapped[:i])
		}
	}
}

// Both parts are bounded before any work, and a string that still holds its inner sum, takes
// memory inside or is wrapped twice is not read.
func TestWrappedLimits(t *testing.T) {
	p := wrapPolicy(t)
	const head = "$fount-wrap$v=1,form=toy"
	const good = "$argon2id$v=19$m=64,t=1,p=1"
	const sums = "$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY$"
	require.NoError(t, p.Check(head+good+sums+blankToy))

	for name, c := range map[string]struct {
		head, argon2, inner string // if not good
		want                error
	}{
		"4 TiB":              {argon2: "$argon2id$v=19$m=4294967295,t=1,p=1", want: ErrCost},
		"2^32 passes":        {argon2: "$argon2id$v=19$m=64,t=4294967295,p=1", want: ErrCost},
		"cost 31 inside":     {inner: "$2b$31$" + goodBcrypt[7:29] + strings.Repeat(".", 31), want: ErrCost},
		"unknown key":        {argon2: good + ",keyid=azE", want: ErrKey},
		"with the inner sum": {inner: toyHash("secret", 1), want: ErrMalformed},
		"memory inside":      {inner: good + "$MDEyMzQ1Njc4OWFiY2RlZg$" + strings.Repeat("A", 43), want: ErrMalformed},
		"wrapped twice":      {inner: head + good + sums + blankToy, want: ErrMalformed},
		"a marker inside":    {inner: "!", want: ErrMalformed},
		"a password inside":  {inner: "hunter2", want: ErrMalformed},
		"too long":           {inner: strings.Repeat("s", 640) + blankToy, want: ErrMalformed},
		"Django's":           {head: "fount_wrap" + head, want: ErrMalformed},
		"version 2":          {head: "$fount-wrap$v=2", want: ErrMalformed},
		"argon2i":            {argon2: "$argon2i$v=19$m=64,t=1,p=1", want: ErrMalformed},
		"argon2 version 16":  {argon2: "$argon2id$v=16$m=64,t=1,p=1", want: ErrMalformed},
		"Node's order":       {argon2: "$argon2id$v=19$m=64,p=1,t=1", want: ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			encoded := cmp.Or(c.head, head) + cmp.Or(c.argon2, good) + sums + cmp.Or(c.inner, blankToy)
			for _, p.Markers = range []bool{false, true} {
				if err := p.Check(encoded); !errors.Is(err, c.want) {
					t.Errorf("%s: %v; want %v", encoded, err, c.want)
				}
				if _, err := p.Inspect(encoded); errors.Is(c.want, ErrMalformed) != errors.Is(err, ErrMalformed) {
					t.Errorf("Inspect of %s: %v", encoded, err)
				}
			}
		})
	}

	if err := p.Check(head + good + sums); !errors.Is(err, ErrMalformed) {
		t.Errorf("nothing inside: %v", err)
	}

	i, err := p.Inspect(head + good + sums + blankToy)
	if err != nil || i.Algorithm != Argon2id || i.Memory != 64 || i.Wraps != "toy" || i.OverLimits {
		t.Errorf("%+v, %v", i, err)
	}
}

// In a pool a wrapped hash counts and takes the budget's memory as others, and a user who has
// none takes its time too.
func TestPoolWraps(t *testing.T) {
	policy := wrapPolicy(t)
	wrapped := wrappedOf(t, policy, toyHash("secret", 1))
	p := newPool(t, Options{Policy: policy, Stored: []string{wrapped}})
	for i, c := range []struct {
		password, encoded string
		want              error
	}{{"secret", wrapped, nil}, {"other", wrapped, ErrMismatch}, {"other", "", ErrMismatch}} {
		if r, err := p.Verify(t.Context(), Login{}, []byte(c.password), c.encoded); !errors.Is(err, c.want) || r.NeedsRehash != (err == nil) {
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
		if h := p.Stats().Hashes[1]; h.Cost != "wrapped-toy,64" || h.Service.Count() != uint64(i+1) {
			t.Errorf("%+v: counted as %+v", c, h)
		}
	}

	small := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4, Formats: policy.Formats}, Memory: 32 << 10})
	if _, err := small.Verify(t.Context(), Login{}, []byte("x"), wrapped); !errors.Is(err, ErrCost) {
		t.Errorf("64 KiB of 32: %v", err)
	}
}

// wrapped is Wrap's.
func wrappedOf(t *testing.T, p Policy, encoded string) string {
	t.Helper()
	return must(Wrap(p, encoded))(t)
}

// As samples, wrapped hashes are told apart by what is inside, also where argon2id takes most
// of the time.
func TestWrappedSamples(t *testing.T) {
	p := wrapPolicy(t, toy{name: "toy"}, toy{name: "slow"})
	samples := []string{"slow" + toyHash("x", 1)[3:], toyHash("x", 5), toyHash("x", 7), toyHash("y", 5)}
	for _, iterations := range []int{5, 7, 7} {
		samples = append(samples, storedBy(t, Policy{Algorithm: PBKDF2SHA256, Iterations: iterations}))
	}

	for i, s := range samples {
		samples[i] = wrappedOf(t, p, s)
	}
	if n := len(newPool(t, Options{Policy: p, Stored: samples}).samples); n != 6 {
		t.Errorf("%d stages; want the policy's and 5", n)
	}
}

// A caller who leaves ends the inner part, and one that panics is told of.
func TestWrappedInner(t *testing.T) {
	stuck := newStuck()
	compute := stuck.compute
	policy := wrapPolicy(t, toy{name: "toy", change: func(p *Computed) { p.Compute = compute }})
	wrapped := wrappedOf(t, policy, toyHash("p4ssw0rd", 1))
	stuck.leave(t, newPool(t, Options{Policy: policy, Workers: 1}), wrapped)

	compute = func(_, _ []byte, _ func() bool) []byte { panic("p4ssw0rd") }
	if _, err := Verify(policy, []byte("p4ssw0rd"), wrapped); err == nil || errors.Is(err, ErrMismatch) {
		t.Errorf("%v; want that it panicked", err)
	}
}
