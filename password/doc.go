// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package password hashes and verifies passwords within bounds: no stored hash
// makes it work longer than its owner allows, and a [Pool] runs no more hashes at
// once than the machine bears. It is not a user store or a sign-in system: it
// knows no users, counts no user's attempts, and does not judge whether a password
// is good.
//
// A service makes one Pool and uses that. [Hash] and [Verify] work without one, on
// the caller's goroutine; they are for tools, tests and migrations.
//
// # Policies and stored hashes
//
// A [Policy] says how to make new hashes. [Default] is OWASP's first choice;
// [Policy.UnmarshalText] reads the others by their text, and [Policy.Calibrate]
// makes a policy as hard as this machine has time for.
//
// Whatever the policy makes, stored hashes may use any algorithm this package
// reads: bcrypt, argon2id, argon2i, argon2d, scrypt, PBKDF2 with SHA-256 or
// SHA-512, as OpenBSD, PHP, Apache, libxcrypt, Python's libraries and others
// write them (see [Verify]). If another policy's hash matches, [Result] says so,
// and the caller stores a new one. A [Format] reads what this package does not.
//
// # Guards
//
// Before a hash is computed or queued, the package checks the length of the
// password and of the stored string, its form and its cost, in about a microsecond.
// A password has at most 1 KiB, a stored hash costs at most what [Limits] allow,
// and neither is ever part of an error's text. bcrypt uses 72 bytes: [Hash]
// refuses a longer password for it, unless the policy has Keys.
//
// # Keys
//
// A [KeyRing] holds peppers: secrets kept apart from the store. A hash names the
// key it was made with, so old hashes still verify after a change of keys.
//
// # Secrets in memory
//
// The package wipes its copies of the password and the memory of argon2 and scrypt, a
// millisecond or two after the last hash, and keeps keys outside the Go heap where the
// system allows it. Up to 256 MiB that hashes without a Pool have used are kept for a
// minute, as mapping memory takes longer than computing in it. It does not wipe the
// caller's slice, nor what the runtime copies when a stack grows. docs/threat-model.md
// says what is and is not promised.
package password
