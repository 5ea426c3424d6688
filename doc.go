// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fount makes secure random values (nonces, keys, tokens, IDs, integers) faster than the
// kernel does. It is not FIPS 140 validated. For simulations that must repeat, use
// rand.NewChaCha8(fount.Key()) of math/rand/v2. Key generation does not get faster: since Go 1.26 it
// uses only its own Reader.
//
// Most programs need only [Nonce], [Key], [Token], [Code], [NewUUID], [IntN] or [Read]. A program
// that draws few values on a Linux with getrandom in the vDSO does not need this package; `fount
// doctor` measures that.
//
// # What it does
//
// Every P of the Go scheduler has its own generator: a ChaCha20 key (RFC 8439) and some bytes of
// its keystream. A draw copies bytes and zeroes them in the generator, without a lock, a system
// call or an allocation. When the bytes are used up, a refill makes new ones: the first 32 are the
// next key, and the others are served.
//
// The first refill, and one after each minute, MiB, [Reseed] and clone of the machine, mixes a seed
// into the key: 32 fresh bytes of the kernel and 32 of a pool. The pool holds earlier bytes of the
// kernel, of a seed file ([LoadSeed]) and of the program ([AddSeed]); no promise rests on it. If
// fount can't notice clones, each refill takes a seed of the kernel's bytes and the time, without a
// pool.
//
// # What it promises
//
// No draw returns an error or weak bytes. If the kernel gives no bytes, the process stops with exit
// status 2 and one line on standard error.
//
// Served values can't be computed from the generator's memory afterwards. Whoever can read the
// process's memory can read what is still buffered, and perhaps the values drawn last, because they
// pass through registers that the runtime saves when it preempts a goroutine.
//
// Two clones of a virtual machine do not draw the same values once their counter has changed. Each
// draw ends by reading that counter, and is repeated if it changed. [Status] tells which counter it
// is:
//
//   - "vmclock": the hypervisor's. It changes before a clone's first instruction.
//   - "kernel generation, verified": the kernel's. It changes once a clone's kernel has reseeded,
//     soon after it resumes. What clones draw until then can be the same, as with crypto/rand.
//   - "window": there is no counter. Clones can repeat up to 224 bytes of each P's generator, and a
//     read in progress.
//
// [Reseed] is for restores that change no counter, such as CRIU's. [Strict] asks the kernel each
// time.
//
// SECURITY.md and docs/threat-model.md state the premises and the limits.
//
// # Concurrency
//
// Every function may be called from any goroutine.
package fount
