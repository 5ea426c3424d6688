// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package registers sets and reads the processor's vector registers, for tests that look for what a
// function leaves in them. It is not for programs: the compiler uses vector registers as it likes.
package registers
