// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package api does not import what is behind its interface.
package api

import (
	"net/http"
	"wired/model"
)

type Accounts interface {
	SignIn(*model.LoginRequest) error
}

type server struct{ accounts Accounts }

func New(a Accounts) http.Handler { return http.HandlerFunc((&server{a}).login) }

func (s *server) login(w http.ResponseWriter, r *http.Request) {
	in := decode(r)
	s.accounts.SignIn(in)
	s.accounts.SignIn(in) //fount:ignore unboundedhash the router admits four requests at once
}

func decode(r *http.Request) *model.LoginRequest { return nil }
