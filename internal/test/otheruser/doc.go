// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package otheruser runs attacks as another user of the machine, for tests. It needs Linux and
// root, and is not for programs.
package otheruser

// Variable says in a test binary which of its attacks to run in place of the tests: TestMain looks.
const Variable = "FOUNT_TEST_ATTACK"
