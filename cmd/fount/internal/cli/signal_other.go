// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Pipes whose reader is gone, elsewhere.

//go:build !unix && !windows

package cli

func ignoreSIGPIPE() {}

func isReaderGone(error) bool { return false } // Plan 9 kills the writer by a note; js and wasip1 have no pipes
