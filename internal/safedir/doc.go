// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package safedir handles files in directories that other users can see. [Check] tells whether
// others can replace files in a directory, [Lock] takes a lock that no other user can hold, and
// [Replace] replaces a file as a whole. Check and Lock exist only on Linux, macOS and the BSDs.
package safedir
