// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A standard output that was closed before the program began.

package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// isClosed reports whether w is standard output and was closed when the program began. The runtime has put /dev/null in
// its place (runtime/fds_unix.go), open for reading and writing, which nobody else holds: not another of the standard
// descriptors, as a daemon's, and not the parent, as in Python's subprocess.DEVNULL. Where the kernel does not say who
// holds it (kcmp(2)), the answer is no. A parent that opened /dev/null to read and write in the child alone, as Node.js
// for "ignore", can't be told from one that closed it.
func isClosed(w io.Writer) bool {
	const stdout = 1
	if f, ok := w.(*os.File); !ok || f != os.Stdout {
		return false
	}
	flags, err := unix.FcntlInt(stdout, unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	var st unix.Stat_t
	if err := unix.Fstat(stdout, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR || st.Rdev != unix.Mkdev(1, 3) {
		return false
	}
	self, parent := os.Getpid(), os.Getppid()
	for _, other := range []int{0, 2} {
		if same, known := sameFile(self, stdout, self, other); same || !known {
			return false
		}
	}
	held, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", parent))
	if err != nil {
		return false
	}
	for _, fd := range held {
		n, err := strconv.Atoi(fd.Name())
		if err != nil {
			return false
		}
		if same, known := sameFile(self, stdout, parent, n); same || !known {
			return false
		}
	}
	return true
}

// sameFile reports whether two descriptors are of one open file description, and whether the kernel says so. One that is
// closed is not the same.
func sameFile(pid1, fd1, pid2, fd2 int) (same, known bool) {
	const kcmpFile = 0 // KCMP_FILE in linux/kcmp.h
	r, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(pid1), uintptr(pid2), kcmpFile, uintptr(fd1), uintptr(fd2), 0)
	if errno == unix.EBADF {
		return false, true
	}
	return errno == 0 && r == 0, errno == 0
}
