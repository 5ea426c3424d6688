// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import "io"

// Name returns the name of the generator that Read asks, for Status.
func Name() string { return "ChaCha20 seeded once from /dev/random" }

func read(b []byte) error { return process.read(b) }

var process = generator{device: "/dev/random"}

// Seed mixes 32 bytes of r into the process's generator, which then never opens /dev/random. It is
// for a file server that is to be mounted at /dev/random: it calls Seed with the kernel's file
// before that.
func Seed(r io.Reader) error { return process.seed(r) }
