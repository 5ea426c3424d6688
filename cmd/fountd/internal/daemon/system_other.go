// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package daemon

import "log/slog"

func harden() error { return nil }

func reloading() string { return "RELOADING=1" }

func fit(conns, _ int, _ *slog.Logger) int { return conns }
