// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

import "github.com/google/uuid"

func googleUUID() Peer {
	return Peer{
		Name:   "google/uuid",
		Module: "github.com/google/uuid",
		Open: func() Worker {
			w := openGoogleUUID()
			w.UUIDv7 = func(dst [][16]byte) {
				for i := range dst {
					dst[i] = uuid.Must(uuid.NewV7())
				}
			}
			return w
		},
	}
}

// The pool is for version 4 alone.
func googleUUIDPool() Peer {
	return Peer{
		Name:   "google/uuid pool",
		Module: "github.com/google/uuid",
		Start: func() (stop func()) {
			uuid.EnableRandPool()
			return uuid.DisableRandPool
		},
		Open: openGoogleUUID,
	}
}

func openGoogleUUID() Worker {
	return Worker{
		UUID: func(dst [][16]byte) {
			for i := range dst {
				dst[i] = uuid.New()
			}
		},
		UUIDString: func(dst []string) {
			for i := range dst {
				dst[i] = uuid.NewString()
			}
		},
	}
}
