// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

// The standard library's uuid is new in Go 1.27: uuid_go127.go opens it.

func standardUUID() Peer {
	return Peer{
		Name:  "uuid",
		Needs: "Go 1.27",
		Open:  openStandardUUID,
	}
}
