// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordhttp is what stands between net/http and a password.Verifier: whom a request
// comes from, until when it can be answered, whether the pool would refuse it, and the answer to what
// goes wrong. It is not a sign-in: it knows no users, forms, sessions or cookies.
//
// A [Gate] does all of that before and after a handler of its own form. Its parts can be used alone:
// [Gate.Principal], [Gate.WithDeadline], [ServeError]. [Shutdown] ends a server
// and its pool in the right order.
package passwordhttp
