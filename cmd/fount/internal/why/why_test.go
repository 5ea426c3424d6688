// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	httppprof "net/http/pprof"
	"reflect"
	"runtime"
	rpprof "runtime/pprof"
	"strings"
	"testing"
	"time"

	"fount"
	"fount/cmd/internal/lab/show"
	"fount/internal/test/require"
	"fount/password"

	"github.com/google/pprof/profile"
)

const (
	handler = "example.com/shop.handle /src/shop/shop.go"
	serve   = "net/http.(*conn).serve /go/src/net/http/server.go"
	uuidNew = "github.com/google/uuid.New /go/pkg/mod/github.com/google/uuid@v1.6.0/version4.go"
)

// nonce is what profiles call fount.Nonce.
var nonce = runtime.FuncForPC(reflect.ValueOf(fount.Nonce).Pointer()).Name()

// A stack is functions with their files, the innermost first, seen so often, at 100 Hz.
type stack struct {
	samples   int64
	functions []string
}

func on(samples int64, functions ...string) stack { return stack{samples, functions} }

// profileOf is a profile of 10 s with these stacks. Line numbers count from 11, from the inside.
func profileOf(stacks ...stack) *profile.Profile {
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		DurationNanos: 10e9,
		Mapping:       []*profile.Mapping{{ID: 1, File: "/srv/shop"}},
	}

	for _, s := range stacks {
		sample := &profile.Sample{Value: []int64{s.samples, s.samples * 1e7}}
		for i, text := range s.functions {
			name, file, _ := strings.Cut(text, " ")
			f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
			l := &profile.Location{ID: f.ID, Mapping: p.Mapping[0], Line: []profile.Line{{Function: f, Line: int64(11 + i)}}}

			p.Function = append(p.Function, f)
			p.Location = append(p.Location, l)
			sample.Location = append(sample.Location, l)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

func written(t testing.TB, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.Bytes()
}

// costs are those of a machine on which fount and a pool cost a quarter.
func costs() *Costs {
	return &Costs{Draw: Change{100, 25}, UUID: Change{160, 32}, Bcrypt: Change{4e6, 1e6}, Share: 1}
}

// Which line is a use, of what, and what to do about it.
func TestUses(t *testing.T) {
	const bcrypt = "golang.org/x/crypto/bcrypt.CompareHashAndPassword"
	for name, c := range map[string]struct {
		stack  stack
		family string
		where  string
		advice string // its start
		saves  float64
	}{
		"read": {
			stack:  on(100, "crypto/rand.Read", handler),
			family: CryptoRand, where: "shop/shop.go:12", advice: "fount.Read, or", saves: 0.075,
		},
		"reader": {
			stack:  on(100, "crypto/rand.(*reader).Read", "encoding/binary.Read /go/src/encoding/binary/binary.go", handler),
			family: CryptoRand, where: "shop/shop.go:13", advice: "fount.Reader in place", saves: 0.075,
		},
		"integer": {
			stack:  on(100, "crypto/rand.Read", "crypto/rand.Int", handler),
			family: CryptoRand, where: "shop/shop.go:13", advice: "fount.IntN", saves: 0.075,
		},
		"prime": {
			stack:  on(100, "math/big.nat.expNN", "crypto/rand.Prime", handler),
			family: CryptoRand, where: "shop/shop.go:13", advice: "keep: what costs",
		},
		"UUID": {
			stack:  on(100, "crypto/rand.Read", uuidNew, handler),
			family: UUID, where: "shop/shop.go:13", advice: "fount.NewUUID()", saves: 0.08,
		},
		"UUID as text": {
			stack:  on(100, "crypto/rand.Read", strings.Replace(uuidNew, "New", "NewString", 1), handler),
			family: UUID, where: "shop/shop.go:13", advice: "fount.NewUUID().String()", saves: 0.08,
		},
		"UUID of time": {
			stack:  on(100, strings.Replace(uuidNew, "New", "NewV7", 1), handler),
			family: UUID, where: "shop/shop.go:12", advice: "fount.NewUUIDv7()", saves: 0.08,
		},
		"UUID by a pool": {
			stack:  on(100, pooledUUID, uuidNew, handler),
			family: UUID, where: "shop/shop.go:13", advice: "keep: EnableRandPool",
		},
		"dependency": {
			stack:  on(100, "crypto/rand.Read", "corp/lib.New /go/pkg/mod/corp/lib@v1.0.0/lib.go", handler),
			family: CryptoRand, where: "shop/shop.go:13", advice: "keep, unless corp/lib takes a Reader",
		},
		"TLS": {
			stack:  on(100, "crypto/internal/fips140/drbg.Read", "crypto/tls.(*Conn).Handshake", serve),
			family: CryptoRand, where: "crypto/tls", advice: "keep: crypto/tls draws for itself",
		},
		"lock": {
			stack:  on(100, "sync.(*Mutex).lockSlow", "math/rand.(*lockedSource).Int63", handler),
			family: MathRand, where: "shop/shop.go:13", advice: "math/rand/v2",
		},
		"fount": {
			stack:  on(100, nonce, handler),
			family: Fount, where: "shop/shop.go:12", advice: "keep: it is fount's",
		},
		"pool": {
			stack:  on(900, reflect.TypeFor[password.Pool]().PkgPath()+".(*scheduler).work"),
			family: Pool, where: "unknown", advice: "keep: it is fount's",
		},
		"bcrypt": {
			stack:  on(100, "crypto/rand.Read", bcrypt, handler),
			family: Bcrypt, where: "shop/shop.go:13", advice: "a password.Pool", saves: 0.075,
		},
		"argon2": {
			stack:  on(100, "golang.org/x/crypto/argon2.IDKey", handler),
			family: Argon2, where: "shop/shop.go:12", advice: "a password.Pool",
		},
		"few logins": {
			stack:  on(20, bcrypt, handler),
			family: Bcrypt, where: "shop/shop.go:12", advice: "keep: they are too few",
		},
		"few draws": {
			stack:  on(1, "crypto/rand.Read", handler),
			family: CryptoRand, where: "shop/shop.go:12", advice: "keep: it is too little",
		},
		"PBKDF2": {
			stack:  on(100, "crypto/pbkdf2.Key[go.shape.interface { Size() int }]", "main.main /src/main.go"),
			family: PBKDF2, where: "src/main.go:12", advice: "a password.Pool",
		},
		"nothing": {stack: on(100, "github.com/google/uuid.Parse", handler)},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Find(profileOf(c.stack, on(1000-c.stack.samples, handler)))
			require.NoError(t, err)
			r.Advise(costs())
			if c.family == "" {
				if len(r.Uses) > 0 {
					t.Errorf("%+v", r.Uses)
				}
				return
			}
			if len(r.Uses) != 1 {
				t.Fatalf("%+v", r.Uses)
			}
			u := r.Uses[0]
			if u.Family != c.family || !strings.HasPrefix(u.where(), c.where) || !strings.HasPrefix(u.Advice, c.advice) || math.Abs(u.Saves-c.saves) > 1e-9 {
				t.Errorf("%+v at %s, want %+v", u, u.where(), c)
			}
			if !(u.Low < u.Share && u.Share < u.High) {
				t.Errorf("share %v, %v to %v", u.Share, u.Low, u.High)
			}
			if text := r.Text(show.Style{Width: 80}); !strings.Contains(text, "(1) "+c.family) {
				t.Errorf("the text is\n%s", text)
			}
		})
	}
}

// A machine on which fount costs as much is told to keep what it has.
func TestNoGain(t *testing.T) {
	r, err := Find(profileOf(on(100, "crypto/rand.Read", handler)))
	require.NoError(t, err)
	r.Advise(&Costs{Draw: Change{100, 99}, Share: 1})
	if u := r.Uses[0]; u.Saves != 0 || !strings.HasPrefix(u.Advice, "keep") {
		t.Errorf("%+v", u)
	}
}

func TestMeasure(t *testing.T) {
	c := Measure()
	for name, change := range map[string]Change{"draw": c.Draw, "UUID": c.UUID, "bcrypt": c.Bcrypt} {
		if !(change.From > 0 && change.To > 0) {
			t.Errorf("%s: %+v", name, change)
		}
	}
	if c.Bcrypt.From < 1e5 || c.Draw.From > 1e5 {
		t.Errorf("%+v", c)
	}
}

func TestRead(t *testing.T) {
	squeezed := func(s string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, s)
		z.Close()
		return b.String()
	}
	var heap bytes.Buffer
	require.NoError(t, rpprof.Lookup("heap").WriteTo(&heap, 0))
	good := string(written(t, profileOf(on(1, handler))))
	const notPprof = "it is no profile of pprof"
	for name, c := range map[string]struct{ in, err string }{
		"good":                  {in: good},
		"nothing ran":           {in: string(written(t, profileOf())), err: "it holds no sample: the program used no CPU time meanwhile"},
		"heap":                  {in: heap.String(), err: "it is a profile of alloc_objects, alloc_space, inuse_objects, inuse_space; a CPU profile is wanted"},
		"text":                  {in: "what", err: notPprof},
		"empty":                 {err: notPprof},
		"larger than it looks":  {in: squeezed(strings.Repeat("\x00", mostProfile+1)), err: "it is larger than 64 MiB"},
		"twice compressed":      {in: squeezed(good), err: notPprof},
		"cut":                   {in: good[:len(good)/2], err: notPprof},
		"more than an int64 is": {in: string(written(t, profileOf(on(1<<39, handler), on(1<<39, handler))))},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := read(strings.NewReader(c.in))
			if err == nil {
				_, err = Find(p)
			}
			if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%v, want %q", err, c.err)
			}
		})
	}
}

func TestFetch(t *testing.T) {
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked = r.URL.String(); r.URL.Path {
		case "/debug/pprof/profile":
			w.Write(written(t, profileOf(on(1, handler))))
		case "/moved/debug/pprof/profile":
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		case "/busy/debug/pprof/profile":
			httppprof.Profile(w, r)
		case "/closed/debug/pprof/profile":
			http.Error(w, "\x1b[2Jno\nmore", http.StatusForbidden)
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	for _, at := range []string{s.URL, s.URL + "/", s.URL + "/debug/pprof", s.URL + "/debug/pprof/profile?seconds=99"} {
		if p, err := fetch(t.Context(), at, 2500*time.Millisecond); err != nil || len(p.Sample) != 1 || asked != "/debug/pprof/profile?seconds=3" {
			t.Errorf("%s: %v, asked for %s", at, err, asked)
		}
	}
	if rpprof.StartCPUProfile(io.Discard) == nil { // else go test -cpuprofile has
		defer rpprof.StopCPUProfile()
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for at, want := range map[string]string{
		s.URL + "/shop": "404 Not Found", s.URL + "/moved": "302 Found", "http://:0": "connect", "http://": "is not a URL",
		s.URL + "/busy":   `500 Internal Server Error: "Could not enable CPU profiling: cpu profiling already in use"`,
		s.URL + "/closed": `403 Forbidden: "\x1b[2Jno"`,
		strings.Replace(s.URL, "//", "//user:secret@", 1) + "/x": "user:xxxxx@",
	} {
		if _, err := fetch(t.Context(), at, time.Second); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", at, err, want)
		}
	}
	if _, err := fetch(ended, s.URL, time.Second); err == nil {
		t.Error("an interrupt does not end it")
	}
}

// Of any profile shares are shares, and each use has advice.
func FuzzRead(f *testing.F) {
	f.Add(written(f, profileOf(on(30, "crypto/rand.Read", uuidNew, handler), on(70, handler))))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := read(bytes.NewReader(b))
		if err != nil {
			return
		}
		r, err := Find(p)
		if err != nil {
			return
		}
		r.Advise(costs())
		sum := 0.0
		for _, u := range r.Uses {
			if sum += u.Share; !(u.Share >= 0 && u.Saves <= u.Share) || u.Advice == "" {
				t.Errorf("%+v", u)
			}
		}
		if sum > 1+1e-6 {
			t.Errorf("%+v", r)
		}
	})
}
