// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Bcrypt is the name of the policy that the bcrypt load post used.
const Bcrypt = "bcrypt"

// Argon2id is the name of the policy that is the library's default.
const Argon2id = "argon2id"
