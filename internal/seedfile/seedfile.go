// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package seedfile remembers what became of this process's seed file. Package pools reads and mixes the file;
// package entropy lists it as a source, and can't import pools.
package seedfile

import "sync/atomic"

var (
	bytes atomic.Uint64
	why   atomic.Pointer[string] // why there is none, "" if there is one, nil before the first call
)

// Mixed says that n bytes of the file were mixed. Of Mixed and Failed, the last call counts.
func Mixed(n int) {
	bytes.Add(uint64(n))
	why.Store(new(string))
}

// Failed says that none were; the error names the file.
func Failed(err error) {
	s := err.Error()
	why.Store(&s)
}

// Absent returns why there is no seed file, "" if there is one.
func Absent() string {
	if s := why.Load(); s != nil {
		return *s
	}
	return "none is in use"
}

// Bytes returns how many bytes were mixed so far.
func Bytes() uint64 { return bytes.Load() }
