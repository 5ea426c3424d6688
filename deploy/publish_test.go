// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// outside is a program of somebody else; vet has something to say about its last line.
const outside = `package main

import (
	"PATH"
	"PATH/password"
	"PATH/password/passwordhttp"
	"PATH/remote"
	"PATH/remote/natsconn"
	fountprometheus "PATH/telemetry/prometheus"
)

var _ remote.Broker = (*natsconn.Conn)(nil)

func main() {
	hash, err := password.Hash(password.Default(), []byte("correct horse"))
	pool, bad := password.NewPool(password.Options{Policy: password.Default()})
	if err != nil || bad != nil {
		panic("no hash or no pool")
	}
	fountprometheus.NewCollector(pool, "logins")
	_ = passwordhttp.Gate{Pool: pool}
	println(len(fount.Token(32)), hash[:10])
}

func digits() uint32 { return fount.Uint32() % 1000 }
`

// The modules that a publisher makes are got, verified, built, installed and run by somebody who has
// nothing else, and a repository with their tags has the same sums.
func TestPublish(t *testing.T) {
	for _, program := range []string{"go", "git", "perl"} {
		if _, err := exec.LookPath(program); err != nil {
			require.Skip(t, "publish", err.Error())
		}
	}
	if err := exec.Command("git", "rev-parse", "HEAD").Run(); err != nil {
		require.Skip(t, "publish", "the checkout is no git repository")
	}

	// Capital letters need an escape in a proxy. The go command knows that GitHub has repositories.
	const path = "github.com/Example/fount"
	tmp := t.TempDir()
	public := filepath.Join(tmp, "public")

	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-modcacherw -trimpath -buildvcs=false", "GONOSUMDB="+path+","+path+"/*",
		"GIT_AUTHOR_NAME=fount", "GIT_AUTHOR_EMAIL=fount@example.org", "GIT_COMMITTER_NAME=fount", "GIT_COMMITTER_EMAIL=fount@example.org")
	run := func(dir string, args ...string) (string, error) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(dir string, args ...string) string {
		t.Helper()
		out, err := run(dir, args...)
		if err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
		return out
	}

	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	proxy := "file://" + public + "/proxy,file://" + strings.TrimSpace(must(here, "go", "env", "GOMODCACHE")) + "/cache/download," +
		strings.TrimSpace(must(here, "go", "env", "GOPROXY"))
	must(here, "./publish", path, "v0.1.0", public)

	env = append(env, "GOSUMDB=off", "GOMODCACHE="+tmp+"/got", "GOPROXY="+proxy, "GOBIN="+tmp)
	home := filepath.Join(tmp, "outside")
	if err := os.Mkdir(home, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "main.go"), []byte(strings.ReplaceAll(outside, "PATH", path)), 0o666); err != nil {
		t.Fatal(err)
	}
	must(home, "go", "mod", "init", "example.org/outside")

	modules := []string{path, path + "/remote", path + "/telemetry/prometheus", path + "/cmd"}
	must(home, append([]string{"go", "get", path + "/remote/natsconn"}, modules...)...)
	for want, args := range map[string][]string{
		"all modules verified\n": {"go", "mod", "verify"},
		"43 $argon2id$\n":        {"go", "run", "."},
	} {
		if out := must(home, args...); !strings.HasSuffix(out, want) {
			t.Errorf("%s: %swant %s", args, out, want)
		}
	}

	must(tmp, "go", "install", path+"/cmd/fount@v0.1.0")
	must(tmp, "go", "install", path+"/cmd/fountd@v0.1.0")
	must(tmp, "go", "install", path+"/cmd/fountvet@v0.1.0")
	for _, program := range []string{"fount", "fountd"} {
		if out := must(tmp, filepath.Join(tmp, program), "version"); !strings.HasPrefix(out, program+" v0.1.0") {
			t.Errorf("%s version: %s", program, out)
		}
	}
	if out, err := run(home, "go", "vet", "-vettool="+tmp+"/fountvet", "."); err == nil || !strings.Contains(out, "main.go:25:") {
		t.Errorf("fountvet finds no bias in fount.Uint32() %% 1000: %v\n%s", err, out)
	}

	env = append(env, "GOMODCACHE="+tmp+"/tagged", "GONOPROXY="+path+","+path+"/*", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url."+public+"/tree.insteadOf", "GIT_CONFIG_VALUE_0=https://"+path)
	must(home, append([]string{"go", "mod", "download"}, modules...)...)
}
