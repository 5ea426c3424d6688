// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fount/cmd/fountd/internal/config"
	"fount/internal/erase"
	"fount/internal/fleet"
)

const keyHelp = `  fountd key new FILE     make a fleet's secret key in a new file of mode 0600
  fountd key rotate FILE  put a new key before the first of the file, and drop all others
  fountd key public FILE  print the public key of the first key, as all three do
`

// errKeyUsage is the error of a command line that is none of keyHelp's.
var errKeyUsage = errors.New("want fountd key new FILE, rotate FILE or public FILE")

// keyCommand makes, rotates or shows the keys of a fleet. It prints the first one's public half.
func keyCommand(args []string, stdout io.Writer) (err error) {
	if len(args) != 2 || args[1] == "" {
		return errKeyUsage
	}
	var keys []fleet.Key
	switch verb, path := args[0], args[1]; verb {
	case "new":
		if keys, err = withNew(nil); err == nil {
			err = writeKeys(path, keys)
		}
	case "rotate":
		keys, err = rotate(path)
	case "public":
		keys, err = (&config.Config{NATSKeys: []string{path}}).ReadFleetKeys()
	default:
		return errKeyUsage
	}
	if err == nil {
		_, err = fmt.Fprintln(stdout, keys[0].Public())
	}
	return err
}

func withNew(former []fleet.Key) ([]fleet.Key, error) {
	k, err := fleet.NewKey()
	return append([]fleet.Key{k}, former...), err
}

// rotate leaves a new key and the former first one. It follows a symbolic link. Callers take turns.
func rotate(path string) ([]fleet.Key, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	keys, err := (&config.Config{NATSKeys: []string{path}}).ReadFleetKeys()
	if err == nil {
		keys, err = withNew(keys[:1])
	}
	if err != nil {
		return nil, err
	}
	next := path + ".new"
	if err := writeKeys(next, keys); errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w; another rotation goes on, or was cut off and left it", err)
	} else if err != nil {
		return nil, err
	}
	if err = keepOwner(path, next); err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		os.Remove(next)
	}
	return keys, err
}

// writeKeys writes a new file, whole or not at all.
func writeKeys(path string, keys []fleet.Key) error {
	text, err := fleet.AppendKeys(make([]byte, 0, 4096), keys)
	if err != nil {
		return err
	}
	defer erase.Wipe(text)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}
