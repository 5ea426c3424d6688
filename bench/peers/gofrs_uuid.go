// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

import "github.com/gofrs/uuid/v5"

func gofrsUUID() Peer {
	return Peer{
		Name:   "gofrs/uuid",
		Module: "github.com/gofrs/uuid/v5",
		Open: func() Worker {
			return Worker{
				UUID: func(dst [][16]byte) {
					for i := range dst {
						dst[i] = uuid.Must(uuid.NewV4())
					}
				},
				UUIDv7: func(dst [][16]byte) {
					for i := range dst {
						dst[i] = uuid.Must(uuid.NewV7())
					}
				},
				UUIDString: func(dst []string) {
					for i := range dst {
						dst[i] = uuid.Must(uuid.NewV4()).String()
					}
				},
			}
		},
	}
}
