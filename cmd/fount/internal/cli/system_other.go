// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix && !windows

package cli

import "os"

func ignoreSIGPIPE() {}

func isReaderGone(error) bool { return false } // Plan 9 sends the writer a note, which ends it

func isReset(error) bool { return false } // on Plan 9 a reset is an end of file

func isFull(error) bool { return false } // connecting waits while the queue is full

func keepOwner(*os.File, os.FileInfo) error { return nil } // a new file belongs to the process's user
