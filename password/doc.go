// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package password hashes and verifies passwords within bounds: no stored hash takes longer than
// you allow, and a [Pool] runs only as many hashes at once as the machine can. It is not a user
// store or a sign-in system: it knows no users, counts no attempts, and does not rate passwords.
//
// A service makes one Pool with [NewPool], and verifies with [SignIn] or [Pool.Verify]. [Hash] and
// [Verify] need no Pool and use the caller's goroutine; they are for tools, tests and migrations.
//
// # Policies and stored hashes
//
// A [Policy] says how to make new hashes. [Default] is OWASP's first choice. [Policy.UnmarshalText]
// reads a policy from text, and [Policy.Calibrate] raises its cost to what this machine has time
// for.
//
// Whatever the policy, Verify reads bcrypt, argon2id, argon2i, argon2d, scrypt, and PBKDF2 with
// SHA-256 or SHA-512, as OpenBSD, PHP, Apache, libxcrypt, Python's libraries and others write them.
// If a hash of another policy matches, [Result] says so, and SignIn stores a new one. A [Format]
// reads other forms: package fount/password/legacy has those of many programs.
//
// # Limits
//
// Before a hash is computed or queued, the package checks the lengths of the password and of the
// stored string, its form and its cost, in about a microsecond. A password has at most 1 KiB, and a
// stored hash costs at most what [Limits] allow. No error contains a password or a hash.
//
// # Secrets in memory
//
// The package wipes its copies of the password, and the memory of argon2 and scrypt a millisecond
// or two after the last hash. For a minute it keeps up to 256 MiB that hashes without a Pool have
// used, because mapping memory takes longer than computing in it. It does not wipe the caller's
// slice, nor what the runtime copies when a stack grows. docs/threat-model.md has the promises.
package password
