// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix

package cli

import "os"

// keepOwner does nothing: a new file has the owner of the process, or of its directory.
func keepOwner(*os.File, os.FileInfo) error { return nil }
