// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"fount/internal/hashfile"
	"fount/internal/test/require"
	"fount/password"
)

func cheapWrapping(t *testing.T) *wrapping {
	t.Helper()
	return &wrapping{policy: withForms(password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1}), named: []string{"django"}}
}

// reader reads a store for w.
func (w *wrapping) reader(in io.Reader) *hashfile.Reader { return hashfile.NewReader(in, w.policy, "") }

// Many lines come out in their order, each wrapped; no more are read ahead than there are cores.
func TestWrapOrder(t *testing.T) {
	w := cheapWrapping(t)
	const n = 500
	var read atomic.Int64
	in := readerFunc(func(p []byte) (int, error) {
		i := read.Add(1)
		if i > n {
			return 0, io.EOF
		}
		return copy(p, fmt.Sprintf("user%d:md5$$%032x\n", i, i)), nil // a line at a time
	})

	written, ahead := 0, 0
	var out bytes.Buffer
	lines := writerFunc(func(p []byte) (int, error) {
		written++
		ahead = max(ahead, int(read.Load())-written)
		return out.Write(p)
	})

	err := w.run(t.Context(), w.reader(in), lines, nil)
	if err != nil || w.of[lineWrapped] != n || w.lines != n || written != n || ahead > runtime.GOMAXPROCS(0)+3 {
		t.Fatalf("%v, %+v, %d writes, up to %d lines ahead", err, w, written, ahead)
	}

	i := 0
	for line := range strings.Lines(out.String()) {
		i++
		if !strings.HasPrefix(line, fmt.Sprintf("user%d:%s", i, wrapMark)) ||
			!strings.HasSuffix(line, "$md5$$"+strings.Repeat("0", 32)+"\n") {
			t.Fatalf("line %d: %s", i, line)
		}
	}
}

// An input that gives nothing does not hold up the end, and a full output is the end.
func TestWrapEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	blocked, end := make(chan struct{}), make(chan struct{})
	defer close(end)
	first := true
	in := readerFunc(func(p []byte) (int, error) {
		if first {
			first = false
			return copy(p, "md5$$00000000000000000000000000000001\n"), nil
		}
		close(blocked)
		<-end
		return 0, io.EOF
	})

	go func() {
		<-blocked
		cancel()
	}()
	w := cheapWrapping(t)
	if err := w.run(ctx, w.reader(in), io.Discard, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want %v", err, context.Canceled)
	}

	full := errors.New("full")
	out := writerFunc(func([]byte) (int, error) { return 0, full })
	if err := w.run(t.Context(), w.reader(strings.NewReader(strings.Repeat("!\n", 1000))), out, nil); !errors.Is(err, full) {
		t.Errorf("%v; want %v", err, full)
	}
}

const cheap = "argon2id,m=8,t=1" // a policy

const wrapMark = "fount_wrap$fount-wrap$v=1" // of Django's

// What -o replaces has its own mode and owner again; a store that is changed, or can't be read to
// its end, stays as it is, and nothing is left beside it.
func TestWrapReplaces(t *testing.T) {
	const text = "md5$$0123456789abcdef0123456789abcdef\n"
	for name, c := range map[string]struct {
		rest   io.Reader
		status int
		after  string
	}{
		"whole":   {strings.NewReader(""), statusOK, wrapMark},
		"broken":  {iotest.ErrReader(errors.New("disk")), statusFailed, text},
		"changed": {nil, statusFailed, "new"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := filepath.Join(dir, "store")
			require.NoError(t, errors.Join(os.WriteFile(store, []byte(text), 0o600), os.Chmod(store, 0o640)))
			if c.rest == nil {
				c.rest = readerFunc(func([]byte) (int, error) { return 0, errors.Join(io.EOF, os.WriteFile(store, []byte("new"), 0)) })
			}
			in := io.MultiReader(strings.NewReader(text), c.rest)
			status, out, said := run(in, "password", "wrap", "-", "--form", "django", "-o", store, "--policy", cheap)
			if status != c.status || out != "" {
				t.Errorf("status %d, %s", status, said)
			}

			got, err := os.ReadFile(store)
			info, statErr := os.Stat(store)
			require.NoError(t, errors.Join(err, statErr))
			left, err := os.ReadDir(dir)
			if !strings.HasPrefix(string(got), c.after) || info.Mode() != 0o640 || err != nil || len(left) != 1 {
				t.Errorf("the store is %q, %v, beside %v, %v", got, info.Mode(), left, err)
			}

			if (c.status != statusOK) != strings.Contains(said, store+" is not replaced") {
				t.Error(said)
			}
		})
	}
}

// A store that changes while it is wrapped into another file is not what that file would have.
func TestWrapInputChanged(t *testing.T) {
	dir := t.TempDir()
	store, other := filepath.Join(dir, "store"), filepath.Join(dir, "other")
	const text = "{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=\n"
	require.NoError(t, os.WriteFile(store, []byte(text), 0o600))
	in := readerFunc(func(p []byte) (int, error) {
		return copy(p, "correct horse"), errors.Join(io.EOF, os.WriteFile(store, []byte(text+text), 0o600))
	})
	status, _, said := run(in, "password", "wrap", store, "--user", "1", "-o", other, "--policy", cheap)
	if _, err := os.Stat(other); status != statusFailed || err == nil || !strings.Contains(said, "store has changed meanwhile") {
		t.Errorf("status %d, %v, %s", status, err, said)
	}
}

// Killed at whatever it has written, it leaves the old store whole.
func TestWrapKilled(t *testing.T) {
	if _, err := exec.LookPath("fount"); err != nil {
		t.Skip(err)
	}
	text := strings.Repeat("md5$$0123456789abcdef0123456789abcdef\n", 300)
	for _, written := range []int64{0, 1, 16 << 10} {
		dir := t.TempDir()
		store := filepath.Join(dir, "store")
		require.NoError(t, os.WriteFile(store, []byte(text), 0o600))

		cmd := exec.Command("fount", "password", "wrap", "-", "--form", "django", "-o", store, "--policy", cheap)
		in, err := cmd.StdinPipe() // it stays open, so nothing is the end
		require.NoError(t, errors.Join(err, cmd.Start()))

		_, err = io.WriteString(in, text)
		for size := int64(-1); err == nil && size < written; runtime.Gosched() {
			others, _ := filepath.Glob(filepath.Join(dir, ".store.*"))
			for _, other := range others {
				if info, err := os.Stat(other); err == nil {
					size = info.Size()
				}
			}
		}

		err = errors.Join(err, cmd.Process.Kill())
		_ = cmd.Wait()
		got, readErr := os.ReadFile(store)
		if err := errors.Join(err, readErr); err != nil || string(got) != text {
			t.Errorf("killed once it had written %d bytes: %v, %d bytes are left of %d", written, err, len(got), len(text))
		}
	}
}

// alike are makers that write the same text, each with another sum, as their sources say: see
// package legacy's table, and hashcat's modes. A maker without a form has none here.
var alike = map[string]struct {
	form string
	hash func(p, salt string) string
}{
	"Joomla before 3.2":     {"joomla", func(p, salt string) string { return sumOf(md5.New, p+salt) + ":" + salt }},
	"Magento 1, osCommerce": {"magento1", func(p, salt string) string { return sumOf(md5.New, salt+p) + ":" + salt }},
	"MyBB, IPB": {"mybb", func(p, salt string) string {
		return sumOf(md5.New, sumOf(md5.New, salt)+sumOf(md5.New, p)) + ":" + salt
	}},
	"vBulletin":           {"vbulletin", func(p, salt string) string { return sumOf(md5.New, sumOf(md5.New, p)+salt) + ":" + salt }},
	"hashcat 3710":        {"", func(p, salt string) string { return sumOf(md5.New, salt+sumOf(md5.New, p)) + ":" + salt }},
	"hashcat 60, HMAC":    {"", func(p, salt string) string { return hmacOf(md5.New, salt, p) + ":" + salt }},
	"Django":              {"django", func(p, salt string) string { return "md5$" + salt + "$" + sumOf(md5.New, salt+p) }},
	"Werkzeug before 3":   {"werkzeug", func(p, salt string) string { return "md5$" + salt + "$" + hmacOf(md5.New, salt, p) }},
	"web2py":              {"web2py", func(p, salt string) string { return "md5$" + salt + "$" + sumOf(md5.New, p+salt) }},
	"Django's subclasses": {"django-salted", func(p, salt string) string { return "sha256$" + salt + "$" + sumOf(sha256.New, salt+p) }},
	"Werkzeug, SHA-256":   {"werkzeug", func(p, salt string) string { return "sha256$" + salt + "$" + hmacOf(sha256.New, salt, p) }},
	"web2py, SHA-256":     {"web2py", func(p, salt string) string { return "sha256$" + salt + "$" + sumOf(sha256.New, p+salt) }},
	"mosquitto-go-auth":   {"pbkdf2", func(p, salt string) string { return mosquitto(p, salt, []byte(salt)) }},
	"mosquitto-auth-plug": {"mosquitto-auth-plug", func(p, salt string) string {
		return mosquitto(p, salt, []byte(base64.StdEncoding.EncodeToString([]byte(salt))))
	}},
	"bcrypt":                {"bcrypt", bcryptOf},
	"Matomo, md5 first":     {"", func(p, salt string) string { return bcryptOf(sumOf(md5.New, p), salt) }},
	"Meteor, SHA-256 first": {"", func(p, salt string) string { return bcryptOf(sumOf(sha256.New, p), salt) }},
}

func sumOf(newHash func() hash.Hash, text string) string {
	h := newHash()
	io.WriteString(h, text)
	return hex.EncodeToString(h.Sum(nil))
}

func hmacOf(newHash func() hash.Hash, key, text string) string {
	return sumOf(func() hash.Hash { return hmac.New(newHash, []byte(key)) }, text)
}

func mosquitto(p, written string, salt []byte) string {
	sum, err := pbkdf2.Key(sha256.New, p, salt, 901, 24)
	must(err)
	return "PBKDF2$sha256$901$" + base64.StdEncoding.EncodeToString([]byte(written)) + "$" + base64.StdEncoding.EncodeToString(sum)
}

func bcryptOf(p, _ string) string {
	h, err := password.Hash(password.Policy{Algorithm: password.Bcrypt, Cost: 4}, []byte(p))
	must(err)
	return h
}

// Whoever wrote a store, and whatever is typed: it stays, byte for byte, or all its users can sign
// in. Of a store that two makers filled, one password proves nothing.
func TestWrapNeverGuesses(t *testing.T) {
	const ada, bob = "Herbst-2026 rain", "Winter-2026 sun" // their passwords
	forms := []string{"", "joomla", "magento1", "mybb", "vbulletin", "django", "django-salted", "werkzeug", "web2py", "pbkdf2",
		"mosquitto-auth-plug", "bcrypt"}

	// wrap runs the command on a store of that text, and fails if a user is lost.
	wrap := func(t *testing.T, text, stdin string, args ...string) (status int, said string, isWritten bool) {
		t.Helper()
		store := filepath.Join(t.TempDir(), "store")
		require.NoError(t, os.WriteFile(store, []byte(text), 0o600))
		args = append([]string{"password", "wrap", store, "-o", store, "--policy", cheap}, args...)
		status, _, said = run(strings.NewReader(stdin), args...)

		after, err := os.ReadFile(store)
		require.NoError(t, err)
		if string(after) == text {
			return status, said, false
		}
		policy := withForms(password.Policy{})
		for user, secret := range map[string]string{"ada": ada, "bob": bob} {
			line, err := hashfile.NewReader(bytes.NewReader(after), policy, "").Find(user)
			if err == nil {
				_, err = password.Verify(policy, []byte(secret), line.Hash)
			}
			if err != nil {
				t.Errorf("%s is lost: %v", user, err)
			}
		}
		return status, said, true
	}

	for maker, m := range alike {
		text := "ada:" + m.hash(ada, "Zq3kT9vLxB7n") + "\nbob:" + m.hash(bob, "Wc2dRf5gHj8m") + "\n"
		for _, form := range forms {
			t.Run(maker+" as "+form, func(t *testing.T) {
				args := []string{"--user", "ada"}
				if form != "" {
					args = append(args, "--form", form)
				}
				status, said, isWritten := wrap(t, text, ada, args...)

				isRight := form != "" && form == m.form
				isTold := m.form != "" && strings.Contains(said, "--form "+m.form)
				if isWritten != isRight || (status == statusOK) != isRight || isTold {
					t.Errorf("status %d, written %v: %s", status, isWritten, said)
				}
			})
		}
		t.Run(maker+" without a proof", func(t *testing.T) {
			status, said, isWritten := wrap(t, text, "")
			if status != statusFailed || isWritten || !strings.Contains(said, "store is not replaced") {
				t.Errorf("status %d, written %v: %s", status, isWritten, said)
			}
		})
	}

	t.Run("bcrypt of two makers", func(t *testing.T) {
		mixed := "ada:" + bcryptOf(ada, "") + "\nbob:" + bcryptOf(sumOf(md5.New, bob), "") + "\n"
		if status, said, isWritten := wrap(t, mixed, ada, "--user", "ada"); status != statusFailed || isWritten {
			t.Errorf("status %d, written %v: %s", status, isWritten, said)
		}
	})
}

// A store that can't be read to its end ends the command with status 1, after the lines before.
func TestWrapReadError(t *testing.T) {
	const good = "md5$$0123456789abcdef0123456789abcdef\n!\n"
	for want, rest := range map[string]io.Reader{
		fmt.Sprintf("standard input: line 3 has more than %d bytes", hashfile.MaxLine): strings.NewReader(strings.Repeat("x", hashfile.MaxLine+1) + "\n" + good),
		"standard input: disk": iotest.ErrReader(errors.New("disk")),
	} {
		in := io.MultiReader(strings.NewReader(good), rest)
		status, out, said := run(in, "password", "wrap", "-", "--form", "django", "--policy", cheap)

		lines := strings.SplitAfter(out, "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], wrapMark) || lines[1] != "!\n" || lines[2] != "" {
			t.Errorf("%s: wrote %q; want the two good lines", want, lines)
		}
		if status != statusFailed || !strings.HasSuffix(said, "\nfount password wrap: "+want+"\n") || !strings.HasPrefix(said, "1 wrapped, ") {
			t.Errorf("status %d, %q; want %d, what was done, and %q", status, said, statusFailed, want)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
