// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fount/cmd/fountd/internal/config"
	"fount/internal/fleet"
)

func TestKeyCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fleet.key")
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := Main(append([]string{"key"}, args...), &out, &errs); got != want {
			t.Errorf("fountd key %q: status %d, want %d; %s", args, got, want, &errs)
		}
		if lines := strings.Count(errs.String(), "\n"); (want == 0) != (lines == 0) || lines > 1 {
			t.Errorf("fountd key %q: %q; want one line if it fails", args, &errs)
		}
		return out.String(), errs.String()
	}
	first, _ := run(0, "new", path)
	if key, err := fleet.ParsePublicKey(first); err != nil || key.String()+"\n" != first {
		t.Errorf("%q is printed: %v", first, err)
	}
	if again, _ := run(0, "public", path); again != first {
		t.Errorf("the public key is %q, and was %q", again, first)
	}
	run(1, "new", path) // it is there
	second, _ := run(0, "rotate", path)
	if public, _ := run(0, "public", path); public != second || second == first {
		t.Errorf("after rotate the public key is %q, and rotate printed %q", public, second)
	}
	read := func() ([]fleet.Key, error) { return (&config.Config{NATSKeys: []string{path}}).ReadFleetKeys() }
	if keys, err := read(); err != nil || len(keys) != 2 || keys[1].Public().String()+"\n" != first {
		t.Errorf("%d keys, %v; want the new one and the former", len(keys), err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	third, _ := run(0, "rotate", link)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no more: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want mode 0600", info, err)
	}
	if keys, err := read(); err != nil || len(keys) != 2 || keys[0].Public().String()+"\n" != third || keys[1].Public().String()+"\n" != second {
		t.Errorf("%d keys, %v; want the third and the second", len(keys), err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	run(1, "rotate", filepath.Join(path, "none"))
	if err := os.WriteFile(path+".new", nil, 0o600); err != nil { // another rotation goes on
		t.Fatal(err)
	}
	run(1, "rotate", path)
	for _, args := range [][]string{{}, {"new"}, {"new", path, path}, {"remove", path}, {"public", ""}} {
		run(2, args...)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(text, after) {
		t.Errorf("commands that failed changed the file: %v", err)
	}
}
