// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/yescrypt"
)

var (
	errYescryptROM  = errors.New("a yescrypt with a ROM or a hash upgrade, which are not read here: let its users set a new password")
	errYescryptMode = errors.New("a yescrypt of a flavor that no maker writes: want j, / or . after $y$")
)

// Yescrypt is crypt(3)'s $y$, the default of most Linux distributions: native yescrypt (flavor j), and scrypt in its form. Costs up to N = 2^31, with r·p and
// t up to 255, are read, without a ROM. Package password reads $7$ itself.
func Yescrypt() password.Format {
	return prefixed("yescrypt", func(_, rest string) (*password.Parsed, error) {
		parts, err := split(rest, "$", 3)
		if err != nil {
			return nil, err
		}
		p, err := yescryptParams(parts[0])
		if err != nil {
			return nil, err
		}
		salt, ok := from64(parts[1])
		if !ok || len(salt) > 64 {
			return nil, errSalt
		}
		sum, ok := from64(parts[2])
		if !ok || len(sum) != 32 {
			return nil, errText
		}
		return &password.Parsed{
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

// yescryptTime is 5 µs and, of each 128 bytes that are mixed, 200 ns, or by Salsa20 alone 150. Libxcrypt's vectors took 0.6 to 1.7
// of it, beside a bcrypt of cost 10 in 54 ms. A table with r = 1 takes the most, as the processor waits for memory.
func yescryptTime(p yescrypt.Params) time.Duration {
	each := 200 * time.Nanosecond
	if p.Mode != yescrypt.RW {
		each = 150
	}
	return 5*time.Microsecond + time.Duration(p.Work())*each
}

// yescryptParams reads flavor, log2 of N, and r; and, if there is more, which of p, t, g and a ROM's size follow.
func yescryptParams(s string) (p yescrypt.Params, err error) {
	next := func(least uint32) int {
		var n uint32
		if err == nil {
			n, s, err = variable64(s, least)
		}
		return int(min(n, 1<<30)) // which is above all limits
	}
	flavor := next(0)
	p.Cost, p.R, p.P = next(1), next(1), 1
	if s != "" {
		have := next(1)
		if have&1 != 0 {
			p.P = next(2)
		}
		if have&2 != 0 {
			p.T = next(1)
		}
		if have > 3 {
			return p, errYescryptROM
		}
	}
	modes := map[int]yescrypt.Mode{0: yescrypt.Classic, 1: yescrypt.WORM, 47: yescrypt.RW}
	mode, ok := modes[flavor]
	p.Mode = mode
	switch {
	case err != nil:
		return p, err
	case s != "":
		return p, errParts
	case !ok:
		return p, errYescryptMode
	case !p.Valid():
		return p, errNumber
	}
	return p, nil
}

// variable64 reads a number that is at least so large: its first character says how many follow, most significant first. The text of a number is
// the only one.
func variable64(s string, least uint32) (n uint32, rest string, err error) {
	digit := func() uint32 {
		i := -1
		if s != "" {
			i = strings.IndexByte(crypt64, s[0])
			s = s[1:]
		}
		if i < 0 {
			err = errParts
		}
		return uint32(max(i, 0))
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
	if err == nil && total > 1<<32-1 {
		err = errNumber
	}
	return uint32(total), s, err
}

// from64 is append64's inverse, of groups of four characters. It takes what append64 writes alone.
func from64(s string) (b []byte, ok bool) {
	for len(s) > 0 {
		group, bits := s[:min(4, len(s))], uint32(0)
		s = s[len(group):]
		for i, c := range []byte(group) {
			digit := strings.IndexByte(crypt64, c)
			if digit < 0 {
				return nil, false
			}
			bits |= uint32(digit) << (6 * i)
		}
		for range len(group) - 1 {
			b = append(b, byte(bits))
			bits >>= 8
		}
		if len(group) == 1 || bits != 0 {
			return nil, false
		}
	}
	return b, true
}
