// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Package django has the hashers of Django, and their story.
package django

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"testing"

	"fount/internal/test/require"
)

// A store that Django has filled moves to fountd by what README.md says, pasted: every user gets in
// by the right password and by no other, before, during and after an outage. FOUNT_STORY is how many
// there are.
func TestStory(t *testing.T) {
	python := cmp.Or(os.Getenv("FOUNT_PYTHON"), "python3")
	if out, err := exec.Command(python, "testdata/story.py").CombinedOutput(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() == 77 {
			require.Skip(t, "story", string(out))
		}
	}

	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./fount", "./fountd")
	build.Dir = "../../cmd"
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}

	story := exec.Command(python, "testdata/story.py", "../..", cmp.Or(os.Getenv("FOUNT_STORY"), "120"))
	story.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := story.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
