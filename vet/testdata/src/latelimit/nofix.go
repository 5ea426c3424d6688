// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package latelimit

import (
	"store"

	"golang.org/x/crypto/bcrypt"
)

// No fix is suggested here, as it would ask something else: a file with one has a golden twin.

func failures(u *store.User, password string) (err error) {
	err = bcrypt.CompareHashAndPassword(u.Hash, []byte(password))
	if err != nil && !limiter.Allow() { // want "the limit is asked after the password was hashed"
		return nil
	}
	return err
}

func renamed(u *store.User, password, name string) bool {
	ok := u.Matches(password)
	name = "user/" + name
	if limiter.TooManyAttempts(name) { // want "the limit is asked after the password was hashed"
		return false
	}
	return ok
}

// The limit counts failures alone.
func counted(u *store.User, password string) bool {
	if u.Matches(password) {
		return true
	}
	if !limiter.Allow() { // want "the limit is asked after the password was hashed"
		panic("too many failures")
	}
	return false
}
