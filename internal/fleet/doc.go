// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fleet seals the messages of fountd's API for their way over a broker that nobody trusts, and holds the fleet's keys. It
// knows no message and computes no hash.
//
// A request is sealed to the fleet's public key by HPKE (RFC 9180) with the hybrid MLKEM768-X25519, under an encapsulation of its
// own. Its reply is sealed under a key that only this request yields. The broker sees who sends when, and a few sizes.
// docs/design.md has the reasons, docs/fleet-threat-model.md what is promised.
package fleet
