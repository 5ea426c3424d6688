// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"
	"fount/password"
)

func file(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

func load(t *testing.T, args ...string) *Config {
	t.Helper()
	c, err := Load(args)
	require.NoError(t, err)
	return c
}

// A flag goes before the environment, that before the file, and that before the default.
func TestPrecedence(t *testing.T) {
	path := file(t, "workers = 2\nqueue = 20\nmax-wait = \"2s\"\nlisten = [\"127.0.0.1:2\"]\nlegacy = false\n", 0o600)
	t.Setenv("FOUNTD_WORKERS", "3")
	t.Setenv("FOUNTD_QUEUE", "30")
	t.Setenv("FOUNTD_LISTEN", "127.0.0.1:3 [::1]:3")
	t.Setenv("FOUNTD_CONFIG", path)

	c := load(t, "--workers=4", "--markers")
	if c.Workers != 4 || c.Queue != 30 || c.MaxWait != 2e9 || c.Legacy || !c.Markers || c.Drain != 10e9 ||
		strings.Join(c.Listen, " ") != "127.0.0.1:3 [::1]:3" {
		t.Errorf("%+v", c)
	}

	if c = load(t, "--listen", "127.0.0.1:4", "--listen", "[::1]:4"); strings.Join(c.Listen, " ") != "127.0.0.1:4 [::1]:4" {
		t.Errorf("%q", c.Listen)
	}
}

// What is shown is a file that says the same; what differs is found, and whether it takes a
// restart.
func TestShowAndChanged(t *testing.T) {
	first := load(t, "--listen=127.0.0.1:1", "--pepper", `a=/p/"\x`, "--pepper", "b=credential:y", "--policy", "bcrypt,cost=11", "--memory", "512M",
		"--markers", "--stored", "/s", "--legacy=false", "--form=django", "--form=joomla", "--max-conns=5", "--socket=")
	var shown strings.Builder
	require.NoError(t, first.Show(&shown))

	second := load(t, "--config", file(t, shown.String(), 0o600))
	if live, restart := first.Changed(second); live != nil || strings.Join(restart, " ") != "config" {
		t.Errorf("%v and %v have changed in\n%s", live, restart, &shown)
	}
	if second.Memory != 512<<20 || second.Policy.Cost != 11 || second.Peppers[1] != "b=credential:y" || second.Socket != "" || strings.Join(second.Forms, " ") != "django joomla" {
		t.Errorf("%+v", second)
	}

	live, restart := first.Changed(load(t, "--listen=127.0.0.1:2", "--workers=1"))
	if !strings.Contains(strings.Join(live, " "), "workers") || strings.Join(restart, " ") != "listen max-conns socket" {
		t.Errorf("%v and %v have changed", live, restart)
	}
}

func TestErrors(t *testing.T) {
	toml := func(text string) []string { return []string{"--config", file(t, text, 0o600)} }
	fleet := func(url string, more ...string) []string {
		return append([]string{"--nats", url, "--nats-key", "k"}, more...)
	}
	for want, args := range map[string][]string{
		"workers: -1; want 0 to 65536":                {"--workers", "-1"},
		"-worker":                                     {"--worker", "1"},
		`missing unit in duration "300"`:              {"--max-wait", "300"},
		"max-wait: -300ms; want 0s to 1h0m0s":         {"--max-wait", "-300ms"},
		`two have the ID "x"`:                         {"--pepper", "x=/a", "--pepper", "x=/b"},
		"max-handshakes: 0; want 1 to 16384":          {"--max-handshakes", "0"},
		"want a number of bytes":                      {"--memory", "-1M"},
		"too large: want at most 9223372036854775807": {"--memory", "9999999999G"},
		"cost":                                           {"--policy", "bcrypt,cost=31"},
		"tls-cert and tls-key belong together":           {"--tls-cert", "a"},
		"tls-client needs tls-client-ca":                 {"--tls-client", "a"},
		"no address of loopback":                         {"--admin", "0.0.0.0:9464"},
		`"localhost.evil.example:80" is beyond loopback`: {"--listen", "localhost.evil.example:80"},
		`":8080" is beyond loopback, where passwords would travel in clear: give --tls-cert, --tls-key and --tls-client-ca, or listen on 127.0.0.1:8080`: {"--listen", ":8080"},
		"--tls-client-ca, or listen on 127.0.0.1:80": {"--listen", "0.0.0.0:80", "--tls-cert", "a", "--tls-key", "b"},

		"fountd key new FILE, and give --nats-key FILE": {"--nats", "nats://b:4222"},
		"need nats":                 {"--nats-key", "k"},
		`"http://b:1" is no broker`: fleet("nats://a:1,http://b:1"),
		`nats: "b" is no broker`:    fleet("ws://user:secr@et@b"),
		"the URL of b:4222 holds a user; give --nats-nkey": fleet("nats://user:secret@b:4222"),
		`"a.>" is no subject`:                              fleet("nats://b:1", "--nats-subject", "a.>"),

		"f is empty":                    toml(""),
		`there is no setting "wrokers"`: toml("wrokers = 1"),
		"f:2:":                          toml("workers = 1\nworkers = 2"),
		"legacy":                        toml("legacy = 2"),
		`no form is named "joomla5"; want one of`: toml("form = [\"joomla5\"]"),
	} {
		t.Run(want, func(t *testing.T) {
			_, err := Load(args)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secr") {
				t.Errorf("%q: %v; want one line with %q", args, err, want)
			}
		})
	}

	for _, args := range [][]string{
		fleet("nats://a:1,tls://b:1", "--nats-ca", "f"),
		{"--listen", "127.0.0.1:1"}, {"--listen", "[::1]:1"}, {"--listen", "localhost:1"},
		{"--listen", "0.0.0.0:1", "--tls-cert", "a", "--tls-key", "b", "--tls-client-ca", "c"},
	} {
		if _, err := Load(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	t.Setenv("FOUNTD_MARKERS", "maybe")
	if _, err := Load(nil); err == nil || !strings.Contains(err.Error(), "FOUNTD_MARKERS=") {
		t.Errorf("a variable: %v", err)
	}
}

func TestPeppers(t *testing.T) {
	secret := "0123456789abcdef0123456789abcde\n"
	text := base64.StdEncoding.EncodeToString([]byte(secret))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cred"), []byte(text), 0o440))

	read := func(place string) ([]password.Key, error) {
		return (&Config{Peppers: []string{"k=" + place}}).ReadPeppers()
	}

	if _, err := read("credential:cred"); err == nil || !strings.Contains(err.Error(), "LoadCredential=") {
		t.Errorf("without credentials: %v", err)
	}

	t.Setenv("CREDENTIALS_DIRECTORY", dir)
	for _, place := range []string{file(t, text+"\n", 0o600), file(t, text, 0o400), "credential:cred"} {
		keys, err := read(place)
		if err != nil || len(keys) != 1 || keys[0].ID != "k" || string(keys[0].Secret) != secret {
			t.Errorf("%s: %v, %v", place, keys, err)
		}
	}

	for place, want := range map[string]string{
		file(t, text, 0o640):                       "others can read it: chmod 600 it",
		file(t, text, 0o604):                       "others can read it",
		file(t, "", 0o600):                         "holds no base64",
		file(t, "YQ==\nYQ==\n", 0o600):             "holds no base64",
		file(t, strings.Repeat("A", 20000), 0o600): "20000 bytes; want a secret of at most 16384",
		dir:                        "is not a file",
		filepath.Join(dir, "none"): "no such file",
		"credential:none":          "no such file",
		"credential:../cred":       `no credential "../cred"`,
	} {
		if _, err := read(place); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v; want %q", place, err, want)
		}
	}
}

// The file of stored is read as other stores are, and an error has no hash.
func TestReadStored(t *testing.T) {
	const hash = "$2b$05$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"
	c := Config{Stored: file(t, "\ufeff# the frequent ones\r\nada:"+hash+":1:2:3:4:::\r\n\r\nbob:!"+hash+"\r\n"+hash, 0o600)}
	got, err := c.ReadStored(password.Policy{})
	if err != nil || !slices.Equal(got, []string{hash, hash}) {
		t.Errorf("%q, %v", got, err)
	}

	c.Stored = file(t, hash+"\n"+hash[:59]+"\n", 0o600)
	if _, err := c.ReadStored(password.Policy{}); err == nil || !strings.Contains(err.Error(), "line 2: ") || strings.Contains(err.Error(), hash[30:40]) {
		t.Errorf("%v", err)
	}
}
