// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount.UUID beside the standard library's uuid, which is new in Go 1.27.

//go:build go1.27

package bench

import (
	"testing"
	"uuid"
)

func TestStandardUUID(t *testing.T) {
	exchange(t, uuid.Parse, func() (uuid.UUID, error) { return uuid.NewV4(), nil })
	exchange(t, uuid.Parse, func() (uuid.UUID, error) { return uuid.NewV7(), nil })
}
