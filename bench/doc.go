// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bench measures fount beside its competitors, and holds the tools that check it. It is no
// library: nothing imports it, and only its tests and benchmarks matter.
//
// The command peers measures the competitors; the tests hold fount against them.
package bench
