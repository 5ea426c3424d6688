// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package users hashes, and does not import the handlers' interface.
package users

import (
	"wired/model"

	"golang.org/x/crypto/bcrypt"
)

type accounts struct{}

// New returns a type that importers can't name.
func New() interface {
	SignIn(*model.LoginRequest) error
} {
	return accounts{}
}

func (accounts) SignIn(in *model.LoginRequest) error {
	return bcrypt.CompareHashAndPassword(nil, []byte(in.Password))
}
