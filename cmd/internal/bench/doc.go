// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bench holds fount against its competitors, by tests; its command peers measures them.
package bench
