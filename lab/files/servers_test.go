// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !js && !wasip1

package files

// Stands-ins for the program's servers, whose own tests are with them.

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fount"

	"9fans.net/go/plan9"
)

var testServers = Servers{NineP: serveTest9P, FUSE: mountTest}

// serveTest9P answers the messages that the reader sends, and no others.
func serveTest9P(dir string, read func([]byte), _ int, _ time.Duration) (net.Addr, func() error, error) {
	if read == nil {
		read = func(b []byte) { _, _ = fount.Read(b) }
	}
	l, err := net.Listen("unix", filepath.Join(dir, "9p"))
	if err != nil {
		return nil, nil, err
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer conn.Close()
				for {
					m, err := plan9.ReadFcall(conn)
					if err != nil {
						return
					}
					if m.Type == plan9.Tread {
						m.Data = make([]byte, m.Count)
						read(m.Data)
					}
					m.Type++ // an answer's number is one higher
					if plan9.WriteFcall(conn, m) != nil {
						return
					}
				}
			})
		}
	})
	return l.Addr(), func() error {
		err := l.Close()
		serving.Wait()
		return err
	}, nil
}

// mountTest puts a file in the place of the mounted one.
func mountTest(mountpoint string) (func() error, error) {
	random := filepath.Join(mountpoint, "random")
	bytes := make([]byte, 1<<20)
	fount.Read(bytes)
	return func() error { return os.Remove(random) }, os.WriteFile(random, bytes, 0o600)
}
