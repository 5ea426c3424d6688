// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package postgres runs a PostgreSQL for tests: a real one, on a Unix socket in a directory of its own. It needs Linux and is
// not for programs. Making a cluster takes some seconds: its callers skip unless FOUNT_LONG is set.
package postgres
