// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives f the extended attributes of the file called of, such as access lists and
// the SELinux label.
func keepAttributes(f *os.File, of string) error {
	_ = unix.Fremovexattr(int(f.Fd()), "system.posix_acl_access") // it is the directory's default
	buf := make([]byte, 64<<10)                                   // the most that Linux allows
	n, err := unix.Listxattr(of, buf)
	if err != nil {
		if errors.Is(err, unix.ENOTSUP) {
			return nil
		}
		return err
	}
	for name := range strings.FieldsFuncSeq(string(buf[:n]), func(c rune) bool { return c == 0 }) {
		n, err := unix.Getxattr(of, name, buf)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		value := bytes.Clone(buf[:n])
		if n, err := unix.Fgetxattr(int(f.Fd()), name, buf); err == nil && bytes.Equal(buf[:n], value) {
			continue
		}
		if err := unix.Fsetxattr(int(f.Fd()), name, value, 0); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
