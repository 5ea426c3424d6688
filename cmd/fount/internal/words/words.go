// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package words has 2,048 English words of three to eight letters, each known by its first four: the list of BIP-39
// (https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt), from the package mnemonic 0.21 of PyPI. It is
// under the MIT license, which stands beside it. The EFF's list has 7,776 words, but longer ones: 1.6 bits a
// character against 1.7 here. Its license, CC BY, requires attribution from everyone who passes the program on.
package words

import (
	_ "embed"
	"strings"
)

//go:embed english.txt
var english string

// Bits is how many bits a word drawn from all holds.
const Bits = 11

// English are the words, in the order of the alphabet. It must not be changed.
var English = strings.Fields(english)
