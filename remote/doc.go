// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package remote has another process hash passwords: fountd, behind the same password.Verifier as a password.Pool. A service
// that leaves hashing to it changes one line:
//
//	pool, err := password.NewPool(password.Options{})
//	pool, err := remote.HTTP("/run/fountd/fountd.sock", remote.HTTPOptions{})
//
// NATS has a fleet of them hash, over a broker that is not trusted.
//
// Errors match the same values of package password with errors.Is and errors.As; see Error.
package remote
