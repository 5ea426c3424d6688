// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"strings"

	"fount/password"
	"fount/password/internal/format"
)

// paddedArgon2 reads what follows "$argon2" if salt or sum has padding, which it removes.
func paddedArgon2(hash string) (password.Parsed, error) {
	parts := strings.Split("$argon2"+hash, "$")
	if len(parts) < 5 || !strings.Contains(hash, "=$") && !strings.HasSuffix(hash, "=") {
		return nil, nil
	}
	sums := parts[len(parts)-2:]
	for i, part := range sums {
		b, err := decodeBase64(std64, part)
		if err != nil {
			return nil, nil
		}
		sums[i] = format.B64.EncodeToString(b)
	}
	return nativeHash(strings.Join(parts, "$"), nil)
}
