// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package password hashes and verifies passwords within bounds: no stored hash makes it work longer
// than you allow, and a [Pool] runs only as many hashes at once as the machine can. It is not a
// user store or a sign-in system: it knows no users, counts no attempts, and does not judge whether
// a password is good.
//
// A service makes one Pool and uses that. [Hash] and [Verify] work without one, on the caller's
// goroutine; they are for tools, tests and migrations.
//
// # Policies and stored hashes
//
// A [Policy] says how to make new hashes. [Default] is OWASP's first choice; [Policy.UnmarshalText]
// reads others from text, and [Policy.Calibrate] makes a policy as hard as this machine has time
// for.
//
// Whatever the policy, stored hashes may use any algorithm that this package reads: bcrypt,
// argon2id, argon2i, argon2d, scrypt, PBKDF2 with SHA-256 or SHA-512, as OpenBSD, PHP, Apache,
// libxcrypt, Python's libraries and others write them (see [Verify]). If a hash of another policy
// matches, [Result] says so, and the caller stores a new one. A [Format] reads what this package
// does not.
//
// # Guards
//
// Before a hash is computed or queued, the package checks the length of the password and of the
// stored string, its form and its cost, in about a microsecond. A password has at most 1 KiB, a
// stored hash costs at most what [Limits] allow, and no error contains either.
//
// # Secrets in memory
//
// The package wipes its copies of the password, and the memory of argon2 and scrypt a millisecond
// or two after the last hash. It keeps up to 256 MiB that hashes without a Pool have used for a
// minute, because mapping memory takes longer than computing in it. It does not wipe the caller's
// slice, nor what the runtime copies when a stack grows. docs/threat-model.md has the promises.
package password
