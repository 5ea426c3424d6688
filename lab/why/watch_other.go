// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package why

import (
	"context"
	"time"
)

const nonblocking = 0

// Watch is of Linux.
func Watch(context.Context, int, time.Duration) (*Profile, error) { return nil, ErrNotHere }

// Run is of Linux.
func Run(context.Context, Command, time.Duration) (*Profile, error) { return nil, ErrNotHere }
