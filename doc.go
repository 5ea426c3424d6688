// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fount makes secure random values (nonces, keys, tokens, IDs, integers) for less than a
// call into the kernel costs. It is not a deterministic generator for simulations
// (rand.NewChaCha8(fount.Key()) of math/rand/v2 is one) and is not FIPS 140 validated. It does not
// speed up TLS or key generation: since Go 1.26 these use only their own Reader.
//
// Most programs need only [Nonce], [Key], [Token], [Code], [NewUUID], [IntN] or
// [Read].
// `fount doctor` measures whether a program needs this package at all: where
// Linux has getrandom in the vDSO, a program that draws few values does not.
//
// # What it does
//
// Every P of the Go scheduler has a generator state of its own: a ChaCha20 key
// (RFC 8439) and some bytes of its keystream. A draw copies from them and
// zeroes what it copied, without a lock, a system call or an allocation. A
// refill replaces the key with the first 32 bytes of the new keystream, and
// the state serves the rest.
//
// The first refill, and one after each minute, MiB, [Reseed] and clone of the machine, first mixes
// a seed into the key: 32 fresh bytes of the kernel, and 32 of a pool (package fount/pool) that
// hashes the kernel's, a seed file's and the program's own, which count for nothing. Where fount
// would not notice a clone, each refill takes a seed of the kernel's bytes and the time, and
// nothing of the pools.
//
// # What it promises
//
// No draw returns an error or weak bytes. If the kernel gives none, the process
// stops with exit status 2 and one line on standard error.
//
// Nothing that a state served can be computed from its memory afterwards.
// Anyone who can read the process's memory can read what a buffer still holds, and
// perhaps the values drawn last: they pass through the processor's registers, which
// the runtime saves where it preempts a goroutine.
//
// Where a word tells of clones ([Status] names it; see fount/uniqueness), no value drawn before a
// clone of the machine is drawn again after it: each draw compares the word after it copies. Where
// there is no such word, a clone repeats at most 224 bytes for each P, and the read in flight.
// [Reseed] is for restores that no word announces, such as CRIU's; [Strict] asks the kernel each
// time.
//
// SECURITY.md and docs/threat-model.md state the premises and the limits.
//
// # Concurrency
//
// Every function here may be called from any goroutine.
package fount
