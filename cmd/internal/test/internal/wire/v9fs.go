// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package wire

// A guest that tries the kernel's 9P client sends a list of Visits, one for each of the Mounts.

// A Visit is what the guest met at one mount.
type Visit struct {
	Name    string // of the mount
	Options string // of the mount, as the kernel has them
	Failed  string // the first step that failed, and why
	Files   []File // of the root directory, sorted
	Reads   []Read // of the file random
	Before  string // the file stats
	After   string // the file stats, after the writes to seed and ctl
	Seeds   []int  // bytes of each write to seed
	Status  string // the file ctl
	Orphan  string // the error of a read after the server was killed
}

// A File is an entry of a directory.
type File struct {
	Name string
	Mode uint32
	Size int64
}

// A Read is one system call.
type Read struct {
	Asked, Got int
	First      []byte // the first 16 bytes or fewer
}

// ReadSizes are around the size of a message, which is 65536 B with 24 B for its header, and above.
var ReadSizes = []int{1, 16, 16, 4096, 65511, 65512, 65513, 65536, 100000, 1 << 20}

// A Mount is how the guest mounts.
type Mount struct {
	Name      string
	Transport string // tcp or nobody, to a port of the host; unix, to a server in the guest
	Options   string
	All       bool // the whole tree is there, not only random and urandom
}

// Mounts are in order. The last one's server is killed while it is mounted.
var Mounts = []Mount{
	{"9p2000", "tcp", "version=9p2000,cache=none,noextend", true},
	{"9p2000.u", "tcp", "version=9p2000.u,cache=none", true},
	{"9p2000.L", "tcp", "version=9p2000.L,cache=none", true},
	{"dev", "tcp", "version=9p2000,cache=none,noextend,aname=dev", false},
	{"nobody", "nobody", "version=9p2000,cache=none,noextend", true},
	{"unix", "unix", "version=9p2000,cache=none,noextend", true},
}
