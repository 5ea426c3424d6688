// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package chacha

import (
	"os"
	"strings"
	"testing"
)

// forEach runs test once for each implementation.
func forEach(t *testing.T, test func(t *testing.T, keystream func([]byte, *[32]byte, uint32))) {
	forEachCap(t, func(t *testing.T) { test(t, Keystream) })
}

// forEachCap runs test under each cap. What the processor lacks is skipped.
func forEachCap(t *testing.T, test func(t *testing.T)) {
	for i, name := range ladder {
		t.Run(name, func(t *testing.T) {
			need(t, int32(i))
			capTo(t, name)
			test(t)
		})
	}
}

// need skips a test of an implementation that the processor lacks. Where it is known to be there,
// FOUNT_REQUIRE names it, "AVX-512,AVX2" for instance, and lacking it is an error.
func need(t *testing.T, level int32) {
	if level <= fastest() {
		return
	}
	for _, name := range strings.Split(os.Getenv("FOUNT_REQUIRE"), ",") {
		if plain(name) == plain(ladder[level]) {
			t.Fatalf("this processor lacks %s, which FOUNT_REQUIRE names", ladder[level])
		}
	}
	t.Skipf("this processor lacks %s", ladder[level])
}

// capTo caps the implementation for the length of a test or benchmark.
func capTo(t testing.TB, name string) {
	t.Cleanup(func() { Cap("") })
	if err := Cap(name); err != nil {
		t.Fatal(err)
	}
	if Name() != name {
		t.Fatalf("under a cap of %s runs %s", name, Name())
	}
}

// TestCap checks spellings, the default, and that an unknown name changes nothing.
func TestCap(t *testing.T) {
	t.Cleanup(func() { Cap("") })
	top := ladder[fastest()]
	for _, c := range []struct{ name, want string }{
		{"", top},
		{"portable", "portable"},
		{"Portable", "portable"},
		{ladder[len(ladder)-1], top},
		{plain(top), top},
		{strings.ToUpper(top), top},
	} {
		if err := Cap(c.name); err != nil || Name() != c.want {
			t.Errorf("Cap(%q) = %v and runs %s, want %s", c.name, err, Name(), c.want)
		}
	}
	Cap("portable")
	for _, name := range []string{"SSE2", "avx", "portable ", "0", ","} {
		if err := Cap(name); err == nil || Name() != "portable" {
			t.Errorf("Cap(%q) = %v and runs %s, want an error and no change", name, err, Name())
		}
	}
}

// TestStart checks what is noted for values of the environment variable.
func TestStart(t *testing.T) {
	t.Cleanup(func() { Cap("") })
	top := fastest()
	const ignored = `FOUNT_CHACHA="SSE2" is ignored: not one of portable`
	if note := start("SSE2"); !strings.HasPrefix(note, ignored) || inUse.Load() != top {
		t.Errorf("an unknown value: note %q, runs %s", note, Name())
	}
	if note := start("portable"); Name() != "portable" || strings.Contains(note, "FOUNT_CHACHA=portable") != (top > 0) {
		t.Errorf("portable: note %q, runs %s", note, Name())
	}
	if note := start(ladder[top]); note != "" || inUse.Load() != top || inRefills.Load() != top {
		t.Errorf("%s, which is this processor's fastest: note %q, runs %s", ladder[top], note, Name())
	}
	note := start("")
	if throttled() != strings.HasPrefix(note, "refills use ") || inUse.Load() != top {
		t.Errorf("no value: note %q, runs %s, throttled: %v", note, Name(), throttled())
	}
}
