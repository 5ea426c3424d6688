// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// Peppers.

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"fount/password"
)

const maxPepperFile = 1 << 10 // bytes; 128 of a secret have 172 in base64

// ReadPeppers reads the secrets, which the caller wipes.
func (c *Config) ReadPeppers(getenv func(string) string) ([]password.Key, error) {
	var keys []password.Key
	for _, p := range c.Peppers {
		secret, err := p.read(getenv)
		if err != nil {
			Wipe(keys)
			return nil, fmt.Errorf("pepper %s: %w", p.ID, err)
		}
		keys = append(keys, password.Key{ID: p.ID, Secret: secret})
	}
	return keys, nil
}

// Wipe wipes secrets.
func Wipe(keys []password.Key) {
	for _, k := range keys {
		clear(k.Secret)
	}
}

func (p Pepper) read(getenv func(string) string) ([]byte, error) {
	path, f, err := openSecret(p.File, getenv)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content := make([]byte, maxPepperFile+1)
	defer clear(content)
	n, err := io.ReadFull(f, content)
	switch {
	case err == nil:
		return nil, fmt.Errorf("%s has more than %d bytes; want a line of base64", path, maxPepperFile)
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	}
	return decode(content[:n], path)
}

// decode reads one line of base64 in either alphabet, padded or not. Raw bytes could end in what looks like the end of a line.
func decode(line []byte, path string) ([]byte, error) {
	for len(line) > 0 && strings.IndexByte("=\r\n", line[len(line)-1]) >= 0 {
		line = line[:len(line)-1]
	}
	for i, b := range line {
		switch b {
		case '-':
			line[i] = '+'
		case '_':
			line[i] = '/'
		case '\r', '\n':
			return nil, fmt.Errorf("%s has several lines; want one of base64", path)
		}
	}
	secret := make([]byte, base64.RawStdEncoding.DecodedLen(len(line)))
	if _, err := base64.RawStdEncoding.Strict().Decode(secret, line); err != nil || len(secret) == 0 {
		clear(secret)
		return nil, fmt.Errorf("%s holds no base64; make it with: fount rand 32 --base64 -o %s", path, path)
	}
	return secret, nil
}
