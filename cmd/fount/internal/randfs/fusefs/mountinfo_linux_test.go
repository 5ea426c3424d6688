// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

import "testing"

// The first line is the example of proc_pid_mountinfo(5).
const mountinfo = `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
91 36 0:39 / /mnt2/a\040dir rw,nosuid,nodev,noexec,relatime - fuse.fount fount rw,user_id=0,group_id=0
92 91 0:40 / /mnt2/a\040dir rw shared:7 master:1 propagate_from:2 - tmpfs a\040- rw
93 36 0:41 / /mnt2/b\134c\9aa\04 rw - fuse.fount fount rw
94 36 0:42 / /mnt2/short rw
`

func FuzzMountsOn(f *testing.F) {
	for _, path := range []string{"/mnt2", "/mnt2/a dir", `/mnt2/b\c\9aa\04`} { // the last two escapes are none
		f.Add([]byte(mountinfo), path)
		if len(mountsOn([]byte(mountinfo), path)) == 0 {
			f.Errorf("nothing is mounted on %q", path)
		}
	}
	f.Fuzz(func(t *testing.T, info []byte, path string) {
		for _, m := range mountsOn(info, path) {
			if m.path != path || m.fsType == "" {
				t.Errorf("%+v on %q", m, path)
			}
		}
	})
}
