// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The sources behind a 9P server of this process: the emulated device, and fount's files.

import (
	"context"
	"time"

	"fount"
	"fount/pool"
)

// seedSize is what the server reads from the device before it serves, as crypto/rand does on Plan 9.
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

// openEmulated serves the device through the same 9P server as fount's files: only the source of the bytes differs. The
// device starts when the gate opens, so that an empty ring is empty then.
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

// open9PServer starts a server as on Plan 9, which reads its seed from the device before it serves. The device runs on,
// as it does there.
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

// seedFrom reads a seed from the device and adds it to fount's pool, beside the kernel's bytes: the time is Plan 9's, the
// bytes are fount's.
func seedFrom(ctx context.Context, d *device) error {
	stop := context.AfterFunc(ctx, d.close)
	defer stop()
	seed := make([]byte, seedSize)
	if _, err := d.Read(seed); err != nil {
		return err
	}
	pool.Add("bench files", seed)
	fount.Reseed()
	return nil
}

// serve9P serves the bytes of read, or the program's own if read is nil.
func serve9P(o *Options, dir string, read func([]byte)) (*door, error) {
	// Connections of a run may still be open when the next one begins, and to the server a client with a slow read looks
	// like one that has stalled.
	at, stop, err := o.Servers.NineP(dir, read, 4*o.Procs+16, 2*o.Limit+time.Minute)
	if err != nil {
		return nil, err
	}
	return &door{way: way9P, network: at.Network(), address: at.String(), close: stop}, nil
}
