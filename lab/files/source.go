// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The sources: where the processes of a race get their bytes.

import (
	"context"
	"os"
	"time"
)

// The names of the sources.
const (
	Emulated = "emulated"
	NineP    = "9p"
	FUSE     = "fuse"
	URandom  = "urandom"
	Fount    = "fount"
)

// A place is a source before it is open.
type place struct {
	name, about string
	once        bool // it is slow: one run
	open        func(ctx context.Context, o *Options, dir string) (*door, error)
}

// Each is opened for its own runs, and closed before the next one is.
var places = []place{
	{Emulated, "an emulated Plan 9 /dev/random (test equipment), all processes at one device", true, openEmulated},
	{NineP, "fount's 9P server, seeded from an emulated device before it serves", false, open9PServer},
	{FUSE, "fount's files mounted by FUSE", false, openFUSE},
	{URandom, "/dev/urandom", false, openURandom},
	{Fount, "fount.Read in the process", false, openInProcess},
}

// Names are those of all sources, in the order of measuring.
func Names() (names []string) {
	for _, p := range places {
		names = append(names, p.name)
	}
	return names
}

// A door is an open source.
type door struct {
	way     string
	network string // of the address, for 9P
	address string
	took    time.Duration // to open it
	begin   func()        // called when the gate opens; may be nil
	made    func() int64  // bytes that a device has made since; nil: no device
	close   func() error
}

// task is to read that many bytes, at most 64 KiB at a time.
func (d *door) task(bytes int) task {
	return task{Way: d.way, Network: d.network, Address: d.address, Bytes: bytes, Piece: 64 << 10}
}

func openURandom(context.Context, *Options, string) (*door, error) {
	const name = "/dev/urandom"
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return &door{way: wayFile, address: name, close: nothing}, f.Close()
}

func openInProcess(context.Context, *Options, string) (*door, error) {
	return &door{way: wayInProcess, close: nothing}, nil
}

func nothing() error { return nil }
