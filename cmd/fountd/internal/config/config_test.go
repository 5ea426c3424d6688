// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/internal/fleet"
	"fount/password"
)

func file(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// A flag goes before the environment, that before the file, and that before the default; each says where it is from.
func TestPrecedence(t *testing.T) {
	path := file(t, "f.toml", "workers = 2\nqueue = 20\nmax-wait = \"2s\"\nlisten = [\"127.0.0.1:2\"]\n", 0o600)
	c, err := Load([]string{"--config", path, "--workers=4", "--listen", "127.0.0.1:4", "--listen", "[::1]:4", "--access-log"},
		[]string{"FOUNTD_WORKERS=3", "FOUNTD_QUEUE=30", "FOUNTD_LISTEN=127.0.0.1:3", "FOUNTD_NOTHING=1"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Workers != 4 || c.Queue != 30 || c.MaxWait != 2*time.Second || !c.AccessLog || c.Drain != usualDrain ||
		strings.Join(c.Listen, " ") != "127.0.0.1:4 [::1]:4" {
		t.Errorf("%+v", c)
	}
	var shown strings.Builder
	if err := c.Show(&shown); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"workers = 4 # flag --workers", "queue = 30 # environment FOUNTD_QUEUE", `max-wait = "2s" # file ` + path,
		`drain = "10s" # default`, `listen = ["127.0.0.1:4", "[::1]:4"] # flag --listen`, `policy = "argon2id,m=19456,t=2,p=1" # default`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(shown.String()), " ")+" ", line+" ") {
			t.Errorf("no %q in\n%s", line, shown.String())
		}
	}
}

// Nobody's.
var sha512Crypt = "$6$saltsalt$" + strings.Repeat("a", 86)

// What is shown is a file that says the same.
func TestShowIsAFile(t *testing.T) {
	first, err := Load([]string{
		"--listen=127.0.0.1:1", "--pepper", "a=/p q/\"\\x", "--pepper", "b=credential:y",
		"--policy", "bcrypt,cost=11", "--memory", "512M", "--markers", "--sample", sha512Crypt, "--max-conns=5", "--socket=",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var shown, again strings.Builder
	first.Show(&shown)
	second, err := Load([]string{"--config", file(t, "f.toml", shown.String(), 0o600)}, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, shown.String())
	}
	if live, restart := first.Changed(second); live != nil || restart != nil {
		t.Errorf("%v and %v have changed", live, restart)
	}
	second.Show(&again)
	if strings.Contains(again.String(), "# default") || second.Memory != 512<<20 || second.Policy.Cost != 11 || len(second.Samples) != 1 || second.Peppers[1] != (Pepper{"b", "credential:y"}) {
		t.Errorf("%s", again.String())
	}
	third, err := Load([]string{"--listen=127.0.0.1:2", "--workers=1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	live, restart := second.Changed(third)
	if !strings.Contains(strings.Join(live, " "), "workers") || strings.Join(restart, " ") != "socket listen max-conns" {
		t.Errorf("%v and %v have changed", live, restart)
	}
}

func TestErrors(t *testing.T) {
	toml := func(text string) []string { return []string{"--config", file(t, "f.toml", text, 0o600)} }
	fleet := func(url string, more ...string) []string {
		return append([]string{"--nats", url, "--nats-key", "k"}, more...)
	}
	for _, c := range []struct {
		args []string
		env  []string
		want string
	}{
		{[]string{"--workers", "-1"}, nil, `"-1" is not a number from 0 to 65536`},
		{[]string{"--worker", "1"}, nil, "-worker"},
		{[]string{"serve"}, nil, `unexpected argument "serve"`},
		{[]string{"5f4dcc3b5aa765d61d8327deb882cf99"}, nil, "unexpected argument; want flags"},
		{[]string{"X03MO1qnZdYdgyfeuILPmQ=="}, nil, "unexpected argument; want flags"},
		{[]string{"5f4dcc3b5aa765d61d8327deb882cf9"}, nil, `unexpected argument "5f4dcc3b5aa765d61d8327deb882cf9"`},
		{[]string{"--" + strings.Repeat("f", 32)}, nil, "unknown flag; want --sample"},
		{[]string{"--" + strings.Repeat("f", 31)}, nil, "not defined: -" + strings.Repeat("f", 31)},
		{[]string{"{SSHA}x"}, nil, "unexpected argument; want flags"},
		{[]string{"-5f4dcc3b5aa765d61d8327deb882cf99"}, nil, "unknown flag; want --sample"},
		{[]string{"--max-wait", "300"}, nil, `"300" is not a duration from 1ms to 1h0m0s`},
		{[]string{"--memory", "1T"}, nil, `"1T" is not a number of bytes`},
		{[]string{"--memory", "9999999999G"}, nil, "is not a number of bytes"},
		{[]string{"--policy", "md5"}, nil, `"md5" is not a policy`},
		{[]string{"--policy", "bcrypt,cost=31"}, nil, "cost"},
		{[]string{"--policy", "bcrypt,cost=" + strings.Repeat("0", 1000) + "31"}, nil, "cost"},
		{[]string{"--sample", sha512Crypt[1:]}, nil, "unreadable hash"},
		{[]string{"--sample", sha512Crypt, "--legacy=false"}, nil, "a sample of another maker's form is of use with legacy only"},
		{[]string{"--pepper", "x"}, nil, `"x" is not a pepper`},
		{[]string{"--pepper", "x=/a", "--pepper", "x=/b"}, nil, `two have the ID "x"`},
		{[]string{"--tls-cert", "a"}, nil, "tls-cert and tls-key belong together"},
		{[]string{"--tls-client-ca", "a"}, nil, "with tls-cert and tls-key only"},
		{[]string{"--listen", "8080"}, nil, `"8080" is not an address`},
		{[]string{"--listen", ":8080"}, nil, `":8080" is beyond loopback, where passwords would travel in clear: give --tls-cert, --tls-key and --tls-client-ca, or listen on 127.0.0.1:8080`},
		{[]string{"--listen", "0.0.0.0:80"}, nil, "beyond loopback"},
		{[]string{"--listen", "localhost.evil.example:80"}, nil, "beyond loopback"},
		{[]string{"--listen", "0.0.0.0:80", "--tls-cert", "a", "--tls-key", "b"}, nil, "--tls-client-ca"},
		{[]string{"--nats", "nats://b:4222"}, nil, "fountd key new FILE, and give --nats-key FILE"},
		{[]string{"--nats-key", "k"}, nil, "nats-key is of use with nats only"},
		{fleet("b:4222"), nil, `"b:4222" is no broker; want nats://HOST:PORT or tls://HOST:PORT`},
		{fleet("nats://a:1,http://b:1"), nil, `"http://b:1" is no broker`},
		{fleet("user:secret@b:4222"), nil, `nats: "b:4222" is no broker`},
		{fleet("ws://user:secr@et@b"), nil, `nats: "b" is no broker`},
		{fleet("nats://user:secret@b:4222"), nil, "the URL of b:4222 holds a user; give --nats-nkey or --nats-creds"},
		{fleet("nats://b:1", "--nats-subject", "a b"), nil, `"a b" is no subject`},
		{fleet("nats://b:1", "--nats-subject", "a.>"), nil, `"a.>" is no subject`},
		{fleet("nats://b:1", "--nats-nkey", "a", "--nats-creds", "b"), nil, "want one of them"},
		{nil, []string{"FOUNTD_ACCESS_LOG=maybe"}, `FOUNTD_ACCESS_LOG: "maybe" is neither true nor false`},
		{[]string{"--config", "/nowhere/f.toml"}, nil, "no such file"},
		{toml("wrokers = 1"), nil, `there is no setting "wrokers"`},
		{toml("[server]\nworkers = 1"), nil, `there is no setting "server"`},
		{toml("workers = \n"), nil, "f.toml:1:"},
		{toml("workers = 1\nworkers = 2"), nil, "f.toml"},
		{toml("workers = \"many\""), nil, `workers: "many" is not a number`},
		{toml("workers = true"), nil, "workers: is a TOML value of another type"},
		{toml("listen = \"127.0.0.1:1\""), nil, "want an array of strings"},
		{toml("listen = [1]"), nil, "want strings"},
		{toml("markers = 1"), nil, "want true or false"},
		{toml("socket = 1"), nil, "want a string"},
	} {
		_, err := Load(c.args, c.env)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
			t.Errorf("%q %q: %v; want one short line with %q", c.args, c.env, err, c.want)
		}
	}
	for _, args := range [][]string{
		fleet("nats://a:1,tls://b:1", "--nats-ca", "f"),
		{"--listen", "127.0.0.1:1"}, {"--listen", "[::1]:1"}, {"--listen", "localhost:1"},
		{"--listen", "0.0.0.0:1", "--tls-cert", "a", "--tls-key", "b", "--tls-client-ca", "c"},
		{"--sample", "$pbkdf2-sha256$i=27500$c2FsdHNhbHRzYWx0$" + strings.Repeat("A", 86), "--legacy=false"}, // two digests, which no policy makes
	} {
		if _, err := Load(args, nil); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// A sample may be somebody's hash: no error has a part of it, whichever way it came.
func TestErrorsHideSamples(t *testing.T) {
	const secret = "SECRETsecretSECRETsecret"
	for _, hash := range []string{
		secret, "$6$" + secret + "$" + secret, "$2b$10$" + secret, "$2b$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFM" + secret[:14], "$y$" + secret, "{" + secret + "}" + secret,
		secret + "$1000$" + secret, "user:" + secret, "\"" + secret, secret + "\n",
	} {
		toml := func(text string) []string { return []string{"--config", file(t, "f.toml", text, 0o600)} }
		for way, in := range map[string]struct{ args, env []string }{
			"flag":          {args: []string{"--sample", hash}},
			"flag with =":   {args: []string{"-sample=" + hash}},
			"last flag":     {args: []string{"--sample", sha512Crypt, "--sample", hash}},
			"argument":      {args: []string{"--sample", sha512Crypt, hash}},
			"variable":      {env: []string{"FOUNTD_SAMPLE=" + sha512Crypt + " " + hash}},
			"file":          {args: toml("sample = [" + quoted(hash) + "]\n")},
			"no list":       {args: toml("sample = " + quoted(hash) + "\n")},
			"without quote": {args: toml("sample = " + hash + "\n")},
			"half a quote":  {args: toml("sample = [\"" + hash + "\n")},
		} {
			_, err := Load(in.args, in.env)
			if err == nil {
				t.Errorf("%s: %q is taken", way, hash)
				continue
			}
			for i := range len(secret) - 5 {
				if strings.Contains(err.Error(), secret[i:i+5]) {
					t.Errorf("%s: %q: the error has a part of it: %v", way, hash, err)
					break
				}
			}
		}
	}
}

func TestSocket(t *testing.T) {
	for dir, want := range map[string]string{"": "/run/fountd/fountd.sock", "/run/user/1": "/run/user/1/fountd/fountd.sock"} {
		if got := Socket(func(string) string { return dir }); got != want {
			t.Errorf("XDG_RUNTIME_DIR=%s: %s", dir, got)
		}
	}
}

// Each setting is in the help, which fits a terminal of 130 columns.
func TestFlags(t *testing.T) {
	text := Flags()
	for _, s := range usual().settings {
		if !strings.Contains(text, "--"+s.name) {
			t.Errorf("no --%s in\n%s", s.name, text)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 131 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}

func TestPeppers(t *testing.T) {
	secret := "0123456789abcdef0123456789abcde\n" // as bytes, not as text
	std := base64.StdEncoding.EncodeToString([]byte(secret + "\xff\xfe\xfd"))
	url := base64.RawURLEncoding.EncodeToString([]byte(secret + "\xff\xfe\xfd"))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cred"), []byte(std), 0o440); err != nil {
		t.Fatal(err)
	}
	read := func(place string) ([]password.Key, error) {
		c := &Config{Peppers: []Pepper{{"k", place}}}
		return c.ReadPeppers(func(string) string { return dir })
	}
	for _, place := range []string{file(t, "a", std+"\n", 0o600), file(t, "b", url, 0o400), "credential:cred"} {
		keys, err := read(place)
		if err != nil || len(keys) != 1 || keys[0].ID != "k" || string(keys[0].Secret) != secret+"\xff\xfe\xfd" {
			t.Errorf("%s: %v, %v", place, keys, err)
			continue
		}
		Wipe(keys)
		if strings.Trim(string(keys[0].Secret), "\x00") != "" {
			t.Error("a secret is left")
		}
	}
	for _, c := range []struct{ place, want string }{
		{file(t, "c", std, 0o640), "others can read it: chmod 600 it"},
		{file(t, "d", std, 0o604), "others can read it"},
		{file(t, "e", "", 0o600), "holds no base64"},
		{file(t, "f", "not base64!", 0o600), "holds no base64"},
		{file(t, "g", "YQ==\nYQ==\n", 0o600), "several lines"},
		{file(t, "h", strings.Repeat("A", 2000), 0o600), "more than 1024 bytes"},
		{dir, "is not a file"},
		{filepath.Join(dir, "none"), "no such file"},
		{"credential:none", "no such file"},
		{"credential:../cred", `no credential "../cred"`},
	} {
		if _, err := read(c.place); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), std) {
			t.Errorf("%s: %v; want %q", c.place, err, c.want)
		}
	}
	c := &Config{Peppers: []Pepper{{"k", "credential:cred"}}}
	if _, err := c.ReadPeppers(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "LoadCredential=") {
		t.Errorf("without credentials: %v", err)
	}
}

// A key file holds several keys, in files of mode 0600 or systemd credentials; the first file's come first.
func TestFleetKeys(t *testing.T) {
	dir := t.TempDir()
	make := func(path string, n int) (made []fleet.Key) {
		t.Helper()
		for range n {
			k, err := fleet.NewKey(time.Now())
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, k)
		}
		if err := fleet.CreateKeyFile(path, made...); err != nil {
			t.Fatal(err)
		}
		return made
	}
	path := filepath.Join(dir, "a")
	want := append(make(path, 2), make(filepath.Join(dir, "cred"), 1)...)
	if err := os.Chmod(filepath.Join(dir, "cred"), 0o440); err != nil {
		t.Fatal(err)
	}
	read := func(places ...string) ([]fleet.Key, error) {
		return (&Config{NATSKeys: places}).ReadFleetKeys(func(string) string { return dir })
	}
	keys, err := read(path, "credential:cred")
	if err != nil || len(keys) != len(want) {
		t.Fatalf("%d keys, %v; want %d", len(keys), err, len(want))
	}
	for i, k := range keys {
		if k.ID != want[i].ID {
			t.Errorf("key %d is %s; want %s", i, k.ID, want[i].ID)
		}
	}
	for place, fault := range map[string]string{
		filepath.Join(dir, "cred"): "others can read it: chmod 600 it", filepath.Join(dir, "none"): "no such file", "credential:../a": "no credential",
		file(t, "empty", "", 0o600): "no key in the file", file(t, "long", strings.Repeat("#", 9000), 0o600): "more than",
	} {
		if _, err := read(place); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v; want %q", place, err, fault)
		}
	}
}

// Whatever a file holds is refused or shown as a file that is read alike.
func FuzzFile(f *testing.F) {
	for _, text := range []string{"", "workers = 1\n", "policy = \"bcrypt\"", "memory = \"1G\"\nmax-wait = '5ms'", "[a]\nb=1", "socket = \"\\u0000\\\"\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := Load([]string{"--config", file(t, "f", text, 0o600)}, nil)
		if err != nil {
			return
		}
		var shown strings.Builder
		first.Show(&shown)
		second, err := Load([]string{"--config", file(t, "g", shown.String(), 0o600)}, nil)
		if err != nil {
			t.Fatalf("%q is shown as %s: %v", text, shown.String(), err)
		}
		if live, restart := first.Changed(second); live != nil || restart != nil {
			t.Errorf("%q: %v and %v have changed", text, live, restart)
		}
	})
}

// A hash where a flag is expected is not repeated either.
func TestErrorsHideStrayHashes(t *testing.T) {
	for _, arg := range []string{sha512Crypt, "-" + sha512Crypt, "--" + sha512Crypt, "--x=" + sha512Crypt} {
		if _, err := Load([]string{arg}, nil); err == nil || strings.Contains(err.Error(), sha512Crypt[len(sha512Crypt)-8:]) {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
