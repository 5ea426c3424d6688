// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fleet is the protocol between a client and the workers of a fleet that hash passwords for it, over a message broker
// that neither trusts. It makes and reads messages; it is not a transport and computes no hashes.
//
// A request is sealed to the fleet's public key by HPKE (RFC 9180) with the hybrid MLKEM768-X25519. Its reply is sealed under a
// key that only this request yields. The broker sees who sends when, a [Header], and sizes that are always the same.
// docs/design.md has the reasons, docs/fleet-threat-model.md what is promised.
//
// Read the files in this order:
//
//	header.go    the clear part of a request, and what refuses one unopened
//	cost.go      what the clear part says of the hash's cost
//	fields.go    the sealed part: fields that a later version may add to, padded to one length
//	message.go   what a request asks and a reply answers
//	seal.go      the keys and the AEAD
//	client.go    the asking end: one encapsulation for many requests
//	worker.go    the answering end
//	memory.go    the encapsulations that a worker remembers, and the requests it has seen
//	subject.go   the broker's names for a fleet
//	news.go      what workers say of themselves
//	cancel.go    what tells a worker that nobody waits
//	key.go       the fleet's keys as text, and their file
package fleet
