// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package safedir is for files in directories that other users see: it tells whether a directory is
// one in which nobody else can replace them, has a lock that nobody else can hold, and replaces a
// file whole. All but Replace works on Linux, macOS and the BSDs alone.
package safedir
