// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What the parsers do with strings that nobody writes. Bytes are measured; no guard's formula is
// believed.

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"fount/internal/test/parsertest"
	"fount/password"
)

// shapes is how errors describe the forms.
var shapes = sync.OnceValue(func() (all string) {
	for _, f := range compiled() {
		for _, p := range f.patterns {
			all += p.shape + "\n"
		}
	}
	return all
})

// target is the target of a form.
func target(f password.Format) parsertest.Target {
	g := parsertest.Target{Name: f.Name(), Bytes: 2 << 10, Known: shapes()}
	g.Parse = func(s string) (any, error) { return f.Parse(s) }
	g.Check = func(t testing.TB, s string, value any, err error) bool {
		if err != nil && value != nil {
			t.Errorf("%s: %q: %+v and %v", f.Name(), s, value, err)
		}
		if parsed, ok := value.(*password.Computed); ok && err == nil {
			checkComputed(t, f.Name(), s, parsed)
		}
		return err == nil && value != nil && len(s) <= 640
	}
	g.Compute = func(t testing.TB, s string) {
		switch parsed, _ := f.Parse(s); parsed := parsed.(type) {
		case *password.Computed:
			checkMemory(t, f.Name(), s, parsed)
		case *password.Translated:
			checkTranslated(t, f.Name(), s, parsed)
		}
	}
	return g
}

// checkComputed checks what Verify relies on.
func checkComputed(t testing.TB, name, s string, p *password.Computed) {
	short, long := p.Time(1), p.Time(1024)
	if p.Compute == nil || len(p.Sum) < 16 || short <= 0 || long < short || p.Memory < 0 {
		t.Errorf("%s: %q: %+v, %v for a byte and %v for 1024", name, s, p, short, long)
	}
}

// some is what their functions may allocate beside Memory, for a password of some bytes.
const some = 128 << 10

// checkMemory computes what takes little, and measures that it allocates no more than Memory.
func checkMemory(t testing.TB, name, s string, p *password.Computed) {
	given := []byte("p4ssw0rd")
	if p.Time(len(given)) > time.Millisecond || p.Memory > 1<<20 {
		return
	}
	memory := make([]byte, p.Memory)
	var sum []byte
	bytes := parsertest.Allocated(some, func() { sum = p.Compute(given, memory, func() bool { return true }) })
	if sum == nil || len(sum) != len(p.Sum) || bytes > some {
		t.Errorf("%s: %q, computed: %d bytes for a sum of %d; allocated %d beside its memory of %d", name, s, len(sum), len(p.Sum), bytes, p.Memory)
	}
}

// checkTranslated verifies a hash that package password computes, where that is cheap. No password
// is right by chance.
func checkTranslated(t testing.TB, name, s string, p *password.Translated) {
	if p.Prepare != nil {
		if bytes := parsertest.Allocated(some, func() { p.Prepare([]byte("p4ssw0rd")) }); bytes > some {
			t.Errorf("%s: %q: to prepare a password allocates %d bytes", name, s, bytes)
		}
	}
	policy := anyPolicy()
	policy.Limits = password.Limits{Time: time.Millisecond, Memory: 64 << 10}
	var err error
	bytes := parsertest.Allocated(some, func() { _, err = password.Verify(policy, []byte("no user's password"), s) })
	if err == nil || bytes > 128<<10 || parsertest.Tells(err.Error(), s, shapes()) {
		t.Errorf("%s: %q: %v, and %d bytes", name, s, err, bytes)
	}
}

// project is a FirebaseProject, and saltedDigest a Digest, with a salt before its sum, where it may
// be anything.
func project() password.Format {
	f, err := FirebaseProject(readme)
	if err != nil {
		panic(err)
	}
	return f
}

func saltedDigest() password.Format {
	f, err := Digest("digest", "{salt}:{sha256({salt}{password}{salt}):hex}")
	if err != nil {
		panic(err)
	}
	return f
}

// policyTarget is the target of a policy with all forms: what it reads within the default Limits,
// and what it refuses, allocates little.
func policyTarget(t testing.TB) parsertest.Target {
	g := parsertest.Target{Name: "Check", Seeds: append(slices.Clone(bombs), unread...), Bytes: 12 << 10, Known: shapes()}
	for _, v := range readVectors(t) {
		g.Seeds = append(g.Seeds, v.encoded)
	}
	policy := anyPolicy()
	g.Parse = func(s string) (any, error) { return nil, policy.Check(s) }
	g.Check = func(t testing.TB, s string, _ any, err error) bool {
		if err != nil && !errors.Is(err, password.ErrMalformed) && !errors.Is(err, password.ErrCost) && !errors.Is(err, password.ErrKey) {
			t.Errorf("%q: %v", s, err)
		}
		return err == nil
	}
	return g
}

// FuzzForms tries each string as every form.
func FuzzForms(f *testing.F) {
	for _, s := range policyTarget(f).Seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, form := range append(whole(), project(), saltedDigest()) {
			target(form).Try(t, s)
		}
	})
}

func FuzzCheck(f *testing.F) {
	f.Add("$firescrypt$ln=L") // as the error's text does
	policyTarget(f).Fuzz(f)
}
