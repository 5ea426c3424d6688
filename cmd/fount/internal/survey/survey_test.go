// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"fount/cmd/internal/lab/show"
	"fount/internal/hashfile"
	"fount/internal/test/require"
	"fount/password"
)

const bcrypt = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"

// hashes are those of other makers.
func hashes(t testing.TB) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../../../password/legacy/testdata/hashes.txt")
	require.NoError(t, err)
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
	p.Memory, p.Iterations = 64, 1 // cheap
	p.Formats, _ = Formats("django")
	return p
}

// addAll counts the lines of a store.
func addAll(s *Survey, store io.Reader, column string) error {
	for l, err := range hashfile.NewReader(store, policy(), column).All() {
		if err != nil {
			return err
		}
		s.Add(l)
	}
	return nil
}

// surveyOf is the report of a store, of which no kind is timed.
func surveyOf(t testing.TB, store string) *Report {
	t.Helper()
	s := New(policy())
	err := addAll(s, strings.NewReader(store), "")
	r, reportErr := s.Report(t.Context(), 0, 0, func(string) {})
	require.NoError(t, errors.Join(err, reportErr))
	return r
}

// counts are the numbers of a report.
func counts(r *Report) map[string]int64 {
	all := map[string]int64{"read": r.Read, "refused": r.Refused, "locked": r.Locked}
	for _, k := range r.Kinds {
		all[k.Name+" "+k.Form] += k.Count
	}
	return all
}

// Each line is counted once, and the report agrees with package password about each.
func TestVectors(t *testing.T) {
	all := hashes(t)
	r := surveyOf(t, strings.Join(all, "\n"))

	var refused, weak, unwrapped int64
	p := policy()
	for _, encoded := range all {
		if p.Check(encoded) != nil {
			refused++
		} else if wrapped, err := password.Wrap(p, encoded); err != nil {
			unwrapped++
		} else if wrapped != encoded {
			weak++
		}
	}
	for _, one := range r.Unwrapped {
		unwrapped -= one.Count
	}
	if r.Refused != refused || r.Weak != weak || unwrapped != 0 || r.Read+r.Refused != int64(len(all)) || r.Lines != int64(len(all)) || r.Blank+r.Locked != 0 {
		t.Errorf("%+v; want %d lines, %d of them refused, %d weak; %d too few not wrapped", counts(r), len(all), refused, weak, unwrapped)
	}
}

// Each hash is called by its algorithm, and one without a salt is said to have none.
func TestDescribe(t *testing.T) {
	sha := strings.Repeat("0", 40)
	crypt := "$6$rounds=1000$saltsalt$" + strings.Repeat("a", 86)
	for encoded, want := range map[string]string{
		"md5$salt$0123456789abcdef0123456789abcdef":      "MD5 django",
		"md5$$0123456789abcdef0123456789abcdef":          "MD5 django, no salt",
		"sha1$salt$" + sha:                               "SHA-1 django",
		"sha1$$" + sha:                                   "SHA-1 django, no salt",
		"{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=":              "SHA-1 ldap, no salt",
		"{SSHA}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==": "SHA-1 ldap",
		"{MD5}AAAAAAAAAAAAAAAAAAAAAA==":                  "MD5 ldap, no salt",
		"{SMD5}AAAAAAAAAAAAAAAAAAAAAAAAAAA=":             "MD5 ldap",
		"{SHA256}" + strings.Repeat("A", 43) + "=":       "SHA-256 ldap, no salt",
		"{ssha512}" + strings.Repeat("A", 96):            "SHA-512 ldap",
		"{CRYPT}" + crypt:                                "sha512-crypt,1000 ldap",
		"{MD5}" + strings.Repeat("0", 32):                "MD5 spring, no salt",
		"{SHA-1}{abcdefgh}" + sha:                        "SHA-1 spring",
		"{sha256}" + strings.Repeat("0", 80):             "SHA-256,1024 spring",
		"{ldap}{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=":        "SHA-1 spring, no salt",
		crypt:                                "sha512-crypt,1000 sha512-crypt",
		bcrypt:                               "bcrypt,cost=4 ",
		"bcrypt_sha256$" + bcrypt:            "bcrypt,cost=4 django",
		"$P$BsaltsaltAAAAAAAAAAAAAAAAAAAAAA": "MD5,13 phpass",
		"pbkdf2_sha256$1000$saltsalt$" + strings.Repeat("A", 43) + "=": "pbkdf2-sha256,i=1000 django",
	} {
		r := surveyOf(t, encoded)
		got := ""
		for _, k := range r.Kinds {
			got = k.Name + " " + k.Form
			if k.Unsalted {
				got += ", no salt"
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q; %+v", encoded, got, want, r.Refusals)
		}
	}
}

// Each line is counted as one thing.
func TestLines(t *testing.T) {
	for name, c := range map[string]struct {
		store string
		want  Report
	}{
		"none":      {},
		"blank":     {store: "# comment\n\n" + bcrypt + "\na:\nb:NULL", want: Report{Lines: 5, Blank: 4, Read: 1}},
		"locked":    {store: "a:!\nb:*:1:2:3\n!!\nc:!" + bcrypt, want: Report{Lines: 4, Locked: 4}},
		"no hash":   {store: "root:x:0:0:root:/root:/bin/sh", want: Report{Lines: 1, Refused: 1}},
		"too great": {store: strings.Replace(bcrypt, "04", "31", 1), want: Report{Lines: 1, Refused: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			r := surveyOf(t, c.store)
			got := Report{Lines: r.Lines, Blank: r.Blank, Locked: r.Locked, Read: r.Read, Refused: r.Refused}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v; want %+v", got, c.want)
			}
		})
	}
}

// What fount password wrap takes is named as --form takes it, one name for all that were made alike;
// what no form reads alone is refused, with its lines and the forms to choose from.
func TestWrapForms(t *testing.T) {
	const sum = "0123456789abcdef0123456789abcdef"
	r := surveyOf(t, "md5$salt$"+sum+"\nmd5$$"+sum+"\n"+bcrypt+"\nada:"+sum+":salt\nsha256$salt$"+sum+sum+"  \n")
	if r.Read != 3 || r.Weak != 3 || r.Refused != 2 || len(r.Refusals) != 2 {
		t.Fatalf("%+v", r)
	}

	text := r.Text(show.Style{Width: 1000})
	for _, want := range []string{
		"joomla, magento1, mybb, vbulletin: several programs write this", "(line 4)",
		"django-salted, werkzeug, web2py: several programs write this", "(line 5)",
		"or --form names it: django, bcrypt.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q: %s", want, text)
		}
	}
}

// Hashes that were made alike have one row, whatever their salts.
func TestRows(t *testing.T) {
	const sum = "0123456789abcdef0123456789abcdef"
	policy := policy()
	salted := RowOf(policy, "md5$salt$"+sum)
	if RowOf(policy, "md5$salty$"+sum+" \r\n") != salted || RowOf(policy, "md5$$"+sum) == salted {
		t.Errorf("the row of salted MD5 is %v", salted)
	}

	plain := RowOf(policy, bcrypt)
	django := RowOf(policy, "bcrypt$"+bcrypt)
	if !plain.Shared() || django.Shared() || plain == django {
		t.Errorf("the rows of bcrypt are %v and %v", plain, django)
	}
}

// Who can write to the store can't make tables long or memory large, or hide an algorithm.
func TestHostileStore(t *testing.T) {
	s := New(policy())
	var before, after runtime.MemStats
	const n = 5_000
	var store strings.Builder
	for i := range n {
		for _, line := range []string{
			fmt.Sprintf("$pbkdf2-sha256$%d$MDEyMzQ1Njc4OWFiY2RlZg$%s", i+1, strings.Repeat("A", 43)),
			fmt.Sprintf("$5$rounds=%d$salt$%s", i+1000, strings.Repeat("a", 43)),
			fmt.Sprintf("$argon2id$v=19$m=64,t=2,p=1,keyid=%s$MDEyMzQ1Njc4OWFiY2RlZg$%s", "YX"+string(rune('A'+i%26)), strings.Repeat("A", 43)),
			fmt.Sprintf("$argon2id$v=19$m=4194304,t=%d,p=1$MDEyMzQ1Njc4OWFiY2RlZg$%s", i+1, strings.Repeat("A", 43)),
		} {
			store.WriteString(line + "\n")
		}
	}

	store.WriteString("$6$salt$" + strings.Repeat("a", 86))
	runtime.GC()
	runtime.ReadMemStats(&before)
	require.NoError(t, addAll(s, strings.NewReader(store.String()), ""))
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<18 {
		t.Errorf("the survey holds %d bytes", grown)
	}
	r, err := s.Report(t.Context(), 0, 0, func(string) {})
	require.NoError(t, err)

	got := counts(r)
	if len(r.Kinds) > 2*(mostCosts+1)+1 || len(r.Refusals) > 4 || got["sha512-crypt,5000 sha512-crypt"] != 1 {
		t.Errorf("%d kinds, %d reasons, %d of sha512-crypt", len(r.Kinds), len(r.Refusals), got["sha512-crypt,5000 sha512-crypt"])
	}
	if apart := got["pbkdf2-sha256, others "] + got["sha256-crypt, others "]; apart != 2*(n-mostCosts) {
		t.Errorf("%d apart, want %d", apart, 2*(n-mostCosts))
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
	for _, column := range []string{"", "1"} {
		err := addAll(s, io.MultiReader(strings.NewReader(store.String()), iotest.ErrReader(errors.New("disk"))), column)
		if err == nil {
			t.Fatal("a disk that fails is not seen")
		}
		say(err.Error())
	}

	r, err := s.Report(t.Context(), 1, 1000, say)
	require.NoError(t, err)
	say(r.Text(show.Style{Width: 80}))
	text, err := json.Marshal(r)
	require.NoError(t, err)
	say(string(text))

	if part := leaks(outputs, secrets); part != "" {
		t.Errorf("the output has %q", part)
	}
	if r.Refused < 1000 || len(outputs) < 5000 || leaks(outputs+secrets[100], secrets) == "" {
		t.Errorf("%d refused, %d bytes shown", r.Refused, len(outputs))
	}
}

// The reasons that come first are those of most lines, with the first lines of each.
func TestRefusals(t *testing.T) {
	above := strings.Replace(bcrypt, "04", "31", 1) + "\n"
	r := surveyOf(t, bcrypt+"\n"+above+strings.Repeat("x\n", 7)+above)
	if r.Read != 1 || len(r.Refusals) != 2 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{"7 [3 4 5 6 7]", "2 [2 10]"} {
		if got := r.Refusals[i]; fmt.Sprint(got.Count, got.Lines) != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// What is harder to guess than a hash of the policy is kept, a kind that is wrapped is one of its
// own, and who has what is too rare or too dear to be covered is counted.
func TestTimes(t *testing.T) {
	wrapped, err := password.Wrap(policy(), "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/")
	require.NoError(t, err)
	slow := "$6$rounds=20000$saltsalt$" + strings.Repeat("a", 86)
	s := New(policy())
	dear := strings.Replace(slow, "20000", "999999", 1)
	require.NoError(t, addAll(s, strings.NewReader(slow+"\n"+slow+"\nada:"+wrapped+"\n"+dear+"\n"), ""))
	r, err := s.Report(t.Context(), 1, 30, func(string) {})
	require.NoError(t, err)
	if r.Read != 4 || r.Upgrade != 4 || r.Kept != 0 || len(r.Kinds) != 3 || r.Kinds[1].Algorithm != "argon2id over md5-crypt" {
		t.Fatalf("%+v, %+v", r, r.Kinds)
	}

	if r.Apart != 1 || r.Kinds[2].Covered || !r.Kinds[0].Covered || !r.Kinds[1].Covered || r.EqualMS <= 0 {
		t.Errorf("%d are apart, %v ms together", r.Apart, r.EqualMS)
	}
	if r.Forecast == nil || r.Forecast.Users != 4 {
		t.Errorf("%+v", r.Forecast)
	}
}

// Django's own store gets Django's advice, wrapped or not, and no other store does.
func TestAdviceForDjango(t *testing.T) {
	const md5 = "md5$saltsalt$7e3b0a3cecf4048076a11fab6ee901ba"
	wrapped, err := password.Wrap(policy(), md5)
	require.NoError(t, err)
	for store, isDjango := range map[string]bool{
		md5 + "\n" + wrapped + "\n" + bcrypt + "\n!unusable\n":                        true,
		wrapped + "\n!unusable\n":                                                     true,
		bcrypt + "\n" + strings.ReplaceAll(bcrypt, "04", "05") + "\n" + md5 + "\n!\n": false,
	} {
		text := surveyOf(t, store).Text(show.Style{Width: 1000})
		if strings.Contains(text, "clients/django/README.md") != isDjango || strings.Contains(text, "Policy.Markers") == isDjango {
			t.Errorf("%s: %s", store, text)
		}
	}
}

// Where users sign in each second day in the mean, half have after 3 days, not after 1.4.
func TestForecast(t *testing.T) {
	if f := forecast(50, 100, 10); math.Abs(f.Half-3) > 1e-9 || math.Abs(f.Most-99) > 1e-9 || f.Users != 10 {
		t.Errorf("%+v", f)
	}
}
