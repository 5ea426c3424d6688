// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"net/http"
	"wired/app"
)

func main() { http.ListenAndServe("localhost:0", app.Handler()) }
