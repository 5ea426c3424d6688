// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fount/internal/fleet"
)

// Processes that rotate one file at the same time: each one's key is in it afterwards.
func TestRotateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fleet.key")
	first, err := fleet.NewKey(time.Now())
	if err == nil {
		err = fleet.CreateKeyFile(path, first)
	}
	if err != nil {
		t.Fatal(err)
	}
	const processes = 8
	var all [processes]*exec.Cmd
	var printed, said [processes]bytes.Buffer
	for i := range all {
		all[i] = program(t, nil, "key", "rotate", "--keep", "16", path)
		all[i].Stdout, all[i].Stderr = &printed[i], &said[i]
		if err := all[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, &said[i])
		}
	}
	keys, err := fleet.ReadKeys(path)
	if err != nil || len(keys) != processes+1 || keys[processes].ID != first.ID {
		t.Fatalf("%d keys, %v; want %d, the first one last", len(keys), err, processes+1)
	}
	for i := range printed {
		if !slices.ContainsFunc(keys, func(k fleet.Key) bool { return k.Public().String()+"\n" == printed[i].String() }) {
			t.Errorf("the key of process %d is lost", i)
		}
	}
}
