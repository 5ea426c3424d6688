// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"os"
	"strings"
	"testing"
)

// What is wrong is refused before anything is made, in a line that says what would be right and tells no password.
func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	const secret = "hunter2"
	for _, c := range []struct {
		args   string // fields
		status int
		says   string
	}{
		{"-h", 0, "login.db"},
		{"--bogus", 2, "-bogus"},
		{"serve", 2, `["serve"]; want none, or import`},
		{"--database postgres://u:hunter2@localhost/db", 1, "want the name of a file"},
		{"import", 2, `["import"]; want none, or import and the name of one file`},
		{"import a b", 2, "want none, or import and the name of one file"},
		{"import none.csv", 1, "none.csv"},
		{"--policy md5", 2, `--policy: "md5" is not a policy`},
		{"--policy md5 --policy bcrypt", 2, `--policy: "md5" is not a policy`},
		{"--policy bcrypt,cost=2", 2, "want a cost from 4 to 31"},
		{"--policy {MD5}hunter2", 2, "--policy: what may be a stored hash is not a policy"},
		{"--proxy 10.0.0.1", 2, "-proxy"},
		{"--url login.example.org", 2, "want one that begins with https://"},
		{"--url https://login.example.org/?a=b", 2, "want one that begins with https://"},
		{"--database :memory:", 1, "want the name of a file"},
		{"--database none/login.db", 1, "none/login.db"},
	} {
		var stdout, stderr strings.Builder
		status := run(t.Context(), strings.Fields(c.args), &stdout, &stderr)
		if text := stderr.String(); status != c.status || !strings.Contains(text, c.says) || strings.Contains(text, secret) || strings.Contains(text, "login: login:") {
			t.Errorf("%q: %d: %s\nwant %d: %s", c.args, status, text, c.status, c.says)
		}
	}
	if made, err := os.ReadDir("."); err != nil || len(made) != 0 {
		t.Errorf("it made %v, %v", made, err)
	}
	if err := os.WriteFile("text", []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if status := run(t.Context(), []string{"--database", "text"}, &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), "file is not a database") {
		t.Errorf("%d: %s", status, &stderr)
	}
}
