// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package unixsocket listens at a path, for servers whose socket other users see.
//
// The socket has its mode from the moment it has its name. One that a killed server left, on which nobody answers, is
// replaced; one that is answered, and a file of another kind, are errors. So is a directory in which others may replace
// files. Closing the listener removes its socket, and no other.
package unixsocket
