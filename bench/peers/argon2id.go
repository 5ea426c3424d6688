// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

// The peers of password.Verify with argon2id: x/crypto, and C libraries where they are installed. Package logins has the
// adapters, as fount bench password measures them too.

import (
	"fmt"
	"os/exec"
	"path/filepath"

	"fount/lab/logins"
)

// Argon2idParams are what argon2id is compared at: OWASP's least, and RFC 9106's second choice.
var Argon2idParams = []string{"m=19456,t=2,p=1", "m=65536,t=3,p=4"}

// Argon2ids returns the peers at one of the parameters, and fount. files are builds of libargon2, beside those that are
// installed.
func Argon2ids(params string, files ...string) (*logins.Argon2ids, error) {
	return logins.NewArgon2ids(params, files)
}

// BuildLibargon2 has gcc build libargon2's optimised code for this processor, which no package does (Debian's has no SIMD,
// the wheel of argon2-cffi-bindings SSE2), and returns the file, in dir. source is the library's directory with include
// and src: what apt-get source argon2 unpacks, or extras/libargon2 of the source distribution of argon2-cffi-bindings.
func BuildLibargon2(dir, source string) (file string, err error) {
	file = filepath.Join(dir, "libargon2-native.so")
	args := []string{"-O3", "-march=native", "-shared", "-fPIC", "-pthread", "-I" + filepath.Join(source, "include"), "-o", file}
	for _, name := range []string{"argon2.c", "core.c", "encoding.c", "thread.c", "opt.c", "blake2/blake2b.c"} {
		args = append(args, filepath.Join(source, "src", name))
	}
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build libargon2 of %s: %w\n%s", source, err, out)
	}
	return file, nil
}
