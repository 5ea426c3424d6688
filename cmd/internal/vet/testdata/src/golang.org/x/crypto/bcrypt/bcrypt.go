// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package bcrypt has the signatures of the real one.
package bcrypt

func GenerateFromPassword(password []byte, cost int) ([]byte, error) { panic("no body") }
func CompareHashAndPassword(hashedPassword, password []byte) error   { panic("no body") }
