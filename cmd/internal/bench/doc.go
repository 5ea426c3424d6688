// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bench compares fount with its competitors: its tests check results, and the command peers
// measures times. It is not what fount bench runs, which is package lab.
package bench
