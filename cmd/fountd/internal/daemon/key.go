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

	"github.com/nats-io/nkeys"

	"fount"
	"fount/cmd/fountd/internal/config"
	"fount/internal/erase"
	"fount/internal/fleet"
)

const keyHelp = `  fountd key new FILE     make the secret key of a fleet, in a new file of mode 0600, and print its public key
  fountd key rotate [--keep N] FILE
                          put a new key first, keep N in all (2), and print the public key
  fountd key public FILE  print the public key of the first key, which clients need
  fountd key user FILE    make an nkey, by which a NATS broker knows its user, in a new file of mode 0600, and print its public half
`

// errKeyUsage is the error of a command line that is none of keyHelp's.
var errKeyUsage = errors.New("want fountd key new FILE, rotate [--keep N] FILE, public FILE or user FILE")

// keyCommand makes, rotates or shows the keys of a fleet, or makes a user of its broker. On standard output it prints the public
// key, of several the first, one line.
func keyCommand(args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errKeyUsage
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	keep := 2
	if args[0] == "rotate" {
		flags.IntVar(&keep, "keep", keep, "")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return fmt.Errorf("%w: %w", err, errKeyUsage)
	}
	if flags.NArg() != 1 || flags.Arg(0) == "" {
		return errKeyUsage
	}
	if keep < 1 || keep > fleet.MaxKeys {
		return fmt.Errorf("--keep %d; want 1 to %d: %w", keep, fleet.MaxKeys, errKeyUsage)
	}
	if args[0] == "user" {
		public, err := createUser(flags.Arg(0))
		if err == nil {
			_, err = fmt.Fprintln(stdout, public)
		}
		return err
	}
	keys, err := keysOf(args[0], flags.Arg(0), keep)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, keys[0].Public())
	return err
}

func keysOf(verb, path string, keep int) (keys []fleet.Key, err error) {
	switch verb {
	case "new":
		keys, err = withNew(nil)
		if err == nil {
			err = writeKeys(path, keys)
		}
		return keys, err
	case "rotate":
		return rotate(path, keep)
	case "public":
		return (&config.Config{NATSKeys: []string{path}}).ReadFleetKeys()
	}
	return nil, errKeyUsage
}

func withNew(former []fleet.Key) ([]fleet.Key, error) {
	k, err := fleet.NewKey()
	return append([]fleet.Key{k}, former...), err
}

// rotate puts a new key before those of a file, and keeps at most keep in all. Of a symbolic link the file that it leads to is replaced.
// One at a time: of two at once one may lose its key.
func rotate(path string, keep int) ([]fleet.Key, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	keys, err := (&config.Config{NATSKeys: []string{path}}).ReadFleetKeys()
	if err == nil {
		keys, err = withNew(keys[:min(len(keys), keep-1)])
	}
	if err != nil {
		return nil, err
	}
	next := path + ".new"
	if err := writeKeys(next, keys); err != nil {
		return nil, fmt.Errorf("%w; another rotation goes on, or was cut off and left it", err)
	}
	return keys, os.Rename(next, path)
}

func writeKeys(path string, keys []fleet.Key) error {
	text, err := fleet.AppendKeys(make([]byte, 0, 4096), keys)
	if err != nil {
		return err
	}
	defer erase.Wipe(text)
	return create(path, text)
}

// create writes a new file of mode 0600, whole or not at all.
func create(path string, secret []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(secret)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// createUser makes an nkey in a new file, and returns its public half.
func createUser(path string) (public string, err error) {
	user, err := nkeys.CreatePairWithRand(nkeys.PrefixByteUser, fount.Reader)
	if err != nil {
		return "", err
	}
	defer user.Wipe()
	if public, err = user.PublicKey(); err != nil {
		return "", err
	}
	seed, err := user.Seed()
	if err != nil {
		return "", err
	}
	defer clear(seed)
	return public, create(path, seed)
}
