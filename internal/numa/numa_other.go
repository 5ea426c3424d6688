// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package numa

// Detect returns one node.
func Detect() *Topology { return oneNode("") }

func currentNode() int { return -1 }

// Here returns -1 and -1: CPU and node are not known.
func Here() (cpu, node int) { return -1, -1 }

// cpusOf is not called: there is one node.
func cpusOf(int) ([]int, error) { return nil, nil }
