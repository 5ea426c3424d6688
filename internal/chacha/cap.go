// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Which implementation runs: the best for this processor, or one that is asked for.

package chacha

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// variable is the environment variable that caps, for processors that slow down under wide vectors and
// for tests. All implementations make the same bytes, so it lowers no protection. It is read once.
const variable = "FOUNT_CHACHA"

// inUse is what Keystream runs and inRefills what the refills run, as indices into ladder.
var inUse, inRefills atomic.Int32

// note is what Note returns.
var note = start(os.Getenv(variable))

// start caps as the environment variable's value says, and returns what there is to note.
func start(value string) string {
	top := fastest()
	err := Cap(value)
	switch {
	case err != nil:
		Cap("")
		return fmt.Sprintf("%s=%q is ignored: %v", variable, value, err)
	case inUse.Load() < top:
		return fmt.Sprintf("capped by %s=%s, the processor has %s", variable, value, ladder[top])
	case inRefills.Load() < top:
		return fmt.Sprintf("refills use %s, as wider vectors slow this processor down", ladder[inRefills.Load()])
	}
	return ""
}

// Cap sets the fastest implementation that may run: "AVX-512", "AVX-512VL", "AVX2", "NEON" or
// "portable", in any case and with or without the hyphen. A processor that lacks it runs the next slower
// one it has. "" leaves the choice to the package. An unknown name is an error and changes nothing.
//
// Any goroutine may call Cap at any time: calls under way end as they began. It is for tests.
func Cap(name string) error {
	top := fastest()
	if name == "" {
		inUse.Store(top)
		if throttled() {
			top--
		}
		inRefills.Store(top)
		return nil
	}
	for i, known := range ladder {
		if plain(known) == plain(name) {
			level := min(int32(i), top)
			inUse.Store(level)
			inRefills.Store(level)
			return nil
		}
	}
	return fmt.Errorf("not one of %s", strings.Join(ladder, ", "))
}

// plain strips what may differ in the spelling of a name.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "")) }

// Name names the implementation in use: "AVX-512", "AVX-512VL", "AVX2", "NEON" or "portable".
func Name() string { return ladder[inUse.Load()] }

// Note says in a few words why another implementation runs than this processor's fastest, or that the
// value of FOUNT_CHACHA is unknown and ignored. It is "" if there is nothing to say. It describes the
// start of the process: Cap does not change it.
func Note() string { return note }
