// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/legacy/internal/yescrypt"
)

var errYescrypt = errors.New("a yescrypt with settings that crypt_gensalt does not write, after $y$: " +
	"want j, N and r; let its users set a new password")

// Yescrypt is crypt(3)'s $y$, the default of most Linux distributions: with the settings that their
// crypt_gensalt writes (flavor j, one lane, no more passes, no ROM), of N up to 2^31 and r up to
// 255. Package password reads $7$ itself.
func Yescrypt() password.Format {
	return prefixed("yescrypt", func(_, rest string) (password.Parsed, error) {
		var s scan
		parts := s.split(rest, "$", 3)
		p := s.yescryptParams(parts[0])
		salt, ok := format.DecodeCrypt64(parts[1])
		s.want(ok && len(salt) <= 64, errSalt)
		sum, ok := format.DecodeCrypt64(parts[2])
		s.want(ok && len(sum) == 32, errText)
		if s.err != nil {
			return nil, s.err
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
	}, "$y$")
}

// yescryptTime is 5 µs and, of each 128 bytes that are mixed, 200 ns. Libxcrypt's vectors took 0.6
// to 1.7 of it, beside a bcrypt of cost 10 in 54 ms.
func yescryptTime(p yescrypt.Params) time.Duration {
	return 5*time.Microsecond + time.Duration(p.Work())*200
}

// yescryptParams reads flavor, log2 of N, and r.
func (s *scan) yescryptParams(text string) (p yescrypt.Params) {
	var flavor int
	flavor, text = s.variable64(text, 0)
	p.Cost, text = s.variable64(text, 1)
	p.R, text = s.variable64(text, 1)
	s.want(flavor == 47 && text == "", errYescrypt)
	s.want(p.Valid(), errNumber)
	return p
}

// variable64 reads a number that is at least so large: its first character says how many follow,
// most significant first. It has one text. One above 2^30, beyond all limits, is 2^30.
func (s *scan) variable64(text string, least uint32) (n int, rest string) {
	digit := func() (d uint32) {
		ok := text != ""
		if ok {
			d, ok = format.Crypt64(text[:1])
			text = text[1:]
		}
		s.want(ok, errParts)
		return d
	}
	first, total := digit(), uint64(least)
	begin, end, shift := uint32(0), uint32(47), 0
	for ; first > end; shift += 6 {
		total += uint64(end+1-begin) << shift
		begin, end = end+1, end+1+(62-end)/2
	}
	total += uint64(first-begin) << shift
	for shift > 0 {
		shift -= 6
		total += uint64(digit()) << shift
	}
	s.want(total < 1<<32, errNumber)
	return int(min(total, 1<<30)), text
}
