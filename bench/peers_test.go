// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The peers, task by task. Package peers says what each of them promises.

package bench

import (
	"strings"
	"testing"

	"fount/bench/peers"
)

// BenchmarkRead reads size bytes at once.
func BenchmarkRead(b *testing.B) {
	for _, size := range peers.Sizes {
		task := peers.Read(size)
		_, parameter, _ := strings.Cut(task.Name, "/")
		b.Run(parameter, func(b *testing.B) { compare(b, task, peers.All()) })
	}
}

func BenchmarkNonce(b *testing.B)      { compare(b, peers.Nonce, peers.All()) }
func BenchmarkUint64(b *testing.B)     { compare(b, peers.Uint64, peers.All()) }
func BenchmarkIntN(b *testing.B)       { compare(b, peers.IntN, peers.All()) }
func BenchmarkUUID(b *testing.B)       { compare(b, peers.UUID, peers.All()) }
func BenchmarkUUIDString(b *testing.B) { compare(b, peers.UUIDString, peers.All()) }
func BenchmarkUUIDv7(b *testing.B)     { compare(b, peers.UUIDv7, peers.All()) }
func BenchmarkText(b *testing.B)       { compare(b, peers.Text, peers.All()) }
