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

// isClosed reports whether w is standard output and was closed when the program began. In its place the runtime has
// opened /dev/null (runtime/fds_unix.go) for reading and writing, which nothing else holds: no other standard descriptor,
// as in a daemon, and not the parent, as in Python's subprocess.DEVNULL. If the kernel can't compare them (kcmp(2)), the
// answer is no. A parent that opens /dev/null to read and write only in the child, as Node.js does for "ignore", looks
// like one that closed it.
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

// sameFile reports whether two descriptors share an open file description, and whether the kernel can tell. A closed one
// shares none.
func sameFile(pid1, fd1, pid2, fd2 int) (same, known bool) {
	const kcmpFile = 0 // KCMP_FILE in linux/kcmp.h
	r, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(pid1), uintptr(pid2), kcmpFile, uintptr(fd1), uintptr(fd2), 0)
	if errno == unix.EBADF {
		return false, true
	}
	return errno == 0 && r == 0, errno == 0
}
