// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"fount/cmd/fountd/internal/config"
	"fount/internal/erase"
	"fount/internal/fleet"
	"fount/internal/safedir"
)

const keyHelp = `  fountd key new FILE     make a fleet's secret key in a new file of mode 0600
  fountd key rotate FILE  put a new key before the first of the file, and drop all others
  fountd key public FILE  print the public key of the first key, as all three do
`

// keyCommand makes, rotates or shows the keys of a fleet. It prints the first key's public key.
func keyCommand(args []string, stdout io.Writer) (err error) {
	if slices.Contains(args, "--help") {
		return flag.ErrHelp
	}
	wrong := usageError{errors.New("want fountd key new FILE, rotate FILE or public FILE")}
	if len(args) != 2 || args[1] == "" {
		return wrong
	}

	var keys []fleet.Key
	switch verb, path := args[0], args[1]; verb {
	case "new":
		var file *os.File
		keys, file, err = createKeys(path)
		file.Close() // which is synced, or nil
	case "rotate":
		keys, err = rotate(path)
	case "public":
		keys, err = config.ReadFleetKeys(path)
	default:
		return wrong
	}

	if err == nil {
		_, err = fmt.Fprintln(stdout, keys[0].Public())
	}
	return err
}

// rotate replaces a key file by a new key and the former first one. It follows a symbolic link. A
// second rotation at the same time fails.
func rotate(path string) ([]fleet.Key, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	keys, err := config.ReadFleetKeys(path)
	if err != nil {
		return nil, err
	}

	keys, next, err := createKeys(path+".new", keys[0])
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

// createKeys makes a key, and writes and syncs it before a former one, if any, to a new file, which
// the caller closes. After an error no file is left.
func createKeys(path string, former ...fleet.Key) (keys []fleet.Key, file *os.File, err error) {
	made, err := fleet.NewKey()
	if err != nil {
		return nil, nil, err
	}
	keys = append([]fleet.Key{made}, former...)
	text, err := fleet.AppendKeys(make([]byte, 0, 4096), keys)
	if err != nil {
		return nil, nil, err
	}
	defer erase.Wipe(text)

	file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync()); err != nil {
		file.Close()
		os.Remove(path)
	}
	return keys, file, err
}
