// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build go1.27

package main

import (
	"uuid"

	"fount/lab/measure"
)

func init() {
	standard.v4 = []measure.Method{each("uuid", func(dst [][16]byte) {
		for i := range dst {
			dst[i] = uuid.NewV4()
		}
	})}
	standard.v7 = []measure.Method{each("uuid", func(dst [][16]byte) {
		for i := range dst {
			dst[i] = uuid.NewV7()
		}
	})}
	standard.text = []measure.Method{each("uuid", func(dst []string) {
		for i := range dst {
			dst[i] = uuid.NewV4().String()
		}
	})}
}
