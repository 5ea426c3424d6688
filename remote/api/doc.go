// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package api declares the messages of fountd's HTTP API, once for servers and clients. It imports the standard library
// alone.
//
//	POST /v1/verify  Request  ->  200 VerifyReply
//	POST /v1/hash    Request  ->  200 HashReply
//	GET  /v1/policy           ->  200 Policy
//
// Every other status has a Problem as its body (RFC 9457). Bodies are JSON in UTF-8 (RFC 8259).
//
// Requests are read strictly: an unknown member, one of another type, null and a missing member are errors that name it; of one
// that stands twice the last counts. A misspelt deadline_ms would otherwise be no deadline. A new member is therefore a change that older
// servers refuse. Replies are read leniently: a client skips members that it does not know, so a server may add some, and
// treats a Reason that it does not know by the status.
//
// Passwords never become strings here: they are decoded into bytes that their owner can wipe.
package api

import "time"

// The paths.
const (
	PathVerify = "/v1/verify"
	PathHash   = "/v1/hash"
	PathPolicy = "/v1/policy"
)

// The media types of requests and replies, and of problems.
const (
	MediaType        = "application/json"
	MediaTypeProblem = "application/problem+json"
)

// HeaderWait is the header of a reply that says how long a server needs for all that it has now, in milliseconds.
const HeaderWait = "Fountd-Wait"

// The bounds of a message. A server answers a longer body with ReasonTooLarge, without reading it.
const (
	MaxRequest   = 32 << 10  // bytes; above the longest password, each byte of it escaped, and all other members
	MaxReply     = 16 << 10  // bytes
	MaxPassword  = 4096      // bytes; a server's policy usually takes fewer: 1024
	MaxPrincipal = 256       // bytes
	MaxHash      = 1024      // bytes; the longest stored hash that fountd reads has 320
	MaxDeadline  = time.Hour // of deadline_ms
)

// A Class says what a call is for.
type Class string

// The classes. The empty one means ClassSignIn.
const (
	ClassSignIn         Class = "sign_in"         // a password to verify
	ClassChangePassword Class = "change_password" // the same, of one who has signed in: counts as ClassSignIn
	ClassRehash         Class = "rehash"          // password.Login.Upgrade
)
