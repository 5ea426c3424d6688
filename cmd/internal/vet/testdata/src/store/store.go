// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package store is where users are, one package away from the handlers.
package store

import (
	"crypto/subtle"
	"math/rand"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

type User struct {
	Name string
	Hash []byte
}

type Store struct{ users map[string]*User }

func (s *Store) ByName(name string) (*User, error) { return s.users[name], nil }
func (s *Store) ByID(id int) (*User, error)        { return nil, nil }

func (u *User) Matches(password string) bool {
	return bcrypt.CompareHashAndPassword(u.Hash, []byte(password)) == nil
}

func Argon2Matches(hash, salt []byte, password string) bool {
	return subtle.ConstantTimeCompare(hash, argon2.IDKey([]byte(password), salt, 1, 1<<16, 1, 32)) == 1
}

var turns = make(chan struct{}, 2)

// Update hashes the password if there is a new one.
func Update(u *User, password string) error {
	if password != "" {
		hash, err := bcrypt.GenerateFromPassword([]byte(password), 10)
		if err != nil {
			return err
		}
		u.Hash = hash
	}
	return nil
}

func BoundedMatches(u *User, password string) bool {
	turns <- struct{}{}
	defer func() { <-turns }()
	return u.Matches(password)
}

// table is behind an interface of the handlers, which this package does not know.
type table struct{ byName map[string]checker }

func (t *table) Close() error { return nil }
func (t *table) Check(name, password string) (bool, error) {
	return t.byName[name].check(password), nil
}

// checker is between the table and its users.
type checker interface{ check(password string) bool }

func (u *User) check(password string) bool { return u.Matches(password) }

type nothing interface{ drop(password string) }

var none nothing

// Drop does what is behind an interface without a type.
func Drop(password string) { none.drop(password) }

const letters = "abcdefghijklmnopqrstuvwxyz"

func RandomString(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.Intn(len(letters))]
	}
	return string(b)
}

func Backend(all []string) string { return all[rand.Intn(len(all))] }
