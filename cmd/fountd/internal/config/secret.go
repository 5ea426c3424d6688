// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// The files that settings name.

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fount/internal/erase"
	"fount/internal/fleet"
	"fount/internal/hashfile"
	"fount/password"
)

const maxSecret = 16 << 10 // bytes: a private key and its chain, 16 keys of a fleet

// SecretPath returns name, or the path of the systemd credential if name is "credential:" and its
// name. A file that others can read, or that is too large for a secret, is an error.
func SecretPath(name string) (string, error) {
	credential, managed := strings.CutPrefix(name, "credential:")
	if !managed {
		return name, checkSecret(name, 0o077)
	}

	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	if dir == "" || credential == "" || credential != filepath.Base(credential) {
		return "", fmt.Errorf("there is no credential %q: set LoadCredential= in the unit, or mount a secret", credential)
	}
	path := filepath.Join(dir, credential)
	return path, checkSecret(path, 0) // systemd protects this directory
}

// checkSecret checks the file of a secret, and that its mode has none of some bits.
func checkSecret(path string, others os.FileMode) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // opening a FIFO would wait for a writer
		return fmt.Errorf("%s is not a file", path)
	case info.Mode()&others != 0:
		return fmt.Errorf("%s has mode %#o and others can read it: chmod 600 it", path, info.Mode().Perm())
	case info.Size() > maxSecret:
		return fmt.Errorf("%s has %d bytes; want a secret of at most %d", path, info.Size(), maxSecret)
	}
	return nil
}

// ReadSecret reads the file of SecretPath(name). The caller wipes the result.
func ReadSecret(name string) ([]byte, error) {
	path, err := SecretPath(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path) // does not grow, and so copy, its buffer
}

// ReadPeppers reads the secrets, which the caller wipes.
func (c *Config) ReadPeppers() (keys []password.Key, err error) {
	for _, pepper := range c.Peppers {
		id, name, _ := strings.Cut(pepper, "=")
		secret, err := readBase64(name)
		if err != nil {
			Wipe(keys)
			return nil, fmt.Errorf("pepper %s: %w", id, err)
		}
		keys = append(keys, password.Key{ID: id, Secret: secret})
	}
	return keys, nil
}

func readBase64(name string) (secret []byte, err error) {
	text, err := ReadSecret(name)
	if err != nil {
		return nil, err
	}
	defer erase.Wipe(text)

	secret = make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(secret, bytes.TrimSpace(text))
	if err != nil || n == 0 {
		erase.Wipe(secret)
		return nil, fmt.Errorf("%s holds no base64; make it with: fount rand 32 --base64 -o FILE", name)
	}
	return secret[:n], nil
}

// Fingerprint returns a pepper's ID and 8 digits that depend on the secret, so that two secrets
// with one ID can be told apart. Stored hashes have only the ID.
func Fingerprint(k password.Key) string {
	code := hmac.New(sha256.New, k.Secret)
	code.Write([]byte("fount key id"))
	return fmt.Sprintf("%s:%x", k.ID, code.Sum(nil)[:4])
}

// Wipe wipes secrets.
func Wipe(keys []password.Key) {
	for _, k := range keys {
		erase.Wipe(k.Secret)
	}
}

// ReadFleetKeys reads a fleet's keys in the order of their files.
func ReadFleetKeys(names ...string) (keys []fleet.Key, err error) {
	for _, name := range names {
		text, err := ReadSecret(name)
		if err != nil {
			return nil, fmt.Errorf("nats-key: %w", err)
		}

		some, err := fleet.ParseKeys(text)
		erase.Wipe(text)
		if err != nil {
			return nil, fmt.Errorf("nats-key: %s: %w", name, err)
		}
		keys = append(keys, some...)
	}
	return keys, nil
}

// ReadStored reads the hashes of the file Stored, in the formats of policy. No error repeats a
// hash, as it may be a user's.
func (c *Config) ReadStored(policy password.Policy) (stored []string, err error) {
	if c.Stored == "" {
		return nil, nil
	}
	file, err := os.Open(c.Stored)
	if err != nil {
		return nil, fmt.Errorf("stored: %w", err)
	}
	defer file.Close()

	for l, err := range hashfile.NewReader(file, policy, "").All() {
		switch {
		case err != nil:
			return nil, fmt.Errorf("stored: %s: %w", c.Stored, err)
		case l.Err != nil:
			return nil, fmt.Errorf("stored: %s: line %d: %w", c.Stored, l.Number, l.Err)
		case l.Hash != "" && !l.Locked:
			stored = append(stored, l.Hash)
		}
	}
	return stored, nil
}
