// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unboundedhash

import (
	"net/http"
	"store"

	"golang.org/x/crypto/bcrypt"
)

// Calls of interfaces are followed to the types that have their methods.

type users interface {
	Check(name, password string) (bool, error)
	Close() error
}

type hasher interface {
	Compare(hash, password string) error
}

type ladder interface{ Climb(password string) int }

type behind struct {
	users  users
	hasher hasher
	ladder ladder
	doors  doors
	opens  interface{ Open(password string) error }
}

func (s *behind) login(w http.ResponseWriter, r *http.Request) {
	s.users.Check(r.FormValue("name"), r.FormValue("password")) // want "bcrypt, behind unboundedhash.users.Check, runs in a handler without a bound"
}

// event is a context of the program's own.
type event struct{ *request }

type request struct {
	Request  *http.Request
	Response http.ResponseWriter
}

func onLogin(e *event) {
	bcrypt.CompareHashAndPassword(nil, []byte(e.Request.FormValue("password"))) // want "bcrypt runs in a handler"
}

type form struct{ User, Pass string }

func (s *behind) inStruct(w http.ResponseWriter, r *http.Request) {
	s.doors.Enter(&form{}) // want "argon2, behind unboundedhash.doors.Enter, runs in a handler without a bound"
}

type doors interface{ Enter(f *form) bool }

type argonDoor struct{ *argonBase }

type argonBase struct{}

func (*argonBase) Enter(f *form) bool { return store.Argon2Matches(nil, nil, f.Pass) }

func (s *behind) helped(w http.ResponseWriter, r *http.Request) {
	s.compare(r.FormValue("password")) // want "bcrypt, behind unboundedhash.hasher.Compare, runs in a handler without a bound"
}

func (s *behind) compare(password string) error { return s.hasher.Compare("", password) }

type bcryptHasher struct{}

func (bcryptHasher) Compare(hash, password string) error {
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password))
}

// These call each other, and each hashes in two ways.
func first(n int, password string) {
	second(n, password)
	third(n, password)
	bcrypt.CompareHashAndPassword(nil, []byte(password))
}

func second(n int, password string) {
	third(n, password)
	first(n, password)
	store.Argon2Matches(nil, nil, password)
}

func third(n int, password string) {
	first(n, password)
	second(n, password)
}

// What follows is right.

func (s *behind) other(w http.ResponseWriter, r *http.Request) {
	s.users.Close()
	s.ladder.Climb(r.FormValue("password")) // nothing has it
	s.opens.Open(r.FormValue("password"))   // its type has a bound
	store.Drop(r.FormValue("password"))
}

type door struct{ turns chan struct{} }

func (d door) Open(password string) error {
	d.turns <- struct{}{}
	defer func() { <-d.turns }()
	return bcrypt.CompareHashAndPassword(nil, []byte(password))
}

func (s *behind) bounded(w http.ResponseWriter, r *http.Request) {
	d := door{}
	d.turns <- struct{}{}
	defer func() { <-d.turns }()
	s.users.Check("", r.FormValue("password"))
}

// What climbs takes another argument than the interface's method.
type climber struct{}

func (climber) Climb(password []byte) int {
	hash, _ := bcrypt.GenerateFromPassword(password, 10)
	return len(hash)
}
