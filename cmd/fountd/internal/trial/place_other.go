// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !linux

package trial

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

func dieWithUs(*syscall.SysProcAttr) {}

func (place) start(cmd *exec.Cmd) error { return cmd.Start() }

// errNoPlace is why there are no quotas and networks.
var errNoPlace = errors.New("this system is not Linux")

type groups struct{ dir string }

func newGroups(string) (*groups, error) { return nil, errNoPlace }

type group struct{ dir string }

func (*groups) add(string, float64) (*group, error) { return nil, errNoPlace }

func (*group) throttled() time.Duration { return 0 }

func processorTime(int) time.Duration { return 0 }

const nearAddress = ""

type network struct{}

func newNetwork(string) (*network, error) { return nil, errNoPlace }

func (*network) connected(bool) error { return errNoPlace }

func (*network) close() {}
