// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What ends a mount, elsewhere: there is none.

//go:build !unix

package cli

import "os"

var endSignals = []os.Signal{os.Interrupt}
