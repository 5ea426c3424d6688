// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// The auxiliary vector: what the kernel told the process at exec, as pairs of machine words; see getauxval(3).

import (
	"encoding/binary"
	"fmt"
)

// The entries used here, from Linux's include/uapi/linux/auxvec.h.
const (
	atNull        = 0
	atSysinfoEhdr = 33 // address of the vDSO's ELF header
)

// parseAuxv reads pairs of words of wordSize bytes (4 or 8) until the entry AT_NULL. A vector without AT_NULL, or one
// that ends within a pair before it, is an error. Of an entry that appears twice the first counts.
func parseAuxv(b []byte, wordSize int, order binary.ByteOrder) (map[uint64]uint64, error) {
	if wordSize != 4 && wordSize != 8 {
		return nil, fmt.Errorf("word of %d bytes, want 4 or 8", wordSize)
	}
	word := func(b []byte) uint64 {
		if wordSize == 4 {
			return uint64(order.Uint32(b))
		}
		return order.Uint64(b)
	}
	aux := map[uint64]uint64{}
	for ; len(b) >= 2*wordSize; b = b[2*wordSize:] {
		kind, value := word(b), word(b[wordSize:])
		if kind == atNull {
			return aux, nil
		}
		if _, ok := aux[kind]; !ok {
			aux[kind] = value
		}
	}
	return nil, fmt.Errorf("auxiliary vector without an end")
}
