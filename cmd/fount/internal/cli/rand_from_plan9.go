// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount rand --from on Plan 9, where a mount does it.

package cli

import (
	"fmt"
	"io"
)

func dialRandom(addr string, _ bool) (io.ReadCloser, error) {
	return nil, fmt.Errorf("--from %s: on Plan 9 mount the server and read its file: "+
		"srv '%[1]s' fount /n/fount; dd -if /n/fount/random -bs 32 -count 1", addr)
}
