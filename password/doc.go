// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package password hashes passwords and verifies them, within bounds: what it
// is given to verify can't make it work longer than its owner allowed, and a
// [Pool] runs no more at once than the machine bears. It is no store and no
// sign-in: it knows no users, counts no one's attempts, and does not judge
// whether a password is a good one.
//
// A service makes one Pool and asks it. [Hash] and [Verify] do the same without
// one, on the caller's goroutine: for tools, tests and migrations.
//
// # Policies and stored hashes
//
// A [Policy] says how new hashes are made. [Default] is OWASP's first choice;
// the others that OWASP names are functions named after it, and
// [Policy.Calibrate] makes one as hard as this machine has time for.
//
// What is stored may be of any algorithm this package reads, whatever the policy
// makes: bcrypt, argon2id, argon2i, argon2d, scrypt, PBKDF2 with SHA-256 or
// SHA-512, as OpenBSD, PHP, Apache, libxcrypt, Python's libraries and others
// write them (see [Verify]). A match by another policy's hash says so in
// [Result], and the caller stores a new one.
//
// # Guards
//
// Before a hash is computed, or waits to be, length of password and string, form
// and cost are judged, in about a microsecond. A password is at most 1 KiB, a
// stored hash costs at most what [Limits] allow, and neither is ever part of an
// error's text. bcrypt looks at 72 bytes: [Hash] refuses a longer password for
// it, unless the policy has Keys.
//
// # Keys
//
// A [KeyRing] holds peppers, secrets that are kept apart from the store. Hashes
// name the key they were made with, so that keys can be changed while old hashes
// still verify.
//
// # Secrets in memory
//
// Copies of the password that this package makes are wiped, as is the memory of
// argon2 and scrypt, and keys are kept outside of the Go heap where the system
// allows it. The caller's slice is the caller's; and what the runtime copies when
// a stack grows is not wiped. docs/threat-model.md says what is and is
// not promised.
package password
