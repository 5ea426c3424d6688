// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// algorithms is the one list of the algorithms: all that is known of each stands in its file.
var algorithms = [...]algorithm{
	Bcrypt: bcryptAlgorithm,

	Argon2id: argon2Algorithm("argon2id"),
	Argon2i:  argon2Algorithm("argon2i"),
	Argon2d:  argon2Algorithm("argon2d"),

	Scrypt: scryptAlgorithm,

	PBKDF2SHA256: pbkdf2SHA256,
	PBKDF2SHA512: pbkdf2SHA512,

	Foreign: {name: "foreign"},
}

// String returns the name as it stands in stored hashes: "argon2id".
func (a Algorithm) String() string {
	if a == 0 || int(a) >= len(algorithms) {
		return "unknown algorithm"
	}
	return algorithms[a].name
}

// makes reports whether new hashes can be made with a.
func (a Algorithm) makes() bool { return int(a) < len(algorithms) && algorithms[a].kind != nil }
