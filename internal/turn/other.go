// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix

package turn

import "time"

// On these systems the network poller does not know pipes. Only sysmon polls, each 10 ms.
type pipe struct{}

func newPipe() *pipe { return nil }

func (*pipe) wait() bool { return false }

const knowsCPU = false

func processTime() time.Duration { return 0 }
