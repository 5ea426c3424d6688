// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package latelimit

import (
	"store"

	"golang.org/x/crypto/bcrypt"
	"golang.org/x/time/rate"
)

type limits struct{ *rate.Limiter }

func (limits) Record(string) {}

func (limits) TooManyAttempts(string) bool { return false }

var limiter limits

func late(u *store.User, password string) bool {
	ok := bcrypt.CompareHashAndPassword(u.Hash, []byte(password)) == nil
	if !limiter.Allow() { // want `the limit is asked after the password was hashed.*\(latelimit\)`
		return false
	}
	return ok
}

func onFailure(u *store.User, password string) bool {
	if !u.Matches(password) {
		if limiter.TooManyAttempts(u.Name) { // want "the limit is asked after the password was hashed"
			return false
		}
		limiter.Record(u.Name)
		return false
	}
	return true
}

func commented(u *store.User, password string) bool {
	ok := u.Matches(password)
	// Guesses cost.
	if !limiter.Allow() { // want "the limit is asked after the password was hashed"
		return false // no hash
	} // if
	return ok
}

// What follows asks before, or asks nothing.

func early(u *store.User, password string) bool {
	if !limiter.Allow() {
		return false
	}
	if !u.Matches(password) {
		if limiter.TooManyAttempts(u.Name) {
			return false
		}
		limiter.Record(u.Name)
		return false
	}
	return true
}

func counts(u *store.User, password string) bool {
	if !u.Matches(password) {
		limiter.Record(u.Name)
		limiter.Allow()
		return false
	}
	if locked(u) { // a wrong password must not learn of it
		return false
	}
	return true
}

func locked(*store.User) bool { return false }

func unrelated(items []string) []string {
	if !limiter.Allow() {
		return nil
	}
	return items
}

func silenced(u *store.User, password string) bool {
	ok := u.Matches(password)
	if !limiter.Allow() { //fount:ignore latelimit limits the mails that follow
		return false
	}
	return ok
}
