// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fount makes secure random values (nonces, keys, tokens, IDs,
// integers) for less than a call into the kernel costs. It is not a
// deterministic generator for simulations (package fount/seeded makes those),
// is not FIPS 140 validated, and does not speed up TLS or key generation, which
// since Go 1.26 use no Reader but their own.
//
// Most programs want [Nonce], [Key], [Token], [NewUUID], [IntN] or [Read], and
// nothing else from here. `fount doctor` measures whether a program needs this
// package at all: on a Linux that has getrandom in the vDSO, one that draws few
// values does not.
//
// # What it does
//
// Every P of the Go scheduler has a generator state of its own: a ChaCha20 key
// (RFC 8439) and some bytes of its keystream. A draw copies from there and
// zeroes what it copied, without a lock, a system call or an allocation. A
// refill replaces the key with the first 32 bytes of the new keystream, and
// serves the rest.
//
// The first refill, and one after each minute, each MiB, [Reseed] and clone of
// the machine, mixes a seed into the key first: 32 fresh bytes of the kernel and
// 32 of a pool (package fount/pool), into which other sources are hashed that
// count for nothing. Where clones would not be noticed each refill takes a
// seed of the kernel's bytes, with the time added, and nothing of the pools.
//
// # What it promises
//
// No draw returns an error or weak bytes. If the kernel gives none, the process
// stops with exit status 2 and one line on standard error.
//
// What a state served before can't be computed from its memory. What lies in
// its buffer can be read by who can read the process's memory.
//
// What was handed out before a clone of the machine is not handed out again
// after it, where a word tells of clones ([Status] names it; see
// fount/uniqueness): each draw compares the word before and after it copies.
// Where there is none, a clone repeats at most 224 bytes for each P and each
// [Generator], and the read in flight. [Reseed] is for restores that no word
// announces, such as CRIU's, and [Strict] asks the kernel each time.
//
// SECURITY.md and docs/threat-model.md have the premises and the limits.
//
// # Concurrency
//
// Every function here may be called from any goroutine. A [Generator] belongs
// to one goroutine.
package fount
