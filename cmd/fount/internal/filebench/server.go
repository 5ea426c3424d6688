// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package filebench

// The sources behind a 9P server of this process: the emulated device, and fount's files.

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"time"

	"fount"
	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/ninep"
	"fount/entropy"
)

// seedSize is what the server reads from the device before it serves, as a Go process on Plan 9 does.
const seedSize = 32

// newEmulated is a device with a ring as o asks for, not started.
func newEmulated(o *Options) *device {
	var ring []byte
	if o.Ring == Full {
		ring = make([]byte, ringHolds)
		fount.Read(ring)
	}
	return newDevice(ring)
}

// openEmulated serves the device alone. It goes through the same 9P server as fount's files: what differs is where the
// bytes come from. The device starts when the gate opens, so that an empty ring is empty then.
func openEmulated(_ context.Context, o *Options, dir string) (*door, error) {
	d := newEmulated(o)
	door, err := serve9P(o, dir, randfs.Source{Read: func(b []byte) { _, _ = d.Read(b) }})
	if err != nil {
		return nil, err
	}
	hangUp := door.close
	door.begin = func() { d.start(o.Tick) }
	door.made = d.bytesMade
	door.close = func() error {
		d.close() // first: the server waits for its reads
		return hangUp()
	}
	return door, nil
}

// open9PServer starts a server as on Plan 9: it reads its seed from the device, and serves then. The device runs on, as
// it does there.
func open9PServer(ctx context.Context, o *Options, dir string) (*door, error) {
	begin := time.Now()
	d := newEmulated(o)
	d.start(o.Tick)
	if err := seedFrom(ctx, d); err != nil {
		d.close()
		return nil, err
	}
	door, err := serve9P(o, dir, randfs.Source{})
	if err != nil {
		d.close()
		return nil, err
	}
	hangUp := door.close
	door.took = time.Since(begin)
	door.close = func() error {
		defer d.close()
		return hangUp()
	}
	return door, nil
}

// seedFrom reads a seed from the device. It goes into fount's pool beside the kernel's own bytes, so that the time is
// Plan 9's and the bytes are fount's.
func seedFrom(ctx context.Context, d *device) error {
	stop := context.AfterFunc(ctx, d.close)
	defer stop()
	seed := make([]byte, seedSize)
	if _, err := d.Read(seed); err != nil {
		return err
	}
	entropy.Add("bench files", seed)
	fount.Reseed()
	return nil
}

// serve9P serves a tree on a Unix socket, or on the loopback where there is none.
func serve9P(o *Options, dir string, s randfs.Source) (*door, error) {
	address := "unix!" + filepath.Join(dir, "9p")
	l, err := ninep.Listen(address)
	if err != nil {
		if l, err = ninep.Listen("tcp!127.0.0.1!0"); err != nil {
			return nil, err
		}
		host, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return nil, errors.Join(err, l.Close())
		}
		address = "tcp!" + host + "!" + port
	}
	// Some connections of a run may not be gone when the next one begins; and a client whose read takes long looks to
	// the server like one that does not go on.
	patient := ninep.Limits{Conns: 4*o.Procs + 16, Stall: 2*o.Limit + time.Minute}
	server := &ninep.Server{Tree: randfs.New(s), Limits: patient}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	return &door{way: way9P, address: address, close: func() error {
		err := server.Close()
		<-served
		return err
	}}, nil
}
