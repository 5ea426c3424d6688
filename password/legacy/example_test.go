// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy_test

import (
	"fmt"

	"fount/password"
	"fount/password/legacy"
)

// A store that WordPress filled: its hashes verify, and are to be replaced.
func Example() {
	formats, err := password.NewFormats(legacy.PHPass(), legacy.WordPress())
	if err != nil {
		panic(err)
	}
	policy := password.Default()
	policy.Formats = formats
	result, err := password.Verify(policy, []byte("test12345"), "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0")
	fmt.Println(result.NeedsRehash, err)
	// Output: true <nil>
}
