// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The sources behind a 9P server of this process: the emulated device, and fount's files.

import (
	"context"
	"time"

	"fount"
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
	door, err := serve9P(o, dir, func(b []byte) { _, _ = d.Read(b) })
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
	door, err := serve9P(o, dir, nil)
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

// serve9P serves what read fills, or the program's own bytes.
func serve9P(o *Options, dir string, read func([]byte)) (*door, error) {
	// Some connections of a run may not be gone when the next one begins; and a client whose read takes long looks to
	// the server like one that does not go on.
	at, stop, err := o.Servers.NineP(dir, read, 4*o.Procs+16, 2*o.Limit+time.Minute)
	if err != nil {
		return nil, err
	}
	return &door{way: way9P, network: at.Network(), address: at.String(), close: stop}, nil
}
