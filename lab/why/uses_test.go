// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Tests of what is counted as what, and of what is advised, with made-up stacks and costs.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fount/lab/nonce"
	"time"

	"fount/lab/measure"
)

func TestFamilies(t *testing.T) {
	for function, want := range map[string]string{
		"crypto/rand.Read":                                     CryptoRand,
		"crypto/rand.(*reader).Read":                           CryptoRand,
		"crypto/internal/sysrand.Read":                         CryptoRand,
		"crypto/internal/fips140/drbg.Read":                    CryptoRand,
		"golang.org/x/sys/unix.Getrandom":                      Getrandom,
		"golang.org/x/sys/unix.Getpid":                         "",
		"__x64_sys_getrandom":                                  Getrandom,
		"urandom_read_iter":                                    Urandom,
		"math/rand.(*lockedSource).Int63":                      MathRand,
		"math/rand.(*Rand).Int63":                              "",
		"math/rand/v2.Uint64":                                  "",
		"github.com/google/uuid.NewString":                     UUID,
		"github.com/google/uuid.Parse":                         "",
		"github.com/google/uuid.MustParse":                     "",
		"github.com/google/uuid.NewSHA1":                       "",
		"github.com/google/uuid.NewUUID":                       "",
		"github.com/google/uuid.NewV7":                         UUID,
		"github.com/gofrs/uuid/v5.NewV5":                       "",
		"github.com/gofrs/uuid/v5.(*Gen).NewV1":                "",
		"github.com/hashicorp/go-uuid.GenerateUUID":            UUID,
		"github.com/hashicorp/go-uuid.GenerateRandomBytes":     "",
		"github.com/segmentio/ksuid.NewRandomWithTime":         UUID,
		"github.com/gofrs/uuid/v5.(*Gen).NewV4":                UUID,
		"golang.org/x/crypto/bcrypt.CompareHashAndPassword":    Bcrypt,
		"golang.org/x/crypto/argon2.IDKey":                     Argon2,
		"golang.org/x/crypto/scrypt.Key":                       Scrypt,
		"crypto/pbkdf2.Key[go.shape.interface { Size() int }]": PBKDF2,
		"fount.Nonce":                                          Fount,
		"fount/password.(*Pool).Verify":                        Pool,
		"fount/password/internal/sched.(*Scheduler).run":       Pool,
		"fountain.New":                                         "",
		"main.main":                                            "",
		"":                                                     "",
		"[vdso]":                                               "",
		"example.com/crypto/rand.Read":                         "",
		"gopkg.in/yaml%2ev3.Marshal":                           "",
	} {
		if got := familyOf(function); got != want {
			t.Errorf("familyOf(%q) = %q, want %q", function, got, want)
		}
	}
}

// stack is functions, innermost first, with the file of the caller's module where there is one.
func stack(samples int64, functions ...string) Stack {
	s := Stack{Seconds: float64(samples) / 100, Samples: samples}
	for i, f := range functions {
		name, file, _ := strings.Cut(f, " ")
		s.Frames = append(s.Frames, Frame{name, file, 10 + i})
	}
	return s
}

const (
	handler = "example.com/shop.handle /src/shop/shop.go"
	serve   = "net/http.(*conn).serve /usr/go/src/net/http/server.go"
)

func TestSites(t *testing.T) {
	for name, test := range map[string]struct {
		stack         Stack
		family, call  string
		site, through string
		own           bool
	}{
		"direct":            {stack(1, "crypto/internal/sysrand.Read", "crypto/rand.Read", handler, serve), CryptoRand, "crypto/rand.Read", "example.com/shop.handle", "", true},
		"salt":              {stack(1, "crypto/rand.Read", "golang.org/x/crypto/bcrypt.newFromPassword", "golang.org/x/crypto/bcrypt.GenerateFromPassword", handler), Bcrypt, "golang.org/x/crypto/bcrypt.GenerateFromPassword", "example.com/shop.handle", "", true},
		"reader":            {stack(1, "crypto/rand.(*reader).Read", "io.ReadAtLeast", "encoding/binary.Read", handler), CryptoRand, "crypto/rand.(*reader).Read", "example.com/shop.handle", "encoding/binary.Read", true},
		"dependency":        {stack(1, "crypto/rand.Read", "github.com/x/sessions.New /go/pkg/mod/github.com/x/sessions@v1.2.0/s.go", handler), CryptoRand, "crypto/rand.Read", "example.com/shop.handle", "github.com/x/sessions.New", true},
		"vendored":          {stack(1, "crypto/rand.Read", "github.com/x/sessions.New /src/shop/vendor/github.com/x/sessions/s.go", handler), CryptoRand, "crypto/rand.Read", "example.com/shop.handle", "github.com/x/sessions.New", true},
		"only a dependency": {stack(1, "crypto/rand.Read", "github.com/x/q.work /go/pkg/mod/github.com/x/q@v1.2.0/s.go", "runtime.goexit"), CryptoRand, "crypto/rand.Read", "github.com/x/q.work", "", false},
		"standard":          {stack(1, "crypto/internal/fips140/drbg.Read", "crypto/tls.(*Conn).Handshake", serve), CryptoRand, "crypto/internal/fips140/drbg.Read", "crypto/tls.(*Conn).Handshake", "crypto/tls.(*Conn).Handshake", false},
		"nobody":            {stack(1, "getrandom"), Getrandom, "getrandom", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Of(&Profile{Stacks: []Stack{test.stack}})
			if err != nil || len(r.Uses) != 1 {
				t.Fatalf("%v, %v; want one use", r, err)
			}
			u := r.Uses[0]
			if u.Family != test.family || u.Call != test.call || u.Site.Func != test.site || u.Through != test.through || u.Site.Own != test.own {
				t.Errorf("%+v", u)
			}
		})
	}
}

func TestShares(t *testing.T) {
	p := &Profile{
		Elapsed: 2e9,
		Stacks: []Stack{
			stack(30, "crypto/rand.Read", "github.com/google/uuid.New", handler),
			stack(20, "runtime.mallocgc", "github.com/google/uuid.New", handler),
			stack(10, "sync.(*Mutex).lockSlow", "math/rand.(*lockedSource).Int63", handler),
			stack(20, "runtime.mallocgc", handler),
			stack(20, "runtime.scanobject", "runtime.gcBgMarkWorker"),
			stack(100, handler),
		},
	}
	r, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	if r.Samples != 200 || math.Abs(r.CPUSeconds-2) > 1e-9 || math.Abs(r.Cores-1) > 1e-9 {
		t.Fatalf("%+v", r)
	}
	id, lock := r.Uses[0], r.Uses[1]
	for what, pair := range map[string][2]float64{
		"UUID":                {id.Share, 0.5 / 2},
		"its drawing":         {id.Drawing, 0.3 / 2},
		"half of the garbage": {id.Garbage, 0.1 / 2},
		"lock":                {lock.Locks, 0.1 / 2},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if id.Low >= id.Share || id.High <= id.Share || id.Low < 0.15 || id.High > 0.35 {
		t.Errorf("interval %v to %v around %v", id.Low, id.High, id.Share)
	}
}

func TestNothingRan(t *testing.T) {
	if r, err := Of(&Profile{}); err != ErrEmpty {
		t.Errorf("%v, %v; want ErrEmpty", r, err)
	}
}

// costs are those of a machine on which fount costs a quarter of crypto/rand, and 64 bytes a half.
func costs() *Costs {
	return &Costs{
		Draw: Change{100, 25, 0.25, 0.2, 0.3}, Long: Change{200, 100, 0.5, 0.45, 0.55}, UUID: Change{160, 32, 0.2, 0.15, 0.25},
		UUIDText: Change{300, 90, 0.3, 0.25, 0.35}, Use: "fount", Rounds: 31, Lanes: 4, HashMS: 50,
	}
}

func TestVerdicts(t *testing.T) {
	busy := stack(900, handler)
	slow := costs()
	slow.Use = CryptoRand
	only := costs()
	only.Use = nonce.Strict().Name
	for name, test := range map[string]struct {
		stacks []Stack
		costs  *Costs
		do     string
		saves  float64
		says   []string // in the sentences
		advice string
	}{
		"uuid":               {[]Stack{busy, stack(100, "crypto/rand.Read", "github.com/google/uuid.New", handler)}, costs(), Replace, 0.08, []string{"uuid.New", "shop/shop.go:12", "fount.NewUUID()"}, ""},
		"text":               {[]Stack{busy, stack(100, "crypto/rand.Read", "github.com/google/uuid.NewString", handler)}, costs(), Replace, 0.07, []string{"fount.NewUUID().String()"}, ""},
		"UUID by time":       {[]Stack{busy, stack(100, "crypto/rand.Read", "github.com/google/uuid.NewV7", handler)}, costs(), Replace, 0.08, []string{"use fount.NewUUIDv7()"}, ""},
		"read":               {[]Stack{busy, stack(100, "crypto/rand.Read", handler)}, costs(), Replace, 0.075, []string{"crypto/rand.Read", "fount.Read"}, ""},
		"reader":             {[]Stack{busy, stack(100, "crypto/rand.(*reader).Read", "encoding/binary.Read", handler)}, costs(), Replace, 0.075, []string{"encoding/binary.Read", "fount.Reader"}, ""},
		"prime":              {[]Stack{busy, stack(100, "math/big.nat.expNN", "crypto/rand.Prime", handler)}, costs(), Nothing, 0, []string{"Nothing to gain"}, "keep: what costs is the search"},
		"strict integer":     {[]Stack{busy, stack(100, "crypto/rand.Read", "crypto/rand.Int", handler)}, only, Replace, 0.075, []string{"use fount.IntN."}, ""},
		"strict text":        {[]Stack{busy, stack(100, "crypto/rand.Read", "crypto/rand.Text", handler)}, only, Replace, 0.075, []string{"use fount.Text()."}, ""},
		"strict read":        {[]Stack{busy, stack(100, "crypto/rand.Read", handler)}, only, Replace, 0.075, []string{"use fount.Strict{}.Read, or"}, ""},
		"strict reader":      {[]Stack{busy, stack(100, "crypto/rand.(*reader).Read", "encoding/binary.Read", handler)}, only, Replace, 0.075, []string{"fount.Strict{} in place"}, ""},
		"little":             {[]Stack{stack(9990, handler), stack(10, "crypto/rand.Read", handler)}, costs(), Nothing, 0, []string{"Nothing to gain"}, ""},
		"none":               {[]Stack{busy}, nil, Nothing, 0, []string{"Nothing to gain", "no sample of 900"}, ""},
		"TLS":                {[]Stack{busy, stack(100, "crypto/internal/fips140/drbg.Read", "crypto/tls.(*Conn).Handshake", serve)}, costs(), Nothing, 0, []string{"Nothing to gain"}, "keep: crypto/tls draws it"},
		"fount is no better": {[]Stack{busy, stack(100, "crypto/rand.Read", handler)}, slow, Nothing, 0, []string{"Nothing to gain"}, "saves nothing on this machine"},
		"spread already":     {[]Stack{busy, stack(100, "github.com/google/uuid.newRandomFromPool", "github.com/google/uuid.New", handler)}, costs(), Nothing, 0, nil, "EnableRandPool"},
		"fount":              {[]Stack{busy, stack(100, "fount.Nonce", handler)}, nil, Nothing, 0, []string{"Nothing to gain"}, "it is fount's"},
		"pool":               {[]Stack{busy, stack(900, "fount/password.(*Pool).Verify", handler)}, nil, Nothing, 0, []string{"Nothing to gain"}, "it is fount's"},
		"lock":               {[]Stack{busy, stack(100, "sync.(*Mutex).lockSlow", "math/rand.(*lockedSource).Int63", handler)}, nil, Replace, 0.1, []string{"math/rand/v2"}, ""},
		"bcrypt":             {[]Stack{busy, stack(900, "golang.org/x/crypto/bcrypt.CompareHashAndPassword", handler)}, costs(), Bound, 0.375, []string{"Put a pool before bcrypt.CompareHashAndPassword at shop/shop.go:11"}, ""},
		"argon2":             {[]Stack{busy, stack(900, "golang.org/x/crypto/argon2.IDKey", handler)}, nil, Bound, 0, []string{"Put a pool before argon2.IDKey"}, ""},
		"few logins":         {[]Stack{busy, stack(15, "golang.org/x/crypto/bcrypt.CompareHashAndPassword", handler)}, costs(), Nothing, 0, []string{"no pool is needed"}, ""},
		"both":               {[]Stack{busy, stack(900, "golang.org/x/crypto/bcrypt.CompareHashAndPassword", handler), stack(200, "crypto/rand.Read", handler)}, costs(), Both, 0.4125, []string{"Put a pool", "Replace"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Of(&Profile{Stacks: test.stacks, Elapsed: 10e9})
			if err != nil {
				t.Fatal(err)
			}
			r.Judge(test.costs, 2)
			v := r.Verdict
			if v.Do != test.do || math.Abs(v.Saves-test.saves) > 1e-9 || v.Least > v.Saves || v.Most < v.Saves {
				t.Errorf("%+v; want %s, %v", v, test.do, test.saves)
			}
			for _, part := range test.says {
				if !strings.Contains(strings.Join(v.Sentences, " "), part) {
					t.Errorf("%q does not say %q", v.Sentences, part)
				}
			}
			if test.advice != "" && !slices.ContainsFunc(r.Uses, func(u Use) bool { return strings.Contains(u.Advice, test.advice) }) {
				t.Errorf("%+v: nothing advises %q", r.Uses, test.advice)
			}
		})
	}
}

// What can be saved is never more than all, whatever few samples leave open.
func TestSavesAtMostAll(t *testing.T) {
	p := &Profile{Stacks: []Stack{stack(3, "runtime.mallocgc", "github.com/google/uuid.NewString", handler), stack(6, "runtime.gcBgMarkWorker")}}
	for i := range 20 {
		p.Stacks = append(p.Stacks, stack(1, "crypto/rand.Read", fmt.Sprintf("main.f%d", i)))
	}
	for _, p := range []*Profile{p, {Stacks: p.Stacks[:2]}} {
		r, err := Of(p)
		if err != nil {
			t.Fatal(err)
		}
		r.Judge(costs(), 2)
		if v := r.Verdict; v.Do != Replace || v.Most > 1 || r.Uses[0].Most > 1 {
			t.Errorf("%+v", v)
		}
	}
}

// A program that may use one of 64 cores, and hashes all of that time, makes the rest of itself late.
func TestPoolOnOneOfManyCores(t *testing.T) {
	for ms, do := range map[float64]string{1: Nothing, 900: Bound} {
		r, err := Of(&Profile{
			Elapsed: 10e9, Stacks: []Stack{stack(1000, "golang.org/x/crypto/argon2.IDKey", handler)}, Lateness: &Lateness{P99MS: ms},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Judge(nil, 64); r.Verdict.Do != do {
			t.Errorf("%v ms late: %+v, want %s", ms, r.Verdict, do)
		}
	}
}

// What is measured is what a verdict would use.
func TestWants(t *testing.T) {
	for name, test := range map[string]struct {
		stacks        []Stack
		draws, hashes bool
	}{
		"nothing": {[]Stack{stack(9000, handler)}, false, false},
		"draws":   {[]Stack{stack(100, "crypto/rand.Read", handler)}, true, false},
		"bcrypt":  {[]Stack{stack(100, "golang.org/x/crypto/bcrypt.CompareHashAndPassword", handler)}, false, true},
		"argon2":  {[]Stack{stack(100, "golang.org/x/crypto/argon2.IDKey", handler)}, false, false},
	} {
		r, err := Of(&Profile{Stacks: test.stacks})
		if err != nil {
			t.Fatal(err)
		}
		if draws, hashes := r.Wants(); draws != test.draws || hashes != test.hashes {
			t.Errorf("%s: %v, %v; want %v, %v", name, draws, hashes, test.draws, test.hashes)
		}
	}
}

// The rate is the CPU time in crypto/rand by the cost of a draw: 1 s of 10 s, at 100 ns each, is a million a second.
func TestRate(t *testing.T) {
	r, err := Of(&Profile{Elapsed: 10e9, Stacks: []Stack{stack(900, handler), stack(100, "crypto/rand.Read", handler)}})
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(costs(), 2)
	if u := r.Uses[0]; math.Abs(u.PerSecond-1e6) > 1 || !(u.PerLow < 5e5 && u.PerHigh > 1.1e6) {
		t.Errorf("%v (%v to %v) draws a second", u.PerSecond, u.PerLow, u.PerHigh)
	}
}

// All that a verdict uses is measured, here in turns of microseconds.
func TestMeasureDraws(t *testing.T) {
	c := new(Costs)
	plan := measure.Plan{Rounds: 8, Turn: 50 * time.Microsecond, Warmup: 10 * time.Microsecond}
	if err := c.MeasureDraws(plan, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]Change{"16": c.Draw, "64": c.Long, "UUID": c.UUID, "text": c.UUIDText} {
		if !(change.From > 0 && change.To > 0 && change.Low > 0 && change.Low <= change.Ratio && change.Ratio <= change.High) {
			t.Errorf("%s: %+v", name, change)
		}
	}
	if c.Rounds < 8 || c.Use == "" {
		t.Errorf("%+v", c)
	}
}
