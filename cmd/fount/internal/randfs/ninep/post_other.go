// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9

package ninep

import "errors"

// Post posts a server in Plan 9's /srv.
func Post(string, *Server, func()) error {
	return errors.New("posting to /srv needs Plan 9; listen on a unix socket or loopback")
}
