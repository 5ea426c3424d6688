// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the kernel kill the process when this one ends, by SIGKILL too. It does so when the thread that started the process
// ends; Go's threads end with this process, or with a goroutine that was locked to one, of which there is none here.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
