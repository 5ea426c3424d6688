// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package plan9 tests the program fount on a real Plan 9. It is not a library: it holds tests only.
//
// A Plan 9 for 386 boots in QEMU with programs compiled for it, and an rc on its console gets the
// lines that docs/files.md shows. README.md says how to make such a machine, which FOUNT_PLAN9
// names:
//
//	FOUNT_LONG=1 FOUNT_PLAN9=DIR go test -count=1 -v ./cmd/internal/test/plan9
//
//	machine_test.go  the machine
//	plan9_test.go    the recipe
//	ends_test.go     what becomes of it when its server ends or hangs
//	doctor_test.go   what fount doctor says of /dev/random
//	packages_test.go the tests of other packages, run there
//	notify_test.go   the faults of Go and of iostats that docs/design.md describes
//	draw             a program that starts with random bytes
package plan9

import (
	"os"
	"strings"
	"testing"
)

// section returns what stands between two texts of a document of this checkout.
func section(t testing.TB, document, from, to string) string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), from)
	inside, _, ended := strings.Cut(rest, to)
	if !found || !ended {
		t.Fatalf("%s has no %q up to %q", document, from, to)
	}
	return inside
}

// recipe is the lines that docs/files.md tells the reader to type.
func recipe(t testing.TB) string { return section(t, "../../../../docs/files.md", "```rc\n", "\n```") }

// up types the recipe.
func (m *machine) up() {
	m.Helper()
	m.paste(recipe(m.TB))
	m.must("block=$apid; test -e /srv/fount")
	if got := m.must("ns"); !strings.Contains(got, "bind  /n/fount/random /dev/random") {
		m.Fatalf("after the recipe the name space is\n%s", got)
	}
}

// server is the first process of the server.
func (m *machine) server() string {
	m.Helper()
	return m.must(`ps | grep ' fount$' | sed 's/^[^ ]+ +([0-9]+) .*/\1/' | sed 1q`)
}

// waitDown waits until the recipe has taken its mounts back, and holds what is left against what
// was there before. $block is the recipe's, which may print errors until its end.
func (m *machine) waitDown() {
	m.Helper()
	m.must("while(test -e /proc/$block/ctl) sleep 1; while(ns | grep fount >/dev/null) sleep 1; status=''")
	if got, _ := m.run("ls /srv"); strings.Contains(got, "fount") {
		m.Errorf("the name is still there: %s", got)
	}
	if got, _ := m.run("ps | grep ' fount$'"); got != "" {
		m.Errorf("processes of the server live:\n%s", got)
	}
	m.must("ls /dev >/dev/null")
	m.must("draw") // from the kernel's device
}

func needLong(t testing.TB) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("boots a virtual machine for a minute; set FOUNT_LONG=1 to run it")
	}
}

// TestRecipe types what docs/files.md shows into a machine that has just started, and has programs
// read.
func TestRecipe(t *testing.T) {
	needLong(t)
	t.Parallel()
	m := boot(t, map[string][]byte{"fount": compile(t, "fount/cmd/fount"), "draw": compile(t, "./draw")})
	// A server that can't start leaves a prompt, not a loop that waits for its name.
	m.must("fn fount {status=broken}")
	m.paste(recipe(t))
	m.must("! test -e /srv/fount; ! ns | grep fount")
	m.must("fn fount")
	m.up()
	m.must("draw")
	// A second time is no second server, and its block takes no mounts back.
	m.up()
	m.must("wait $apid; sleep 2; ns | grep '/n/fount/random /dev/random'; status=''")
	m.must("draw")
	m.must("dd -if /dev/random -bs 128 -count 1 -of /dev/null")
	if got := m.must("dd -if /dev/random -bs 1000 -count 1 >[2]/dev/null | wc -c"); got != "1000" {
		t.Errorf("a read of 1000 bytes gave %s", got)
	}
	if got := m.must("ls /n/fount"); got != "/n/fount/random\n/n/fount/urandom" {
		t.Errorf("the tree is\n%s", got)
	}
}
