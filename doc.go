// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fount makes secure random values (nonces, keys, tokens, IDs, integers) for less than a
// call into the kernel costs. It is not FIPS 140 validated, and not a deterministic generator: for
// simulations use rand.NewChaCha8(fount.Key()) of math/rand/v2. It does not speed up TLS or key
// generation, which since Go 1.26 use only their own Reader.
//
// Most programs need only [Nonce], [Key], [Token], [Code], [NewUUID], [IntN] or [Read]. `fount
// doctor` measures whether a program needs this package at all: where Linux has getrandom in the
// vDSO, a program that draws few values does not.
//
// # What it does
//
// Every P of the Go scheduler has its own generator: a ChaCha20 key (RFC 8439) and some bytes of
// its keystream. A draw copies bytes and zeroes them in the generator, without a lock, a system
// call or an allocation. A refill takes its first 32 bytes as the next key and serves the rest.
//
// The first refill, and one after each minute, MiB, [Reseed] and clone of the machine, mixes a seed
// into the key: 32 fresh bytes of the kernel and 32 of a pool. The pool holds earlier bytes of the
// kernel, those of a seed file ([LoadSeed]) and of the program ([AddSeed]); no promise rests on it.
// Where fount can't notice a clone, each refill takes a seed of the kernel's bytes and the time,
// and none of a pool.
//
// # What it promises
//
// No draw returns an error or weak bytes. If the kernel gives none, the process stops with exit
// status 2 and one line on standard error.
//
// Served values can't be computed from the generator's memory afterwards. Whoever can read the
// process's memory can read what is still buffered, and perhaps the values drawn last, because they
// pass through registers that the runtime saves when it preempts a goroutine.
//
// Around each draw fount reads a counter that the hypervisor or kernel changes when this machine is
// cloned; if it changed, the draw is repeated, so no value drawn before a clone is drawn again
// after it ([Status] names the counter). Without a counter a clone repeats at most 224 bytes of each
// P's generator, and a read in progress. [Reseed] is for restores that change no counter, such as
// CRIU's; [Strict] asks the kernel each time.
//
// SECURITY.md and docs/threat-model.md state the premises and the limits.
//
// # Concurrency
//
// Every function here may be called from any goroutine.
package fount
