// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package app puts handlers and accounts together.
package app

import (
	"net/http"
	"wired/api"
	"wired/users"
)

func Handler() http.Handler { return api.New(users.New()) }
