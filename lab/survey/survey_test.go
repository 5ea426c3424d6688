// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// Tests of what is counted: the vectors of password/legacy in every dress, hostile lines, and that no hash is shown.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"fount/lab/show"
	"fount/password"
	"fount/password/legacy"
)

// hashes are those of other makers, a line each.
func hashes(t testing.TB) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../password/legacy/testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if field := strings.Split(strings.TrimSuffix(line, "\n"), " | "); len(field) == 3 {
			all = append(all, field[2])
		}
	}
	if len(all) < 250 {
		t.Fatalf("%d hashes", len(all))
	}
	return all
}

func policy() password.Policy {
	p := password.Default()
	p.Formats = legacy.All()
	return p
}

// surveyOf surveys a store without timing any hash.
func surveyOf(t testing.TB, store string) *Report {
	t.Helper()
	s := New(policy())
	if err := s.ReadLines(strings.NewReader(store), nil); err != nil {
		t.Fatal(err)
	}
	r, err := s.Report(t.Context(), Terms{Logins: 100}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// counts are the users of each kind.
func counts(r *Report) map[string]int64 {
	all := map[string]int64{"refused": r.Refused, "locked": r.Locked}
	for _, k := range r.Kinds {
		all[k.Name+" "+formText(k)] += k.Count
	}
	return all
}

// written says by the text alone what some of the hashes are.
var written = map[string]string{
	`^pbkdf2_sha256\$1000\$`:                  "pbkdf2-sha256,i=1000 django",
	`^pbkdf2_sha256\$390000\$`:                "pbkdf2-sha256,i=390000 django",
	`^argon2\$argon2id\$v=19\$m=64,t=2,p=8\$`: "argon2id,m=64,t=2,p=8 django",
	`^bcrypt\$\$2b\$04\$`:                     "bcrypt,cost=4 django",
	`^bcrypt_sha256\$\$2b\$04\$`:              "bcrypt,cost=4 django, prehashed",
	`^scrypt:1024:8:1\$`:                      "scrypt,ln=10,r=8,p=1 werkzeug",
	`^(\$1\$|\$apr1\$)`:                       "md5-crypt,1000 ",
	`^\$6\$([^r]|r[^o]|rounds=5000\$)`:        "sha512-crypt,5000 ",
	`^\$5\$([^r]|r[^o]|rounds=5000\$)`:        "sha256-crypt,5000 ",
	`^\$[PH]\$9`:                              "phpass,11 ",
}

// Each line is counted once, as what it is.
func TestVectors(t *testing.T) {
	all := hashes(t)
	r := surveyOf(t, strings.Join(all, "\n"))
	want, refused := map[string]int64{}, int64(0)
	for _, encoded := range all {
		for pattern, kind := range written {
			if regexp.MustCompile(pattern).MatchString(encoded) {
				want[kind]++
			}
		}
		if p := policy(); p.Check(encoded) != nil {
			refused++
		}
	}
	got := counts(r)
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%d of %s, want %d", got[kind], kind, n)
		}
	}
	if len(want) < len(written) {
		t.Errorf("of %d patterns %d match: %v", len(written), len(want), want)
	}
	if r.Refused != refused || r.Read+r.Refused != int64(len(all)) || r.Lines != int64(len(all)) || r.Blank+r.Locked != 0 {
		t.Errorf("%d lines: %d read, %d refused, %d locked, %d blank; want %d lines, %d of them refused", r.Lines, r.Read, r.Refused, r.Locked,
			r.Blank, len(all), refused)
	}
	if r.Upgrade != r.Read {
		t.Errorf("%d of %d are upgraded: none is of the policy", r.Upgrade, r.Read)
	}
}

// dresses are the lines in which the same hashes may stand.
var dresses = map[string]func(i int, encoded string) string{
	"htpasswd":   func(i int, encoded string) string { return fmt.Sprintf("user%d:%s\n", i, encoded) },
	"shadow":     func(i int, encoded string) string { return fmt.Sprintf("user%d:%s:19000:0:99999:7:::\n", i, encoded) },
	"CRLF":       func(_ int, encoded string) string { return encoded + "\r\n" },
	"blank":      func(i int, encoded string) string { return fmt.Sprintf("# user %d\n%s\n \t\n\n", i, encoded) },
	"mail names": func(i int, encoded string) string { return fmt.Sprintf("user+%d@example.com:%s\n", i, encoded) },
}

// A store counts the same in every dress.
func TestDresses(t *testing.T) {
	all := hashes(t)
	want := counts(surveyOf(t, strings.Join(all, "\n")))
	for name, dress := range dresses {
		store := byteOrderMark
		for i, encoded := range all {
			if name == "shadow" && strings.Contains(encoded, ":") {
				encoded = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu" // shadow has none with a colon
			}
			store += dress(i, encoded)
		}
		if got := counts(surveyOf(t, store)); name != "shadow" && !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		} else if got["refused"] != want["refused"] {
			t.Errorf("%s: %d refused, want %d", name, got["refused"], want["refused"])
		}
	}
	naive := "" // the control: a reader that takes what follows the first colon
	for _, encoded := range all {
		if _, rest, ok := strings.Cut(encoded, ":"); ok {
			encoded = rest
		}
		naive += encoded + "\n"
	}
	if maps.Equal(counts(surveyOf(t, naive)), want) {
		t.Error("hashes with colons of their own are counted the same without what stands before the colon")
	}
}

func TestLines(t *testing.T) {
	const bcrypt = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"
	long := strings.Repeat("x", mostLine)
	for store, want := range map[string]Report{
		"":                                       {},
		"\n":                                     {Lines: 1, Blank: 1},
		"# comment":                              {Lines: 1, Blank: 1},
		bcrypt:                                   {Lines: 1, Read: 1},
		"a:" + bcrypt + "\nb:" + bcrypt:          {Lines: 2, Read: 2},
		"a:!\nb:*:1:2:3\n!!\nc:!" + bcrypt:       {Lines: 4, Locked: 4},
		"!" + bcrypt + "\n*LK*\n!a:" + bcrypt:    {Lines: 3, Locked: 2, Read: 1},
		"a:\nb::1:2:3:4:5:6:\nc: \r\n:":          {Lines: 4, Blank: 4},
		"a::b\na:::\n!a:\n":                      {Lines: 3, Refused: 2, Locked: 1},
		"root:x:0:0:root:/root:/bin/sh":          {Lines: 1, Refused: 1},
		long + "\n" + bcrypt:                     {Lines: 2, Refused: 1, Read: 1},
		bcrypt + "\n" + long + long:              {Lines: 2, Refused: 1, Read: 1},
		strings.Repeat(long, 100) + "\n\n":       {Lines: 2, Refused: 1, Blank: 1},
		bcrypt + "\x00\n\x00\n\xff\xfe" + bcrypt: {Lines: 3, Refused: 3},
		strings.Replace(bcrypt, "04", "31", 1):   {Lines: 1, Refused: 1},
		bcrypt + " \n":                           {Lines: 1, Refused: 1}, // a column of fixed width: a pool would refuse it
	} {
		r := surveyOf(t, store)
		got := [5]int64{r.Lines, r.Blank, r.Locked, r.Read, r.Refused}
		if got != [5]int64{want.Lines, want.Blank, want.Locked, want.Read, want.Refused} {
			t.Errorf("%.90q: lines, blank, locked, read, refused: %v; want %+v", store, got, want)
		}
	}
}

// Who can write to the store can make neither the tables long nor memory large, and hides no other kind.
func TestHostileStore(t *testing.T) {
	s := New(policy())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const n = 20_000
	sum := strings.Repeat("a", 43)
	for i := int64(1); i <= n; i++ {
		s.Add(i, fmt.Sprintf("$pbkdf2-sha256$%d$MDEyMzQ1Njc4OWFiY2RlZg$%s", i, strings.Repeat("A", 43)))
		s.Add(i, fmt.Sprintf("$5$rounds=%d$salt$%s", i+999, sum))
		s.Add(i, fmt.Sprintf("$argon2id$v=19$m=64,t=2,p=1,keyid=%s$MDEyMzQ1Njc4OWFiY2RlZg$%s", "YX"+string(rune('A'+i%26)), strings.Repeat("A", 43)))
		s.Add(i, fmt.Sprintf("$argon2id$v=19$m=4194304,t=%d,p=1$MDEyMzQ1Njc4OWFiY2RlZg$%s", i, strings.Repeat("A", 43)))
	}
	s.Add(n+1, "$6$salt$"+strings.Repeat("a", 86))
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("the survey holds %d bytes", grown)
	}
	r, err := s.Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	got := counts(r)
	if len(r.Kinds) > 2*(mostCosts+1)+1 || len(r.Refusals) > 4 || got["sha512-crypt,5000 "] != 1 {
		t.Errorf("%d kinds, %d reasons, %d of sha512-crypt", len(r.Kinds), len(r.Refusals), got["sha512-crypt,5000 "])
	}
	if apart := got["pbkdf2-sha256, others "] + got["sha256-crypt, others "]; apart != 2*(n-mostCosts) || r.Unknown.Apart != apart {
		t.Errorf("%d apart, %d in the mix of unknown users; want %d", apart, r.Unknown.Apart, 2*(n-mostCosts))
	}
	for i := range 3 * mostReasons {
		s.refuse(1, fmt.Sprint(i))
	}
	if len(s.refusals) != mostReasons+1 {
		t.Errorf("%d reasons, want %d", len(s.refusals), mostReasons+1)
	}
}

// leaks returns a part of one of the strings that text shows.
func leaks(text string, secrets []string) string {
	const part = 8
	shown := map[string]bool{}
	for i := 0; i+part <= len(text); i++ {
		shown[text[i:i+part]] = true
	}
	for _, secret := range secrets {
		tail := secret[max(0, len(secret)-24):] // of the sum
		for i := 0; i+part <= len(tail); i++ {
			if shown[tail[i:i+part]] {
				return tail[i : i+part]
			}
		}
	}
	return ""
}

// No output has a part of a hash or a name: not the text, the JSON, the progress nor an error.
func TestNothingIsShown(t *testing.T) {
	var secrets []string
	var store strings.Builder
	store.WriteString("alice.secret.name\n")
	for i, encoded := range hashes(t) {
		name := fmt.Sprintf("user-%d-%s", i, strings.Repeat("n", 20))
		for _, line := range []string{encoded, name + ":" + encoded, encoded[:len(encoded)-1], encoded + "$", strings.ToUpper(encoded), "x" + encoded,
			encoded + strings.Repeat(encoded, 100), "!" + encoded, name + ":" + encoded + ":0:0:0:0:0:0:0", strings.ReplaceAll(encoded, "$", ":")} {
			store.WriteString(line + "\n")
		}
		secrets = append(secrets, encoded, strings.ToUpper(encoded), encoded+"$", name)
	}
	secrets = append(secrets, "alice.secret.name")
	s, outputs := New(policy()), ""
	say := func(line string) { outputs += line + "\n" }
	broken := io.MultiReader(strings.NewReader(store.String()), iotest.ErrReader(errors.New("disk")))
	if err := s.ReadLines(broken, nil); err == nil {
		t.Fatal("a disk that fails is not seen")
	} else {
		say(err.Error())
	}
	r, err := s.Report(t.Context(), Terms{Budget: 1, Logins: 1000}, say)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{40, 80, 100} {
		say(r.Text(show.Style{Width: width}))
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	say(string(text))
	if part := leaks(outputs, secrets); part != "" {
		t.Errorf("the output has %q", part)
	}
	if r.Refused < 1000 || len(outputs) < 5000 {
		t.Errorf("%d refused, %d bytes shown", r.Refused, len(outputs))
	}
	if leaks(outputs+secrets[100], secrets) == "" { // the control
		t.Error("a hash is not found")
	}
}

// A wrapped hash is a kind of its own, which a pool has to be given a sample of.
func TestWrapped(t *testing.T) {
	p := policy()
	wrapped, err := password.Wrap(p, "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/")
	if err != nil {
		t.Fatal(err)
	}
	r := surveyOf(t, wrapped+"\nada:"+wrapped+"\n")
	if len(r.Kinds) != 1 || r.Kinds[0].Name != "wrapped-md5-crypt,38912" || r.Read != 2 || r.Upgrade != 2 || r.Kinds[0].MS < r.Login.Then ||
		len(r.Unknown.Samples) != 1 {
		t.Errorf("%+v", r)
	}
}

// What a form's cost does not tell apart, a pool does by its time, and needs a sample of each.
func TestWorksOfOneCost(t *testing.T) {
	p := policy()
	store := []string{
		"{CRYPT}$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/",
		"{CRYPT}$6$rounds=1000$saltsalt$" + strings.Repeat("a", 86),
		"{CRYPT}$1$tlasxxxx$qjXMvbEw8oaL.CzflDtaK/",
	}
	for _, inner := range []string{store[0], "{crypt}" + sample} {
		wrapped, err := password.Wrap(p, inner)
		if err != nil {
			t.Fatal(err)
		}
		store = append(store, wrapped)
	}
	r := surveyOf(t, strings.Join(store, "\n"))
	pool, err := password.NewPool(password.Options{Policy: p, Samples: store})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte("x"), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	if n := int(pool.Stats().Total().Filler); n < 3 || len(r.Unknown.Samples) != n || len(r.Kinds) != n {
		t.Errorf("%+v; the pool knows %d works", r.Kinds, n)
	}
	if r.Kinds[0].Name != "ldap,1000" || r.Kinds[0].Count != 2 || r.Kinds[1].Name != "ldap,1000 (2)" || r.Kinds[1].MS < 1.2*r.Kinds[0].MS {
		t.Errorf("%+v", r.Kinds[:2])
	}
}

// The reasons that come first are those of most lines, with the first lines of each; the longest line is looked at.
func TestRefusals(t *testing.T) {
	line := "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu\n"
	name := strings.Repeat("n", mostLine-len(line)-1) + ":"
	above := strings.Replace(line, "04", "31", 1)
	r := surveyOf(t, name+line+above+"n"+name+line+strings.Repeat("x\n", 7)+above)
	if r.Read != 1 || r.Lines != 11 || len(r.Refusals) != 3 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{"[3 7 [4 5 6 7 8]]", "[2 2 [2 11]]", "[1 1 [3]]"} {
		if got := r.Refusals[i]; fmt.Sprint([]any{3 - i, got.Count, got.Lines}) != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}
