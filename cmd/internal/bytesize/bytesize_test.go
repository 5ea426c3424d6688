// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package bytesize

import (
	"math/big"
	"regexp"
	"strings"
	"testing"
)

// FuzzParse compares with arithmetic that can't overflow.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "0", "64", "16K", "8589934591G", "8589934592G", "-1", "9223372036854775808", "1KK", "1g", "1.5G", "٣", "M5"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^([0-9]+)([KMGkmg]?)$`)
	shift := map[string]uint{"": 0, "K": 10, "M": 20, "G": 30}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		parts := form.FindStringSubmatch(text)
		if parts == nil {
			if err == nil {
				t.Fatalf("Parse(%q) = %d, want an error", text, got)
			}
			return
		}
		want, _ := new(big.Int).SetString(parts[1], 10)
		want.Lsh(want, shift[strings.ToUpper(parts[2])])
		switch fits := want.IsInt64(); {
		case fits && (err != nil || got != want.Int64()):
			t.Fatalf("Parse(%q) = %d, %v, want %d", text, got, err, want)
		case !fits && err == nil:
			t.Fatalf("Parse(%q) = %d, want an error: it is %d", text, got, want)
		}
	})
}
