// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Other programs, run: each makes a hash that is verified here, and verifies
// ours. What is not installed is skipped, and says so; FOUNT_REQUIRE=interop
// makes it an error. FOUNT_PYTHON names a Python with bcrypt, argon2-cffi and
// passlib (python3 if it is not set); the Debian packages of the others are
// php-cli, apache2-utils, perl and whois.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// An other is a program. Commands get the password in the environment variable
// PW, and a stored hash in HASH.
type other struct {
	name  string
	probe []string // succeeds if the program and what it needs is there
	make  []string // prints a hash
	check []string // prints "yes" if HASH is of PW; nil: it can't
	ours  []Policy // what it can verify
}

func python() string {
	if p := os.Getenv("FOUNT_PYTHON"); p != "" {
		return p
	}
	return "python3"
}

func pythonOther(name, imports, hash, check string, ours ...Policy) other {
	head := "import os\n" + imports + "\npw = os.fsencode(os.environ['PW']); h = os.environ.get('HASH', '')\n"
	return other{
		name:  name,
		probe: []string{python(), "-c", head},
		make:  []string{python(), "-c", head + "print(" + hash + ")"},
		check: []string{python(), "-c", head + "print('yes' if " + check + " else 'no')"},
		ours:  ours,
	}
}

// passlibShim lets passlib 1.7.4, the last, use bcrypt 5, which has no version
// where passlib looks for one and refuses its probe of 255 bytes.
const passlibShim = `import bcrypt
bcrypt.__about__ = type("about", (), {"__version__": bcrypt.__version__})
real = bcrypt.hashpw
bcrypt.hashpw = lambda pw, salt: real(pw[:72], salt)
from passlib.hash import bcrypt_sha256 as m`

func others() []other {
	bcrypt := Policy{Algorithm: Bcrypt, Cost: 4}
	pbkdf2sha256 := Policy{Algorithm: PBKDF2SHA256, Iterations: 1000}
	pbkdf2sha512 := Policy{Algorithm: PBKDF2SHA512, Iterations: 1000}
	scrypt := Policy{Algorithm: Scrypt, Cost: 8}
	argon2 := func(a Algorithm) Policy { return Policy{Algorithm: a, Memory: 64, Iterations: 2, Parallelism: 2} }

	const argon2Imports = "from argon2.low_level import Type, hash_secret, verify_secret"
	const argon2Verify = "verify_secret(h.encode(), pw, Type.%)"
	const argon2Make = "hash_secret(pw, os.urandom(16), 2, 64, 2, 32, Type.%).decode()"
	typed := func(s, t string) string { return strings.Replace(s, "%", t, 1) }

	htpasswdCheck := `printf '%s\n' "u:$HASH" >"$DIR/file" &&
		printf %s "$PW" | htpasswd -vi "$DIR/file" u 2>/dev/null && echo yes`
	perlCheck := `print "yes" if crypt($ENV{PW}, $ENV{HASH}) eq $ENV{HASH}`
	perl := func(name, setting string, ours ...Policy) other {
		return other{
			name:  name,
			probe: []string{"perl", "-e", `exit(length(crypt("x", "` + strings.ReplaceAll(setting, "$", `\$`) + `")) < 60)`},
			make:  []string{"perl", "-e", `print crypt($ENV{PW}, "` + strings.ReplaceAll(setting, "$", `\$`) + `")`},
			check: []string{"perl", "-e", perlCheck},
			ours:  ours,
		}
	}
	return []other{
		pythonOther("Python bcrypt", "import bcrypt",
			"bcrypt.hashpw(pw, bcrypt.gensalt(4)).decode()", "bcrypt.checkpw(pw, h.encode())", bcrypt),
		pythonOther("argon2-cffi argon2id", argon2Imports, typed(argon2Make, "ID"), typed(argon2Verify, "ID"),
			argon2(Argon2id)),
		pythonOther("argon2-cffi argon2i", argon2Imports, typed(argon2Make, "I"), typed(argon2Verify, "I"), argon2(Argon2i)),
		pythonOther("argon2-cffi argon2d", argon2Imports, typed(argon2Make, "D"), typed(argon2Verify, "D"), argon2(Argon2d)),
		pythonOther("passlib pbkdf2_sha256", "from passlib.hash import pbkdf2_sha256 as m",
			"m.using(rounds=1000).hash(pw)", "m.verify(pw, h)", pbkdf2sha256),
		pythonOther("passlib pbkdf2_sha512", "from passlib.hash import pbkdf2_sha512 as m",
			"m.using(rounds=1000).hash(pw)", "m.verify(pw, h)", pbkdf2sha512),
		pythonOther("passlib scrypt", "from passlib.hash import scrypt as m",
			"m.using(rounds=8).hash(pw)", "m.verify(pw, h)", scrypt),
		pythonOther("passlib bcrypt_sha256", passlibShim, "m.using(rounds=5).hash(pw)", "m.verify(pw, h)"),
		{
			name:  "PHP bcrypt",
			probe: []string{"php", "-r", "exit(PHP_MAJOR_VERSION < 7 ? 1 : 0);"},
			make:  []string{"php", "-r", "echo password_hash(getenv('PW'), PASSWORD_BCRYPT, ['cost' => 4]);"},
			check: []string{"php", "-r", "echo password_verify(getenv('PW'), getenv('HASH')) ? 'yes' : 'no';"},
			ours:  []Policy{bcrypt},
		},
		{
			name:  "PHP argon2id",
			probe: []string{"php", "-r", "exit(defined('PASSWORD_ARGON2ID') ? 0 : 1);"},
			make: []string{"php", "-r",
				"echo password_hash(getenv('PW'), PASSWORD_ARGON2ID, ['memory_cost' => 64, 'time_cost' => 2]);"},
			check: []string{"php", "-r", "echo password_verify(getenv('PW'), getenv('HASH')) ? 'yes' : 'no';"},
			ours:  []Policy{argon2(Argon2id), argon2(Argon2i)},
		},
		{
			name:  "htpasswd -B",
			probe: []string{"sh", "-c", "command -v htpasswd"},
			make:  []string{"sh", "-c", `printf %s "$PW" | htpasswd -niB -C 4 u | sed -n 's/^u://p'`},
			check: []string{"sh", "-c", htpasswdCheck},
			ours:  []Policy{bcrypt},
		},
		perl("libxcrypt 2b", "$2b$04$abcdefghijklmnopqrstuu", bcrypt),
		perl("libxcrypt 2y", "$2y$04$abcdefghijklmnopqrstuu"),
		perl("libxcrypt 7", "$7$5/..../....SaltOf16Letters."),
		{
			name:  "mkpasswd",
			probe: []string{"mkpasswd", "-m", "bcrypt", "-R", "4", "x"},
			make:  []string{"sh", "-c", `printf %s "$PW" | mkpasswd -s -m bcrypt -R 4`},
		},
	}
}

func run(t *testing.T, password, hash string, command []string) (string, error) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), "PW="+password, "HASH="+hash, "DIR="+t.TempDir())
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = errors.New(err.Error() + ": " + stderr.String())
	}
	return strings.TrimSpace(string(out)), err
}

func TestInterop(t *testing.T) {
	for _, o := range others() {
		t.Run(o.name, func(t *testing.T) {
			if _, err := run(t, "", "", o.probe); err != nil {
				require.Skip(t, "interop", fmt.Sprintf("%s is not installed: %v", o.name, err))
			}
			for _, password := range []string{"correct horse battery staple", "pässwörd €", strings.Repeat("x", 72)} {
				o.bothWays(t, password)
			}
		})
	}
}

func (o other) bothWays(t *testing.T, password string) {
	theirs, err := run(t, password, "", o.make)
	if err != nil || theirs == "" {
		t.Fatalf("%q: no hash: %v", password, err)
	}
	if _, err := Verify(Policy{}, []byte(password), theirs); err != nil {
		t.Errorf("%q: theirs, %s: %v", password, theirs, err)
	}
	if _, err := Verify(Policy{}, []byte(password[1:]), theirs); !errors.Is(err, ErrMismatch) {
		t.Errorf("%q less a byte: theirs, %s: %v", password, theirs, err)
	}
	for _, p := range o.ours {
		ours, err := Hash(p, []byte(password))
		if err != nil {
			t.Fatal(err)
		}
		if said, err := run(t, password, ours, o.check); err != nil || said != "yes" {
			t.Errorf("%q: they say %q of ours, %s: %v", password, said, ours, err)
		}
		if said, _ := run(t, password[1:]+"z", ours, o.check); said == "yes" { // some say no by an exit status
			t.Errorf("%q altered: they say %q of ours, %s", password, said, ours)
		}
	}
}
