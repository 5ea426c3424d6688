// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of sizes.

package cli

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1": 1, "64": 64, "007": 7, "0G": 0,
		"16K": 16 << 10, "16k": 16 << 10, "10M": 10 << 20, "1G": 1 << 30, "1g": 1 << 30,
		"9223372036854775807": math.MaxInt64,
		"8589934591G":         8589934591 << 30,
	} {
		if got, err := parseSize(text); got != want || err != nil {
			t.Errorf("parseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseSizeErrors(t *testing.T) {
	const notNumber = "is not a number of bytes; use for example 64, 16K, 10M, 1G"
	const tooLarge = "is too large; the largest is 9223372036854775807"
	for text, want := range map[string]string{
		"": notNumber, "K": notNumber, "12Q": notNumber, "-1": notNumber, "+1": notNumber,
		"1_000": notNumber, "1.5G": notNumber, "0x10": notNumber, " 1": notNumber, "1 K": notNumber,
		"1KK": notNumber, "1KiB": notNumber, "٣": notNumber, "1\xff": notNumber, "M5": notNumber,
		"9223372036854775808": tooLarge, "18446744073709551616": tooLarge,
		"8589934592G": tooLarge, "99999999999G": tooLarge, "99999999999999999999K": tooLarge,
	} {
		if got, err := parseSize(text); err == nil || !strings.HasSuffix(err.Error(), " "+want) {
			t.Errorf("parseSize(%q) = %d, %v, want an error that ends with %q", text, got, err, want)
		}
	}
}

// FuzzParseSize compares with arithmetic that can't overflow.
func FuzzParseSize(f *testing.F) {
	for _, seed := range []string{"", "0", "64", "16K", "8589934591G", "8589934592G", "-1", "9223372036854775808", "1KK"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^([0-9]+)([KMGkmg]?)$`)
	shift := map[string]uint{"": 0, "K": 10, "M": 20, "G": 30}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseSize(text)
		parts := form.FindStringSubmatch(text)
		if parts == nil {
			if err == nil {
				t.Fatalf("parseSize(%q) = %d, want an error", text, got)
			}
			return
		}
		want, _ := new(big.Int).SetString(parts[1], 10)
		want.Lsh(want, shift[strings.ToUpper(parts[2])])
		switch fits := want.IsInt64(); {
		case fits && (err != nil || got != want.Uint64()):
			t.Fatalf("parseSize(%q) = %d, %v, want %d", text, got, err, want)
		case !fits && err == nil:
			t.Fatalf("parseSize(%q) = %d, want an error: it is %d", text, got, want)
		}
	})
}
