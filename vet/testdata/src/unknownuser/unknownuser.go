// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unknownuser

import (
	"database/sql"
	"errors"
	"store"

	"golang.org/x/crypto/bcrypt"
)

var errNo = errors.New("no")

type service struct {
	users store.Store
	db    *sql.DB
	list  map[string][]byte
}

func (s *service) returns(name, password string) error {
	u, err := s.users.ByName(name)
	if err != nil { // want `an unknown user is answered before any password is hashed.*\(unknownuser\)`
		return err
	}
	if !u.Matches(password) {
		return errNo
	}
	return nil
}

func (s *service) shortens(name, password string) bool {
	u, err := s.users.ByName(name)
	if err != nil || !u.Matches(password) { // want "an unknown user is answered"
		return false
	}
	return true
}

func (s *service) nests(username, password string) bool {
	if u, _ := s.users.ByName(username); u != nil {
		return u.Matches(password) // want "an unknown user is answered"
	}
	return false
}

func (s *service) query(email, password string) error {
	var hash []byte
	err := s.db.QueryRow("SELECT hash FROM users WHERE email = ?", email).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) { // want "an unknown user is answered"
		return errNo
	}
	return bcrypt.CompareHashAndPassword(hash, []byte(password))
}

func (s *service) mapped(user, password string) bool {
	hash, ok := s.list[user]
	if !ok { // want "an unknown user is answered"
		return false
	}
	stored := append([]byte("$2a$"), hash...)
	if bcrypt.CompareHashAndPassword(stored, []byte(password)) != nil {
		return false
	}
	bcrypt.GenerateFromPassword([]byte(password), 12) // stored anew: not in the user's place
	return true
}

type find struct{ Username *string }

func (s *service) find(f *find) (*store.User, error) { return nil, nil }

func (s *service) sure(username, password string) error {
	u, err := s.find(&find{Username: &username})
	if err != nil {
		return err
	}
	if u == nil { // want "an unknown user is answered"
		return errNo
	}
	return bcrypt.CompareHashAndPassword(u.Hash, []byte(password))
}

func (s *service) within(email, password string) error {
	u, err := s.users.ByName(email)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return run(func(v *store.User) error {
		u = v
		if u == nil || !u.Matches(password) { // want "an unknown user is answered"
			return errNo
		}
		return nil
	})
}

func run(f func(*store.User) error) error { return f(nil) }

// What follows is right.

var ofNoOne = []byte("$2a$10$...")

func (s *service) comparesWithNoOne(name, password string) error {
	u, err := s.users.ByName(name)
	if err != nil {
		bcrypt.CompareHashAndPassword(ofNoOne, []byte(password))
		return err
	}
	return bcrypt.CompareHashAndPassword(u.Hash, []byte(password))
}

func (s *service) replaces(name, password string) bool {
	hash := ofNoOne
	u, err := s.users.ByName(name)
	if err == nil {
		hash = u.Hash
	}
	return bcrypt.CompareHashAndPassword(hash, []byte(password)) == nil && err == nil
}

func (s *service) branches(name, password string) bool {
	u, _ := s.users.ByName(name)
	if u != nil {
		return u.Matches(password)
	} else {
		bcrypt.CompareHashAndPassword(ofNoOne, []byte(password))
	}
	return false
}

type session struct{ username string }

// changePassword is for users who have signed in.
func (s *service) changePassword(session session, id int, old string) error {
	u, err := s.users.ByID(id)
	if err != nil {
		return err
	}
	v, err := s.users.ByName(session.username)
	if err != nil {
		return err
	}
	if !v.Matches(old) {
		return errNo
	}
	return bcrypt.CompareHashAndPassword(u.Hash, []byte(old))
}

// create refuses a name that is taken.
func (s *service) create(name, password string) error {
	u, err := s.users.ByName(name)
	if err != nil {
		return err
	}
	if u != nil {
		return errNo
	}
	_, err = bcrypt.GenerateFromPassword([]byte(password), 10)
	return err
}

func (s *service) silenced(name, password string) bool {
	u, err := s.users.ByName(name)
	//fount:ignore unknownuser names are public here
	if err != nil {
		return false
	}
	return u.Matches(password)
}
