// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

import "fount/cmd/fountd/internal/demo"

const demoHelp = `  fountd demo [flags]     run a fleet on this machine under a load and show its figures; fountd demo --help
`

var demoCommand = demo.Main
