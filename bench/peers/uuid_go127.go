// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build go1.27

package peers

import "uuid"

func openStandardUUID() Worker {
	return Worker{
		UUID: func(dst [][16]byte) {
			for i := range dst {
				dst[i] = uuid.NewV4()
			}
		},
		UUIDv7: func(dst [][16]byte) {
			for i := range dst {
				dst[i] = uuid.NewV7()
			}
		},
		UUIDString: func(dst []string) {
			for i := range dst {
				dst[i] = uuid.NewV4().String()
			}
		},
	}
}
