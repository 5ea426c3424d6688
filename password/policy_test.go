// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fount/internal/test/require"
)

// The figures of OWASP's Password Storage Cheat Sheet (OWASP/CheatSheetSeries as
// of 2026-08-17), as stored hashes write them.
func TestOWASP(t *testing.T) {
	for text, want := range map[string]string{
		"argon2id,m=47104,t=1": "$argon2id$v=19$m=47104,t=1,p=1$",
		"argon2id":             "$argon2id$v=19$m=19456,t=2,p=1$",
		"argon2id,m=12288,t=3": "$argon2id$v=19$m=12288,t=3,p=1$",
		"argon2id,m=9216,t=4":  "$argon2id$v=19$m=9216,t=4,p=1$",
		"argon2id,m=7168,t=5":  "$argon2id$v=19$m=7168,t=5,p=1$",
		"scrypt":               "$scrypt$ln=17,r=8,p=1$",
		"scrypt,ln=16,p=2":     "$scrypt$ln=16,r=8,p=2$",
		"scrypt,ln=15,p=3":     "$scrypt$ln=15,r=8,p=3$",
		"scrypt,ln=14,p=5":     "$scrypt$ln=14,r=8,p=5$",
		"scrypt,ln=13,p=10":    "$scrypt$ln=13,r=8,p=10$",
		"bcrypt":               "$2b$10$",
		"pbkdf2-sha256":        "$pbkdf2-sha256$600000$",
		"pbkdf2-sha512":        "$pbkdf2-sha512$220000$",
	} {
		var p Policy
		if err := p.UnmarshalText([]byte(text)); err != nil {
			t.Error(err)
		}
		if !slices.Contains(owasp, p) {
			t.Errorf("%s is none of OWASP's", text)
		}

		j, err := p.hashJob([]byte("x"))
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}

		encoded := j.text(j.storedSum)
		if !strings.HasPrefix(encoded, want) {
			t.Errorf("%s, want %s", encoded, want)
		}
		if i, err := (Policy{}).Inspect(encoded); err != nil || i.OverLimits || i.BelowOWASP {
			t.Errorf("%s: %+v, %v", want, i, err)
		}
		if NeedsRehash(p, encoded) {
			t.Errorf("%s needs a rehash by the policy it was made by", want)
		}
	}

	if len(owasp) != 13 {
		t.Errorf("%d policies; this test knows 13", len(owasp))
	}
}

// cheapOnes are the cheapest policies of each algorithm.
func cheapOnes() []Policy {
	return []Policy{
		{Algorithm: Bcrypt, Cost: 4},
		{Algorithm: Argon2id, Memory: 16, Iterations: 1, Parallelism: 2},
		{Algorithm: Argon2i, Memory: 8, Iterations: 2},
		{Algorithm: Argon2d, Memory: 9, Iterations: 1},
		{Algorithm: Scrypt, Cost: 2, Parallelism: 2},
		{Algorithm: PBKDF2SHA256, Iterations: 2},
		{Algorithm: PBKDF2SHA512, Iterations: 1},
	}
}

func TestBadPolicies(t *testing.T) {
	for name, test := range map[string]struct {
		p    Policy
		want string
	}{
		"cost alone":        {Policy{Cost: 12}, "no Algorithm"},
		"first that is not": {Policy{Algorithm: Algorithm(len(algorithms))}, "want one of this package's"},
		"bcrypt cost 3":     {Policy{Algorithm: Bcrypt, Cost: 3}, "4 to 31"},
		"no cost":           {Policy{Algorithm: Scrypt}, "log2 N from 1"},
		"no iterations":     {Policy{Algorithm: PBKDF2SHA256}, "1 or more iterations"},
		"r·p":               {Policy{Algorithm: Scrypt, Cost: 14, BlockSize: math.MaxInt32, Parallelism: math.MaxInt32}, "below 2^30"},
		"bcrypt cost 32":    {Policy{Algorithm: Bcrypt, Cost: 32}, "4 to 31"},
		"negative":          {Policy{Algorithm: PBKDF2SHA256, Iterations: -1}, "cost of -1"},
		"no passes":         {Policy{Algorithm: Argon2id, Memory: 64}, "argon2"},
		"memory below 8p":   {Policy{Algorithm: Argon2id, Memory: 31, Iterations: 1, Parallelism: 4}, "at least 8 for each of 4 lanes"},
		"empty ring":        {Policy{Algorithm: Bcrypt, Cost: 4, Keys: &KeyRing{}}, "without keys"},
		"above own limits":  {Policy{Algorithm: Bcrypt, Cost: 12, Limits: Limits{Time: 200 * time.Millisecond}}, "bcrypt takes about 216ms, the limit is 200ms"},
		"above limits":      {Policy{Algorithm: Argon2id, Memory: 2 << 20, Iterations: 1}, "needs 2147483648 bytes, the limit is 1073741824"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Hash(test.p, []byte("x")); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Hash: %v; want one that says %q", err, test.want)
			}
			if test.p.Check("") == nil {
				t.Error("an unknown user of it is admitted")
			}
			if !NeedsRehash(test.p, goodBcrypt) {
				t.Error("NeedsRehash is false")
			}
		})
	}

	if err := (Policy{Algorithm: Bcrypt, Cost: 3}).Check(goodBcrypt); err != nil {
		t.Errorf("a policy that can't be followed verifies all the same: %v", err)
	}

	above := Policy{Algorithm: PBKDF2SHA256, Iterations: math.MaxInt&^math.MaxUint32 | 1000}
	if err := above.Check(""); (err == nil) != (strconv.IntSize == 32) {
		t.Errorf("%d iterations: %v; want an error above 32 bits", above.Iterations, err)
	}

	p := Policy{Algorithm: Bcrypt, Cost: 17, Limits: Limits{Time: 7 * time.Second}}
	if _, err := p.hashJob([]byte("x")); err != nil {
		t.Errorf("cost 16 with a limit of 16: %v", err)
	}
}

func TestKeyRing(t *testing.T) {
	secret := bytes.Repeat([]byte{1}, 32)
	for name, keys := range map[string][]Key{
		"empty ID":      {{"", secret}},
		"long ID":       {{"123456789", secret}},
		"blank in ID":   {{"a b", secret}},
		"not ASCII":     {{"é", secret}},
		"short secret":  {{"a", secret[:15]}},
		"no secret":     {{"a", nil}},
		"long secret":   {{"a", make([]byte, 129)}},
		"ID twice":      {{"a", secret}, {"a", secret}},
		"former is bad": {{"a", secret}, {"b", nil}},
	} {
		if _, err := NewKeyRing(keys[0], keys[1:]...); err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.Contains(err.Error(), string(secret)) {
			t.Errorf("%s: the error holds the secret", name)
		}
	}

	long := make([]byte, 128)
	long[127] = 7
	r := ring(t, Key{"!~aZ09+/", secret}, Key{"b", long})
	clear(secret) // the ring has its own

	if got, ok := r.lookup("!~aZ09+/"); !ok || !bytes.Equal(got, bytes.Repeat([]byte{1}, 32)) {
		t.Errorf("current: %x, %v", got, ok)
	}
	if got, ok := r.lookup("b"); !ok || !bytes.Equal(got, long) {
		t.Errorf("former: %x, %v", got, ok)
	}
	if _, ok := r.lookup("c"); ok {
		t.Error("a key that is not there was found")
	}
}

// Two policies are equal if they mean the same, with other rings of the same keys too.
func TestEqual(t *testing.T) {
	a, b, c := Key{"a", make([]byte, 16)}, Key{"b", make([]byte, 16)}, Key{"a", bytes.Repeat([]byte{1}, 16)}
	one := new(Formats)
	other := new(Formats)
	full := Default()
	full.BlockSize = 8
	full.Limits = Limits{5 * time.Second, 1 << 30}

	all := [][]Policy{ // those of a line are equal, and no others
		{{}, Default(), full},
		{{Algorithm: Scrypt, Cost: 17}, {Algorithm: Scrypt, Cost: 17, BlockSize: 8, Parallelism: 1}},
		{{Algorithm: Scrypt, Cost: 16}}, {{Algorithm: Bcrypt, Cost: 17}}, {{Cost: 17}},
		{{Limits: Limits{Time: time.Second}}}, {{Limits: Limits{Memory: 1 << 20}}}, {{Markers: true}},
		{{Formats: one}}, {{Formats: other}},
		{{Keys: ring(t, a)}, {Keys: ring(t, Key{"a", make([]byte, 16)})}},
		{{Keys: ring(t, b)}}, {{Keys: ring(t, c)}}, {{Keys: ring(t, Key{"a", make([]byte, 17)})}},
		{{Keys: ring(t, a, b)}}, {{Keys: ring(t, b, a)}}, {{Keys: ring(t, b, c)}},
	}

	for i, some := range all {
		for j, others := range all {
			for _, p := range some {
				for _, q := range others {
					if p.Equal(q) != (i == j) {
						t.Errorf("%d and %d: %+v, %+v", i, j, p, q)
					}
				}
			}
		}
	}
}

func TestInspect(t *testing.T) {
	for encoded, want := range map[string]Info{
		goodBcrypt: {
			Algorithm: Bcrypt, Variant: "2b", Cost: 5, SaltLen: 16, SumLen: 23, Truncates: true, BelowOWASP: true,
		},
		"$2y$31$" + goodBcrypt[7:]: {
			Algorithm: Bcrypt, Variant: "2y", Cost: 31, SaltLen: 16, SumLen: 23, Truncates: true, OverLimits: true,
		},
		"$fount-bcrypt$v=1$r=10,keyid=azE$" + fountSums: {
			Algorithm: Bcrypt, PreHash: "HMAC-SHA-384", KeyID: "k1", Cost: 10, SaltLen: 16, SumLen: 23,
		},
		"$bcrypt-sha256$v=2,t=2b,r=12$" + goodBcrypt[7:29] + "$" + goodBcrypt[29:]: {
			Algorithm: Bcrypt, Variant: "2b", PreHash: "HMAC-SHA-256", Cost: 12, SaltLen: 16, SumLen: 23,
		},
		argon2ID("v=19", "m=65536,t=3,p=4,keyid=azE"): {
			Algorithm: Argon2id, KeyID: "k1", Memory: 65536, Iterations: 3, Parallelism: 4, SaltLen: 16, SumLen: 32,
			Bytes: 64 << 20,
		},
		scryptPHC("ln=14,r=8,p=5"): {
			Algorithm: Scrypt, Cost: 14, BlockSize: 8, Parallelism: 5, SaltLen: 16, SumLen: 32, Bytes: 16<<20 + 3*1024,
		},
		"$pbkdf2-sha256$i=1000,keyid=azE$" + goodSalt + "$" + goodSum: {
			Algorithm: PBKDF2SHA256, PreHash: "HMAC-SHA-384", KeyID: "k1", Iterations: 1000, SaltLen: 16, SumLen: 32,
			BelowOWASP: true, Digests: 1,
		},
		"$pbkdf2-sha256$i=1000$" + goodSalt + "$" + strings.Repeat("A", 44): {
			Algorithm: PBKDF2SHA256, Iterations: 1000, SaltLen: 16, SumLen: 33, BelowOWASP: true, Digests: 2,
		},
	} {
		want.Name = want.Algorithm.String()
		got, err := Policy{}.Inspect(encoded)
		if err != nil || got != want {
			t.Errorf("%s:\n%+v, %v, want\n%+v", encoded, got, err, want)
		}
	}
}

// What Formats read is told by their name, and judged by the policy's own limits.
func TestInspectFormats(t *testing.T) {
	sum := strings.Repeat("s", 20)
	formats, err := NewFormats(
		testFormat{"dressed", &Translated{Hash: goodBcrypt, Prepare: func(p []byte) ([]byte, bool) { return p, true }}}, testFormat{"renamed", &Translated{Hash: goodBcrypt}},
		testFormat{"no-computed", (*Computed)(nil)}, testFormat{"no-translated", (*Translated)(nil)},
		testFormat{"computed", &Computed{
			Cost: 9, Memory: 1 << 20, Sum: []byte(sum), Compute: func(_, _ []byte, _ func() bool) []byte { panic("Inspect computes") },
			Time: func(n int) time.Duration { return time.Second + time.Duration(n) },
		}})
	require.NoError(t, err)

	computed := Info{Algorithm: Foreign, Name: "foreign", Form: "computed", Cost: 9, SumLen: 20, Bytes: 1 << 20, BelowOWASP: true}
	costly := computed
	costly.OverLimits = true

	bcrypt := must(Policy{}.Inspect(goodBcrypt))(t)
	renamed := bcrypt
	dressed := bcrypt
	renamed.Form = "renamed"
	dressed.Form = "dressed"
	dressed.PreHash = "dressed's own"
	dressed.Truncates = false

	p := Policy{Formats: formats}
	for encoded, want := range map[string]Info{goodBcrypt: bcrypt, "renamed": renamed, "dressed": dressed, "computed": computed} {
		if got, err := p.Inspect(encoded); err != nil || got != want {
			t.Errorf("%s:\n%+v, %v, want\n%+v", encoded, got, err, want)
		}
	}

	for _, encoded := range []string{"another", "no-computed", "no-translated"} {
		if _, err := p.Inspect(encoded); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", encoded, err)
		}
	}

	p.Limits.Time = time.Second - 1
	if got, err := p.Inspect("computed"); err != nil || got != costly {
		t.Errorf("above the limits:\n%+v, %v, want\n%+v", got, err, costly)
	}
}

// A testFormat reads its name.
type testFormat struct {
	name   string
	parsed Parsed
}

func (f testFormat) Name() string { return f.name }

func (f testFormat) Parse(encoded string) (Parsed, error) {
	if encoded != f.name {
		return nil, nil
	}
	return f.parsed, nil
}

// policy reads a policy from its text.
func policy(t *testing.T, text string) (p Policy) {
	t.Helper()
	require.NoError(t, p.UnmarshalText([]byte(text)))
	return must(p.filled())(t)
}

// harder is Calibrate without the clock.
func TestHarder(t *testing.T) {
	for _, test := range []struct {
		from  string
		units float64
		want  string
	}{
		{"bcrypt", 1, "bcrypt"},
		{"bcrypt", 2047, "bcrypt"},
		{"bcrypt", 2048, "bcrypt,cost=11"},
		{"bcrypt", 1e30, "bcrypt,cost=16"},
		{"pbkdf2-sha256", 619_999, "pbkdf2-sha256,i=610000"},
		{"pbkdf2-sha256", 1e30, "pbkdf2-sha256,i=10000000"},
		{"scrypt,ln=13,p=10", 4 * 8192 * 80, "scrypt,ln=15,p=10"},
		{"scrypt,ln=13,p=10", 1e30, "scrypt,ln=16,p=10"},
		{"scrypt", 1e30, "scrypt,ln=19"},
		{"argon2id", 10, "argon2id"},
		{"argon2id", 2 * 30 << 10, "argon2id,m=30720,t=2"},
		{"argon2id", 3 * 64 << 10, "argon2id,m=65536,t=3"},
		{"argon2id", 1e30, "argon2id,m=65536,t=65"},
	} {
		if got := policy(t, test.from).harder(test.units); got != policy(t, test.want) {
			t.Errorf("%s to %g units: %+v, want %s", test.from, test.units, got, test.want)
		}
	}
}

// Whatever the limits are, a calibrated policy is within them. Half of the numbers are powers of
// two, whose products are as large as a limit or next to it.
func TestHarderWithinLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(log2 float64) float64 {
		log2 *= r.Float64()
		if r.IntN(2) == 0 {
			log2 = math.Floor(log2)
		}
		return math.Floor(math.Exp2(log2))
	}

	for tried := 0; tried < 5000; {
		p := owasp[r.IntN(len(owasp))]
		p.Memory += int(draw(17))
		p.Iterations += int(draw(20))
		p.BlockSize = int(draw(8))
		p.Parallelism = int(draw(8))
		p.Limits = Limits{Time: time.Second / 64 * time.Duration(draw(18)), Memory: int64(draw(36))}
		if p.Check("") != nil {
			continue
		}
		tried++
		if q := p.harder(draw(62)); q.Check("") != nil {
			t.Fatalf("%+v became\n%+v: %v", p, q, q.Check(""))
		}
	}
}

func TestCalibrate(t *testing.T) {
	if _, err := Default().Calibrate(0); err == nil {
		t.Error("a target of 0: no error")
	}
	if _, err := (Policy{Algorithm: Bcrypt, Cost: 9}).Calibrate(time.Second); err == nil {
		t.Error("a policy below OWASP's minimum: no error")
	}

	p, err := Default().Calibrate(time.Nanosecond)
	if want, _ := Default().filled(); err != nil || p != want {
		t.Errorf("a target of 1 ns: %+v, %v; want OWASP's minimum", p, err)
	}

	limited := Default()
	limited.Limits.Time = 100 * time.Millisecond
	p, err = limited.Calibrate(time.Hour)
	want, _ := limited.filled()
	if want = want.harder(1e30); err != nil || p != want {
		t.Errorf("a target of an hour: %+v, %v; want the most within the limits", p, err)
	}
}

// Beside goroutines that leave it a fifth of the only P, Calibrate finds about the policy that it
// finds alone.
func TestCalibrateBeside(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Calibrate measures elapsed time here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	units := func() float64 {
		p := must(Default().Calibrate(50 * time.Millisecond))(t)
		return algorithms[p.Algorithm].units(p.hash())
	}

	alone := units()
	var stop atomic.Bool
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for !stop.Load() {
			}
		})
	}

	beside := units()
	stop.Store(true)
	others.Wait()

	if beside < alone/2 {
		t.Errorf("beside four busy goroutines Calibrate finds %.2f of the work that it finds alone; want at least half",
			beside/alone)
	}
}
