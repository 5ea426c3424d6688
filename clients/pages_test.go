// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// What a client's page shows, pasted in order into a folder that holds the checkout, prints what
// the page says.
func TestPages(t *testing.T) {
	root, _ := filepath.Abs("..")
	block := regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```")
	const ready = "./fountd health --socket fountd.sock && curl -so /dev/null localhost:8000"

	for name, needs := range map[string]string{
		"devise": `puma --version && ruby -e 'require "devise"; require "sqlite3"; require "rails"'`,
		"node":   "node --version",
		"php":    `php -r 'curl_init(); new PDO("sqlite::memory:");'`,
		"python": "flask --version",
		"spring": "mvn -q -B -f fount/clients/spring/example/pom.xml dependency:resolve",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // services are waited for

			page, err := os.ReadFile(name + "/README.md")
			if err != nil {
				t.Fatal(err)
			}

			dir := socketdir.New(t)
			os.Symlink(root, filepath.Join(dir, "fount"))
			script := "{ " + needs + "; } >&2 || exit 77\ntrap 'trap \"\" TERM; kill 0' EXIT\n"
			want := ""
			for _, b := range block.FindAllStringSubmatch(string(page), -1) {
				if b[1] == "sh" {
					script += "{\n" + b[2] + "} >&2\n"
					continue
				}
				script += "timeout 300 bash -c 'until " + ready + "; do sleep .2; done' >&2\n"
				for line := range strings.Lines(b[2]) {
					if typed, ok := strings.CutPrefix(line, "$ "); ok {
						script += typed
					} else {
						want += line
					}
				}
			}

			var said strings.Builder
			port := func() string { return strings.TrimPrefix(free(t), "127.0.0.1:") }
			cmd := exec.Command("bash", "-ec", strings.NewReplacer("8000", port(), "8080", port()).Replace(script))
			cmd.Dir = dir
			cmd.Stderr = &said
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // which the page's end ends
			got, err := cmd.Output()
			if cmd.ProcessState.ExitCode() == 77 {
				require.Skip(t, name, said.String())
			}
			if err != nil || string(got) != want {
				t.Errorf("%v\n%s\nprints\n%s\nwant\n%s", err, &said, got, want)
			}
		})
	}
}
