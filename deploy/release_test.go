// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// release runs deploy/release in a new clone that has the tag v1.2.3, and returns the clone.
func release(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fount")
	output(t, ".", "git", "clone", "-q", "..", dir)
	output(t, dir, "git", "tag", "v1.2.3")
	output(t, dir, "deploy/release", runtime.GOOS+"/"+runtime.GOARCH)
	return dir
}

// output is what a command prints on stdout, without its last newline. The test ends if it fails.
func output(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Stderr = new(strings.Builder)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", args, err, cmd.Stderr)
	}
	return strings.Trim(string(out), "\n")
}

// links fails the test where a page of a directory links to what is not there.
func links(t *testing.T, dir string) {
	t.Helper()
	pages, _ := filepath.Glob(filepath.Join(dir, "*/*.md"))
	clients, _ := filepath.Glob(filepath.Join(dir, "clients/*/*.md"))
	pages = append(pages, clients...)
	if len(pages) < 10 {
		t.Errorf("%q; want the pages", pages)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)[)#]`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// A release is the same in two clones, holds what README.md says, and comes in the place of nothing.
func TestRelease(t *testing.T) {
	if err := exec.Command("git", "rev-parse", "HEAD").Run(); err != nil || runtime.GOOS != "linux" {
		require.Skip(t, "release", "a release is made on Linux, of a git repository")
	}
	dir := release(t)
	name := "fount_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH

	settings := filepath.Join(t.TempDir(), "env") // of another user
	if err := os.WriteFile(settings, []byte("GOAMD64=v3\nGOARM64=v8.1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", settings)
	t.Setenv("FOUNTD_MAX_WAIT", "77s")
	one := output(t, dir, "cat", "dist/SHA256SUMS")
	other := output(t, release(t), "cat", "dist/SHA256SUMS")
	if one != other {
		t.Errorf("two clones have different bytes:\n%s\n%s", one, other)
	}

	home := filepath.Join(dir, "dist", name)
	output(t, dir+"/dist", "sha256sum", "-c", "SHA256SUMS")
	output(t, dir+"/dist", "tar", "-xzf", name+".tar.gz")

	for _, file := range []string{
		"LICENSE", "THIRD-PARTY", "fount.cdx.json", "fountd.cdx.json", "systemd/fountd.service", "systemd/fountd.socket",
		"man/fount.1", "man/fount-password.1", "man/fountd.8", "man/fountd.toml.5",
		"docs/fountd.md", "docs/runbook.md", "deploy/prometheus/fount.rules.yml", "deploy/grafana/fount.json",
		"completions/fount.bash", "completions/_fount", "completions/fount.fish",
	} {
		if info, err := os.Stat(filepath.Join(home, file)); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v; want a file of mode 0644", file, info, err)
		}
	}
	links(t, home)

	third := output(t, home, "cat", "THIRD-PARTY")
	for _, part := range []string{"Go\n\nCopyright 2009", "golang.org/x/crypto v", "github.com/nats-io/nats.go v", "github.com/spf13/cobra v", "uPlot\n\nThe MIT"} {
		if !strings.Contains(third, part) {
			t.Errorf("THIRD-PARTY has no %q", part)
		}
	}

	for _, program := range []string{"fount", "fountd"} {
		want := program + output(t, dir, "git", "log", "-1", "--abbrev=12", "--format= v1.2.3 %h ")
		if got := output(t, home, "./"+program, "version"); !strings.HasPrefix(got, want) {
			t.Errorf("%s version: %s; want %s", program, got, want)
		}
	}

	refuses := func(why string) {
		cmd := exec.Command("deploy/release")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), why) {
			t.Errorf("%v, %q; want one line that names %s", err, out, why)
		}
	}
	refuses("dist is there") // and destroys nothing: what was unpacked is read below
	if err := os.WriteFile(filepath.Join(dir, "new.go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	refuses("new.go")

	if _, err := exec.LookPath("mandoc"); err != nil {
		require.Skip(t, "mandoc", err.Error())
	}
	pages, _ := filepath.Glob(filepath.Join(home, "man/*"))
	if out := output(t, home, append([]string{"mandoc", "-T", "lint", "-W", "warning"}, pages...)...); out != "" {
		t.Error(out)
	}
}
