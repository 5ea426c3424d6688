// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"io"
	"path/filepath"
	"time"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/fusefs"
	"fount/cmd/fount/internal/randfs/ninep"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/counter"
	"fount/cmd/internal/lab/files"
	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/model"
	"fount/cmd/internal/lab/nonce"
	"fount/cmd/internal/lab/password"
	"fount/cmd/internal/lab/scale"
	"fount/cmd/internal/lab/seeds"
	"fount/cmd/internal/lab/source"
)

// studies are the studies of fount bench and fount report, in their order.
var studies = []lab.Study{
	nonce.Study,
	source.Study,
	seeds.Study,
	scale.Study,
	model.Study,
	password.Study,
	logins.Study,
	files.Study(files.Servers{NineP: serveFor9P, Open9P: openFor9P, FUSE: mountFor}),
	counter.Study,
}

// serveFor9P serves 9P on a Unix socket in dir, or on loopback where there are no Unix sockets. It
// returns the address, and a function that ends the server.
func serveFor9P(dir string, read func([]byte), conns int, stall time.Duration) (at string, stop func() error, err error) {
	l, err := ninep.Listen("unix!" + filepath.Join(dir, "9p"))
	if err != nil {
		if l, err = ninep.Listen("tcp!127.0.0.1!0"); err != nil {
			return "", nil, err
		}
	}

	server := &ninep.Server{Tree: randfs.New(randfs.Source{Read: read}), Limits: ninep.Limits{Conns: conns, Stall: stall}}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()

	return dialString(l.Addr()), func() error {
		err := server.Close()
		<-served
		return err
	}, nil
}

// openFor9P opens the file random of a server, as fount rand --from does.
func openFor9P(address string) (io.ReadCloser, error) { return dialRandom(address, false) }

// mountFor mounts the files at mountpoint by FUSE, and returns a function that unmounts them.
func mountFor(mountpoint string) (func() error, error) {
	m, err := fusefs.Mount(randfs.New(randfs.Source{}), mountpoint, fusefs.Options{})
	if err != nil {
		return nil, err
	}
	return m.Unmount, nil
}
