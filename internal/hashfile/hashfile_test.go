// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package hashfile

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fount/password"
	"fount/password/legacy"
)

const (
	bcrypt   = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"
	md5      = "md5$$0123456789abcdef0123456789abcdef"
	werkzeug = "pbkdf2:sha256:1000$salt$0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	argon2   = "$argon2id$v=19$m=64,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$gAwJW5vx5itn2V9KHlEUjyUCrpDYgKyQf0gMaHGx1h4"
	mysql    = "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19"
	joomla   = "b78f863f2c67410c41e617f724e22f34:89384528665349271305465505333378"
)

func policy() password.Policy {
	p := password.Default()
	p.Formats = legacy.All()
	return p
}

// read returns what is found in each line: a hash, with "locked" before it or "error" instead of
// one that isn't read.
func read(t *testing.T, text, column string) (found []string, err error) {
	t.Helper()
	all := ""
	for l, err := range NewReader(strings.NewReader(text), policy(), column).All() {
		if err != nil {
			return found, err
		}
		one := strings.TrimRight(l.Hash, " ")
		if l.Err != nil {
			one = "error"
		}
		if l.Locked {
			one = "locked" + one
		}
		found = append(found, one)
		all += l.Text()
	}
	if all != text {
		t.Errorf("%q: the lines are %q", text, all)
	}
	return found, nil
}

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		bcrypt:                              bcrypt,
		"\ufeff" + bcrypt + "\r\n" + md5:    bcrypt + " " + md5,
		"\ufeff# old\r\nada:" + bcrypt:      " " + bcrypt,
		"#ada:" + bcrypt + "\n \t\n\n":      "  ",
		"ada:" + werkzeug + "\n" + werkzeug: werkzeug + " " + werkzeug,
		"ada:" + bcrypt + ":1\nbob:" + werkzeug + ":1:2\n":         bcrypt + " " + werkzeug,
		"ada:" + bcrypt + ":19000:0:99999:7:::":                    bcrypt, // shadow
		"ada:" + werkzeug + ":19000:0:99999:7:::":                  werkzeug,
		"ada:" + bcrypt + ":1:1:Ada:/home/ada:/bin/sh":             bcrypt,                              // passwd
		"ada:" + bcrypt + ":1:1::0:0:Ada:/home/ada:/bin/sh":        bcrypt,                              // FreeBSD's
		"ada:{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=::::::user_quota=1G": "{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=", // Dovecot's
		"a:!" + bcrypt + "\na:*LK*" + md5 + ":1\n*LOCKED*" + md5:   "locked" + bcrypt + " locked" + md5 + " locked" + md5,
		"a:!\nb:*:1:2:3\n!!\n*LK*\na:!x\n!4hVzBbWY":                "locked locked locked locked locked locked",
		"a:\nb::1:2:3:4:5:6:\nc: \nd:NULL\nNULL\n\\N\n":            "     ",
		mysql + "\nada:" + mysql:                                   "error error", // no marker
		joomla + "\nada:" + joomla:                                 "error error",
		"hunter2\nada:hunter2:1:2\na::b":                           "error error error",
		"d41d8cd98f00b204e9800998ecf8427e:" + bcrypt:               bcrypt, // the name is hexadecimal
		"ada:" + bcrypt + ":" + bcrypt:                             bcrypt,
		"\xff\xfe" + bcrypt:                                        "error",
	} {
		found, err := read(t, text, "")
		if got := strings.Join(found, " "); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// A digest, a colon and a salt are one hash: without the salt nobody signs in.
func TestSaltStays(t *testing.T) {
	for text, want := range map[string]string{joomla: joomla, "ada:" + joomla: joomla} {
		for l := range NewReader(strings.NewReader(text), policy(), "").All() {
			if l.Hash != want {
				t.Errorf("%q: %q is taken for the hash, want %q", text, l.Hash, want)
			}
		}
	}
}

func TestCSV(t *testing.T) {
	for _, c := range []struct{ name, text, column, want string }{
		{
			name:   "quotes and empty fields",
			text:   "id,name,hash\n1,\"Ada, or\nLady\"," + bcrypt + "\n2,Bob,\n\n4,Cat,NULL\n5,Dan,x\n",
			column: "hash",
			want:   " " + bcrypt + "    error",
		},
		{
			name:   "a byte order mark and spaces",
			text:   "\ufeffid; user hash ;\r\n1; " + bcrypt + " ;\r\n",
			column: "user hash",
			want:   " " + bcrypt,
		},
		{
			name:   "tabs",
			text:   "id\thash\n1\t" + argon2 + "\n2\t\\N\n",
			column: "hash",
			want:   " " + argon2 + " ",
		},
		{
			name:   "semicolons, a number",
			text:   "1;" + argon2 + "\n",
			column: "2",
			want:   argon2,
		},
		{
			name:   "a marker",
			text:   "1,!,\"a;b\"\n2,\"" + argon2 + "\"\n",
			column: "2",
			want:   "locked " + argon2,
		},
		{
			name:   "an empty field",
			text:   "1;\n2;" + argon2 + "\n",
			column: "2",
			want:   " " + argon2,
		},
		{
			name:   "a quoted name",
			text:   "\"hash\"\n\"" + bcrypt + "\"\n" + argon2,
			column: "hash",
			want:   " " + bcrypt + " " + argon2,
		},
		{
			name:   "a row without the column",
			text:   "hash,id\n\"a \"\"quote\"\"\",1\nx\n",
			column: "id",
			want:   " error error",
		},
		{
			name:   "a marker before a hash",
			text:   "id,hash\n1,!" + bcrypt + "\n2\n",
			column: "hash",
			want:   " locked" + bcrypt + " error",
		},
		{
			name:   "no such column",
			text:   "id,\"name\"\n",
			column: "hash",
			want:   `its first row has no column "hash"`,
		},
		{
			name:   "no column 0",
			text:   "id,hash\n",
			column: "0",
			want:   `its first row has no column "0"`,
		},
		{
			name:   "a quote inside of a field",
			text:   "hash\n\"a\"b\n",
			column: "hash",
			want:   "line 2 is no row of a CSV: a quote that does not begin or end a field",
		},
		{
			name:   "a quote that begins late",
			text:   "hash\na\"\nb",
			column: "hash",
			want:   "line 2 is no row of a CSV: a quote that does not begin or end a field",
		},
		{
			name:   "a quote that is not closed",
			text:   "hash\n\"a",
			column: "hash",
			want:   "line 2 is no row of a CSV: a quote that is not closed",
		},
		{
			name:   "a long row",
			text:   "hash\n\"" + strings.Repeat("x\n", MaxLine),
			column: "hash",
			want:   "line 2 has more than 1048576 bytes, or a quote that is not closed",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := read(t, c.text, c.column)
			got := strings.Join(found, " ")
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%.80q: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// Whatever form a hash has, it is found in every kind of file.
func TestForms(t *testing.T) {
	text, err := os.ReadFile("../../password/legacy/testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}

	p := policy()
	n := 0

	for line := range strings.Lines(string(text)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		hash := field[len(field)-1]
		if _, err := p.Inspect(hash); err != nil || len(field) != 3 {
			continue
		}
		n++

		for _, c := range [][2]string{
			{"HASH", ""}, {"ada:HASH\r\n", ""}, {"ada@example.com:!HASH", ""}, {"ada:HASH:19000:0:99999:7:::", ""},
			{"ada:HASH:1:1:Ada:/home/ada:/bin/sh", ""}, {"1;HASH;x", "2"}, {"1\tHASH\tx", "2"}, {"1,\"HASH\",x", "2"},
		} {
			for l, err := range NewReader(strings.NewReader(strings.Replace(c[0], "HASH", hash, 1)), p, c[1]).All() {
				salted := isDigest(strings.Split(hash, ":")[0]) && errors.Is(l.Err, errTwo)
				if err != nil || l.Hash != hash || l.Err != nil && !salted {
					t.Errorf("%s of %q: %q, %v, %v", c[0], hash, l.Hash, l.Err, err)
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("%d hashes", n)
	}
}

// All but the hash stays, in each kind of file; a hash with the separator in it is quoted.
func TestWith(t *testing.T) {
	for _, c := range []struct{ text, column string }{
		{"HASH", ""}, {"\ufeffHASH\r\n", ""}, {"ada:HASH:1\r\n", ""}, {"ada:!!HASH:1:2:3:4:::\n", ""},
		{"name;hash\r\nada;HASH;x\r\n", "hash"}, {"hash\tname\n!HASH\tada\n", "hash"}, {"name,hash\nada,\"HASH\" ,x\n", "hash"},
		{"1, HASH ,\"Ada \"\"L\"\"\n\"\n", "2"},
	} {
		text := strings.ReplaceAll(c.text, "HASH", md5)
		got := ""
		for l, err := range NewReader(strings.NewReader(text), policy(), c.column).All() {
			switch {
			case err != nil:
				t.Fatal(err)
			case l.Hash != "":
				got += l.With(argon2)
			default:
				got += l.Text()
			}
		}
		want := argon2
		if strings.Contains(c.text, ", HASH") {
			want = `"` + want + `"`
		}
		if want = strings.ReplaceAll(c.text, "HASH", want); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, text, column, user, want, err string }{
		{name: "the first hash", text: "# x\n\n" + bcrypt + "\n" + md5, want: bcrypt},
		{name: "a line's number", text: bcrypt + "\n" + md5, user: "2", want: md5},
		{name: "a name", text: "a:" + bcrypt + "\r\nb:" + md5, user: "b", want: md5},
		{name: "another column of a CSV", text: "name,mail,hash\na,a@b," + bcrypt, column: "hash", user: "a@b", want: bcrypt},
		{name: "no hash", text: "ab:1\na:\n", user: "a", err: `line 2, of the user "a", has no hash`},
		{name: "a marker", text: "a:*", user: "a", err: `line 1, of the user "a", has no hash`},
		{name: "what is not read", text: "a:x", user: "a", want: "x", err: "unreadable hash"},
		{name: "nobody of that name", text: "a", user: "a", err: `no line of the user "a"`},
		{name: "two of that name", text: "a:1\nb:2\na:1\n", user: "a", err: "lines 1 and 3"},
		{name: "no hash at all", text: "# x\n!\n", err: "unreadable hash: there is none"},
		{name: "a long line before", text: "a:1\nx:" + strings.Repeat("y", MaxLine), user: "a", err: "line 2 has more than 1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := NewReader(strings.NewReader(c.text), policy(), c.column).Find(c.user)
			if l.Hash != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q, %v; want %q, %q", l.Hash, err, c.want, c.err)
			}
		})
	}
}

// salted reads an MD5, a colon and any salt.
type salted struct{}

func (salted) Name() string { return "salted" }

func (salted) Parse(encoded string) (password.Parsed, error) {
	if sum, _, ok := strings.Cut(encoded, ":"); !ok || !isDigest(sum) {
		return nil, nil
	}
	return &password.Computed{
		Sum:     make([]byte, 16),
		Time:    func(int) time.Duration { return time.Microsecond },
		Compute: func([]byte, []byte, func() bool) []byte { return make([]byte, 16) },
	}, nil
}

// Where a hash may end in two places, neither is taken: the other may be right. A name may be as
// long as a digest, and its account have no password.
func TestTwo(t *testing.T) {
	formats, err := password.NewFormats(salted{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text, hash string
		err              error
	}{
		{name: "a digest and its salt", text: joomla, hash: joomla},
		{name: "behind a name", text: "ada:" + joomla, hash: joomla},
		{name: "behind a name, before a number", text: "ada:" + joomla + ":1", hash: joomla, err: errTwo},
		{name: "a name like a digest", text: joomla[:33] + bcrypt, hash: bcrypt},
		{name: "such a name, and a marker", text: joomla[:33] + "!"},
		{name: "such a name, and nothing", text: joomla[:33]},
	} {
		t.Run(c.name, func(t *testing.T) {
			for l := range NewReader(strings.NewReader(c.text), password.Policy{Formats: formats}, "").All() {
				if l.Hash != c.hash || !errors.Is(l.Err, c.err) {
					t.Errorf("%q, %v; want %q, %v", l.Hash, l.Err, c.hash, c.err)
				}
			}
		})
	}
}

// Whatever a file holds, its lines are the file, and a hash that replaces one is read in its place.
func FuzzReader(f *testing.F) {
	for _, text := range []string{"ada:$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/:1\r\n", "\ufeff!" + bcrypt, "\"" + md5 + "\",\"a\nb\"\n", "1;" + argon2} {
		f.Add(text, "")
		f.Add(text, "1")
	}

	f.Add("id,\"hash\"\n1,"+md5, "hash")

	f.Fuzz(func(t *testing.T, text, column string) {
		before := ""
		for l, err := range NewReader(strings.NewReader(text), policy(), column).All() {
			if err != nil {
				return
			}
			if l.Hash != "" && l.Err == nil {
				after := before + l.With(argon2)
				var last Line
				for l, err := range NewReader(strings.NewReader(after), policy(), column).All() {
					if last = l; err != nil {
						t.Fatalf("%q, once %q: %v", after, text, err)
					}
				}
				if last.Hash != argon2 || last.Locked != l.Locked {
					t.Fatalf("%q, once %q: %q", after, text, last.Hash)
				}
			}
			before += l.Text()
		}

		if before != text {
			t.Errorf("%q: %q", text, before)
		}
	})
}
