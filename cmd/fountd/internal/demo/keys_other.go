// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !linux

package demo

import (
	"errors"
	"os"
)

type keys struct{ in *os.File }

func openKeys(*os.File) (*keys, error) { return nil, errors.New("no keys on this system") }

func (*keys) restore() {}
