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
	"fount/internal/safedir"
)

const keyHelp = `  fountd key new FILE     make a fleet's secret key in a new file of mode 0600
  fountd key rotate FILE  put a new key before the first of the file, and drop all others
  fountd key public FILE  print the public key of the first key, as all three do
`

// errKeyUsage is returned for a command line that is not in keyHelp.
var errKeyUsage = errors.New("want fountd key new FILE, rotate FILE or public FILE")

// keyCommand makes, rotates or shows the keys of a fleet. It prints the first key's public key.
func keyCommand(args []string, stdout io.Writer) (err error) {
	if len(args) != 2 || args[1] == "" {
		return errKeyUsage
	}

	var keys []fleet.Key
	switch verb, path := args[0], args[1]; verb {
	case "new":
		keys, err = prependNewKey(nil)
		if err != nil {
			return err
		}
		f, err := createKeys(path, keys)
		if err != nil {
			return err
		}
		f.Close() // synced
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

func prependNewKey(former []fleet.Key) ([]fleet.Key, error) {
	k, err := fleet.NewKey()
	return append([]fleet.Key{k}, former...), err
}

// rotate replaces a key file by a new key and the former first one. It follows a symbolic link. A
// second rotation at the same time fails.
func rotate(path string) ([]fleet.Key, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	keys, err := (&config.Config{NATSKeys: []string{path}}).ReadFleetKeys()
	if err == nil {
		keys, err = prependNewKey(keys[:1])
	}
	if err != nil {
		return nil, err
	}

	next, err := createKeys(path+".new", keys)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w; another rotation is running, or was interrupted and left the file: then remove it", err)
	}
	if err != nil {
		return nil, err
	}

	err = keepOwner(path, next)
	if err == nil {
		err = safedir.Replace(next, path)
	}
	if err != nil {
		next.Close()
		os.Remove(next.Name())
	}
	return keys, err
}

// createKeys writes and syncs a new file, which the caller closes. After an error no file is left.
func createKeys(path string, keys []fleet.Key) (*os.File, error) {
	text, err := fleet.AppendKeys(make([]byte, 0, 4096), keys)
	if err != nil {
		return nil, err
	}
	defer erase.Wipe(text)

	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync()); err != nil {
		f.Close()
		os.Remove(path)
		return nil, err
	}
	return f, nil
}
