// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import "io"

// Name returns the name of the generator that Read asks, for Status.
func Name() string { return "ChaCha20 seeded once from /dev/random" }

func read(b []byte) error { return own.read(b) }

var own = generator{device: "/dev/random"}

// Seed mixes 32 bytes of r into the process's generator, which then never opens /dev/random. A file
// server that is itself mounted there calls it with the device's own file, before anyone can mount
// it.
func Seed(r io.Reader) error { return own.seed(r) }
