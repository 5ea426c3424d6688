// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package machine

import (
	"io/fs"

	"fount/internal/processor"
)

// InspectAs is Inspect where the file system below root and the processor are those of another machine, of architecture arch.
// It exists only in builds with the tag fount_test.
func InspectAs(arch string, root fs.FS, v processor.View) Facts {
	f := Inspect()
	f.Arch, f.CPU = arch, ""
	f.Features, f.Lacks = divide(known(arch, v), nil)
	readTree(root, v, &f)
	return f
}
