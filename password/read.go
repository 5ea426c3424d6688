// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"strings"

	"fount/password/internal/format"
)

// Check returns the error with which Verify would refuse encoded, or nil: ErrMalformed, ErrCost,
// ErrKey, or what is wrong with p. It computes no hash. If encoded is empty, it checks p alone, as
// NewPool does.
func (p Policy) Check(encoded string) error {
	j, err := p.verifyJob([]byte("x"), encoded)
	j.wipe()
	return err
}

// read parses a stored string into its hasher and the stored sum.
func (p Policy) read(encoded string) (hasher, []byte, error) {
	h, sum, _, err := p.readPadded(encoded)
	return h, sum, err
}

// readPadded is read, and also returns the part of encoded that is the hash: all of it, or else all
// but a line's end, or all but the padding that files and columns of a fixed width have.
func (p Policy) readPadded(encoded string) (h hasher, sum []byte, exact string, err error) {
	h, sum, err = p.readExactly(encoded)
	if err == nil {
		return h, sum, encoded, nil
	}

	exact = encoded
	for _, padding := range []string{"\r\n", " \x00\r\n"} {
		trimmed := strings.TrimRight(exact, padding)
		if trimmed == exact {
			continue
		}
		exact = trimmed

		h, sum, trimmedErr := p.readExactly(exact)
		switch {
		case trimmedErr == nil:
			return h, sum, exact, nil
		case errors.Is(err, format.ErrSpace): // the hash itself is wrong, too
			err = trimmedErr
		}
	}
	return nil, nil, encoded, err
}

func (p Policy) readExactly(encoded string) (h hasher, sum []byte, err error) {
	parsed, err := format.Parse(encoded)
	switch {
	case err == nil:
		return hasherOf(&parsed), parsed.Sum, nil
	case isWrapped(encoded):
		return p.readWrapped(encoded)
	}

	h, sum, err = p.Formats.read(encoded, err)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return h, sum, nil
}

// isMarker reports whether a stored string means that no password signs in. Shadow files have "!",
// "*", "!!", and '!' before the hash of a locked account; Solaris has "*LK*"; Django has '!' and 40
// random characters. MySQL's '*' and 40 hexadecimal digits is a hash.
func isMarker(encoded string) bool {
	isMySQL := len(encoded) == 41 && strings.Trim(encoded[1:], "0123456789abcdefABCDEF") == ""
	return encoded[0] == '!' || encoded[0] == '*' && !isMySQL
}
