// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/legacy/internal/yescrypt"
)

var errYescrypt = errors.New("a yescrypt with settings that crypt_gensalt does not write, after $y$: " +
	"want j, N and r; let its users set a new password")

var errYescryptParts = errors.New("want $y$, settings, salt and 43 characters of sum")

// yescryptOf reads what follows $y$: settings as crypt_gensalt writes them (flavor j, one lane, no
// more passes, no ROM), with N up to 2^31 and r up to 255, salt and sum.
func yescryptOf(hash string) (password.Parsed, error) {
	parts := strings.SplitN(hash, "$", 4)
	if len(parts) != 3 {
		return nil, errYescryptParts
	}

	p, err := yescryptParams(parts[0])
	if err != nil {
		return nil, err
	}

	salt, ok := format.DecodeCrypt64(parts[1])
	sum, ok2 := format.DecodeCrypt64(parts[2])
	if !ok || !ok2 || len(salt) > maxSalt || len(sum) != 32 {
		return nil, errYescryptParts
	}

	return &password.Computed{
		Cost:   uint32(p.Cost),
		Time:   func(int) time.Duration { return yescryptTime(p) },
		Memory: p.Memory(),
		Sum:    sum,
		Compute: func(password, memory []byte, yield func() bool) []byte {
			return yescrypt.Key(p, password, salt, memory, yield)
		},
	}, nil
}

// yescryptTime returns 5 µs, and 200 ns for each 128 bytes that are mixed. Libxcrypt's vectors took
// 0.6 to 1.7 of it on the machine of password.Limits.Time.
func yescryptTime(p yescrypt.Params) time.Duration {
	return 5*time.Microsecond + time.Duration(p.Work())*200
}

// yescryptParams reads the flavor, log2 N and r.
func yescryptParams(text string) (p yescrypt.Params, err error) {
	var numbers [3]int
	for i, minimum := range []uint32{0, 1, 1} {
		var ok bool
		if numbers[i], text, ok = variable64(text, minimum); !ok {
			return p, errYescrypt
		}
	}

	p.Cost = numbers[1]
	p.R = numbers[2]
	if numbers[0] != 47 || text != "" || !p.Valid() {
		return p, errYescrypt
	}
	return p, nil
}

// variable64 reads a number of at least minimum. The first character says how many follow, the most
// significant first. Each number has one text. Any above 2^30, beyond all limits, is 2^30.
func variable64(text string, minimum uint32) (n int, rest string, ok bool) {
	if text == "" {
		return 0, "", false
	}
	first, ok := format.Crypt64(text[:1])
	if !ok {
		return 0, "", false
	}

	// Up to 47 it is the number, from 48 to 55 another character follows, and so on.
	total := uint64(minimum)
	begin, end := uint32(0), uint32(47)
	more := 0
	for first > end {
		total += uint64(end+1-begin) << (6 * more)
		begin, end = end+1, end+1+(62-end)/2
		more++
	}
	total += uint64(first-begin) << (6 * more)

	rest = text[1:]
	if len(rest) < more {
		return 0, "", false
	}
	for ; more > 0; more-- {
		digit, ok := format.Crypt64(rest[:1])
		if !ok {
			return 0, "", false
		}
		total += uint64(digit) << (6 * (more - 1))
		rest = rest[1:]
	}
	return int(min(total, 1<<30)), rest, total < 1<<32
}
