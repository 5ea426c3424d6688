// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package gin stands for the framework of that name.
package gin

import "net/http"

type Context struct{ Request *http.Request }
