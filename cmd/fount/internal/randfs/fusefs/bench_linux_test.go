// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fusefs

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// Reads of the mount and of the kernel's device:
//
//	go test -run '^$' -bench Read -count 10 ./cmd/fount/internal/randfs/fusefs | benchstat -col /file -
func BenchmarkRead(b *testing.B) {
	s := mounted(b, Options{})
	for _, size := range []int{16, 4 << 10, 1 << 20} {
		for _, path := range []string{s.path("random"), "/dev/urandom"} {
			b.Run(fmt.Sprintf("size=%d/file=%.4s", size, path[1:]), func(b *testing.B) {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				defer f.Close()
				p := make([]byte, size)
				b.SetBytes(int64(size))
				for b.Loop() {
					if _, err := io.ReadFull(f, p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
