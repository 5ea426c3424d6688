// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What users link: the library builds without the modules beside it, and links no helper of tests nor package
// testing, which defines flags.
func TestUsersLink(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command: ", err)
	}
	list := exec.Command("go", "list", "-f", `{{$path := .ImportPath}}{{range .Deps}}{{$path}} {{.}}{{"\n"}}{{end}}`, "./...")
	list.Env = append(os.Environ(), "GOWORK=off")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("go list without the workspace: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		path, dep, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.Contains(path, "/internal/") && (dep == "testing" || strings.HasPrefix(dep, "fount/internal/test/")) {
			t.Errorf("%s links %s", path, dep)
		}
	}
}
