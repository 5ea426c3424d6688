// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package web

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"fount/examples/login/internal/store"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// A page is what page.html shows.
type page struct {
	Form    string // "login", "register", "forgot" or "reset"; "" is the account of User
	Message string // above it: what was done, or what went wrong
	Wrong   bool   // it went wrong
	Email   string // what was given, so that it need not be given again
	Token   string // of a reset
	User    store.User
}

// show writes a page.
func (p page) show(w http.ResponseWriter, status int) error {
	var text strings.Builder
	if err := pageTemplate.Execute(&text, p); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text.String())) // nobody is there to be told
	return nil
}

// form returns a handler that shows an empty form.
func form(name string) handler {
	return func(w http.ResponseWriter, r *http.Request) error { return page{Form: name}.show(w, http.StatusOK) }
}

// person reports whether a browser asks, and not a program.
func person(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// done answers a request that was followed: a person goes to the first page, a program gets JSON.
func done(w http.ResponseWriter, r *http.Request, u store.User) error {
	if person(r) {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}
	return writeJSON(w, u)
}

func writeJSON(w http.ResponseWriter, u store.User) error {
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]string{"email": u.Email})
}
