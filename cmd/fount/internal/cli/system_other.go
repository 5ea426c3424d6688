// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix && !windows

package cli

import "os"

func ignoreSIGPIPE() {}

func isReaderGone(error) bool { return false } // Plan 9 ends the writer by a note

func isReset(error) bool { return false } // on Plan 9 that is an end of file

func isFull(error) bool { return false } // a connection waits for its place

var hangup []os.Signal

func keepOwner(*os.File, os.FileInfo) error { return nil } // a new file's is the process's
