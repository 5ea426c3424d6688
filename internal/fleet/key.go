// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fount"
	"fount/internal/erase"
)

// A KeyID names a key: the first 8 bytes of the SHA-256 of the public key.
type KeyID [8]byte

// String returns 16 hexadecimal digits.
func (id KeyID) String() string { return hex.EncodeToString(id[:]) }

// A PublicKey is what clients have of a fleet: they seal to it. It is no secret, but a client that is given a false one seals to
// its maker.
type PublicKey struct {
	ID  KeyID
	key hpke.PublicKey
}

// A Key is a fleet's secret, held by its workers.
type Key struct {
	ID      KeyID
	Created time.Time // to the second
	private hpke.PrivateKey
}

const (
	seedSize       = 32
	publicKeySize  = 1216
	secretWord     = "fount-fleet-secret-1"
	publicWord     = "fount-fleet-public-1"
	MaxKeys        = 16      // in a file
	maxKeyFile     = 4 << 10 // bytes
	secretPreamble = "# The secret of a fleet of workers. Anyone who has it can read every request that was ever sealed to it.\n"
)

// NewKey returns a new key.
func NewKey(now time.Time) (Key, error) {
	var seed [seedSize]byte
	fount.Read(seed[:])
	defer erase.Wipe(seed[:])
	return newKey(seed[:], now)
}

func newKey(seed []byte, created time.Time) (Key, error) {
	private, err := kem().NewPrivateKey(bytes.Clone(seed)) // which it keeps
	if err != nil {
		return Key{}, fmt.Errorf("fleet: new key: %w", err)
	}
	return Key{ID: keyID(private.PublicKey()), Created: created.UTC().Truncate(time.Second), private: private}, nil
}

func keyID(public hpke.PublicKey) (id KeyID) {
	sum := sha256.Sum256(public.Bytes())
	copy(id[:], sum[:])
	return id
}

// Public returns the public half.
func (k Key) Public() PublicKey { return PublicKey{k.ID, k.private.PublicKey()} }

// String returns the key as one line without its end: a word, the ID and the key in base64, 1,662 characters.
func (p PublicKey) String() string {
	return publicWord + " " + p.ID.String() + " " + base64.StdEncoding.EncodeToString(p.key.Bytes())
}

// ParsePublicKey reads what String returns. White space around it is ignored.
func ParsePublicKey(text string) (PublicKey, error) {
	words := strings.Split(strings.TrimSpace(text), " ")
	if words[0] == secretWord || strings.HasPrefix(words[0], "#") {
		return PublicKey{}, errors.New("fleet: this is the secret key's file; want the public key's line")
	}
	if len(words) != 3 || words[0] != publicWord {
		return PublicKey{}, fmt.Errorf("fleet: not a public key; want %q, an ID and the key on one line", publicWord)
	}
	b, err := base64.StdEncoding.Strict().DecodeString(words[2])
	if err != nil || len(b) != publicKeySize || strings.ContainsAny(words[2], "\r\n") {
		return PublicKey{}, fmt.Errorf("fleet: a damaged public key; want %d bytes in base64", publicKeySize)
	}
	key, err := kem().NewPublicKey(b)
	if err != nil {
		return PublicKey{}, fmt.Errorf("fleet: a damaged public key: %w", err)
	}
	p := PublicKey{keyID(key), key}
	if p.ID.String() != words[1] {
		return PublicKey{}, fmt.Errorf("fleet: a damaged public key: its ID is %s, and the line says %.20q", p.ID, words[1])
	}
	return p, nil
}

// appendKeys appends the keys as the text of a file: a comment, and for each a line with a word, its ID, when it was made, and
// its seed in base64.
func appendKeys(b []byte, keys []Key) ([]byte, error) {
	b = append(b, secretPreamble...)
	for _, k := range keys {
		seed, err := k.private.Bytes() // not a copy: not to be wiped
		if err != nil {
			return nil, fmt.Errorf("fleet: key %s: %w", k.ID, err)
		}
		b = fmt.Appendf(b, "%s %s %s ", secretWord, k.ID, k.Created.Format(time.RFC3339))
		b = base64.StdEncoding.AppendEncode(b, seed)
		b = append(b, '\n')
	}
	return b, nil
}

// ParseKeys reads the text of a key file, the newest key first. It takes lines as they are written, comments and empty lines,
// and nothing else. No error holds a part of a secret.
func ParseKeys(text []byte) ([]Key, error) {
	if len(text) > maxKeyFile {
		return nil, fmt.Errorf("fleet: a key file of more than %d bytes", maxKeyFile)
	}
	var keys []Key
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		k, err := parseKey(line)
		if err != nil {
			return nil, fmt.Errorf("fleet: line %d: %w", i+1, err)
		}
		for _, other := range keys {
			if other.ID == k.ID {
				return nil, fmt.Errorf("fleet: line %d: key %s for the second time", i+1, k.ID)
			}
		}
		if keys = append(keys, k); len(keys) > MaxKeys {
			return nil, fmt.Errorf("fleet: more than %d keys", MaxKeys)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("fleet: no key in the file")
	}
	return keys, nil
}

func parseKey(line []byte) (Key, error) {
	words := bytes.Split(line, []byte(" "))
	if len(words) == 3 && string(words[0]) == publicWord {
		return Key{}, errors.New("a public key; want the fleet's secret")
	}
	if len(words) != 4 || string(words[0]) != secretWord {
		return Key{}, fmt.Errorf("not a key; want %q, an ID, a time and the secret", secretWord)
	}
	created, err := time.Parse(time.RFC3339, string(words[2]))
	if err != nil || created.UTC().Format(time.RFC3339) != string(words[2]) {
		return Key{}, errors.New("not a time in UTC, as 2006-01-02T15:04:05Z")
	}
	seed := make([]byte, base64.StdEncoding.DecodedLen(len(words[3])))
	defer erase.Wipe(seed)
	n, err := base64.StdEncoding.Strict().Decode(seed, words[3])
	if err != nil || n != seedSize || bytes.ContainsAny(words[3], "\r") {
		return Key{}, fmt.Errorf("a damaged secret; want %d bytes in base64", seedSize)
	}
	k, err := newKey(seed[:n], created)
	if err != nil {
		return Key{}, err
	}
	if k.ID.String() != string(words[1]) {
		return Key{}, fmt.Errorf("a damaged key: the secret's ID is %s, and the line says %.20q", k.ID, words[1])
	}
	return k, nil
}

// ReadKeys reads a key file. It refuses one that others than its owner may read or write.
func ReadKeys(path string) ([]Key, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("fleet: key file: %w", err)
	}
	defer f.Close()
	if err := private(f); err != nil {
		return nil, fmt.Errorf("fleet: key file %s: %w", path, err)
	}
	text := make([]byte, maxKeyFile+1) // one piece, so that it can be wiped
	defer erase.Wipe(text)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("fleet: key file: %w", err)
	}
	keys, err := ParseKeys(text[:n])
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, path)
	}
	return keys, nil
}

// private refuses what is no file of its owner's alone, where files have modes.
func private(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return fmt.Errorf("mode %04o lets others in; want 0600", mode)
	}
	return nil
}

// CreateKeyFile writes keys to a new file of mode 0600, whole or not at all. The error is fs.ErrExist if there is one already.
func CreateKeyFile(path string, keys ...Key) error {
	return writeKeys(path, keys, func(from, to string) error {
		defer os.Remove(from)
		return os.Link(from, to)
	})
}

// ReplaceKeyFile replaces the contents of a key file, whole or not at all.
func ReplaceKeyFile(path string, keys ...Key) error { return writeKeys(path, keys, os.Rename) }

func writeKeys(path string, keys []Key, place func(from, to string) error) error {
	text, err := appendKeys(make([]byte, 0, maxKeyFile), keys)
	if err != nil {
		return err
	}
	defer erase.Wipe(text)
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".fleet-key-*") // mode 0600
	if err != nil {
		return fmt.Errorf("fleet: key file: %w", err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = place(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("fleet: key file: %w", err)
	}
	return syncDir(dir)
}

// syncDir waits until the directory's names are on the disk, where directories can be asked for that.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("fleet: key file: %w", err)
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}

// RotateKeyFile puts a new key before those in a file and keeps at most keep of them in all, the newest; keep is 1 to 16. It
// returns the keys as they stand then. Workers that read the file open requests to all of them. On Linux, macOS and the BSDs
// rotations of one file take turns, and none undoes another; the lock is a file beside it, with .lock after its name. Of a symbolic
// link the file that it leads to is replaced, and locked: the link stays.
func RotateKeyFile(path string, now time.Time, keep int) ([]Key, error) {
	if keep < 1 || keep > MaxKeys {
		return nil, fmt.Errorf("fleet: %d keys to keep; want 1 to %d", keep, MaxKeys)
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("fleet: key file: %w", err)
	}
	unlock, err := lockKeyFile(path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	keys, err := ReadKeys(path)
	if err != nil {
		return nil, err
	}
	k, err := NewKey(now)
	if err != nil {
		return nil, err
	}
	keys = append([]Key{k}, keys...)
	keys = keys[:min(keep, len(keys))]
	return keys, ReplaceKeyFile(path, keys...)
}
