// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each request is stored as a whole or not at all: whichever of its statements fails, the database is as it was before, and the
// request is followed once the cause is gone.
func TestEachMoment(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.DiscardHandler)) // of the failures that are made here
	failed := map[string]int{}
	for _, request := range []string{"register", "login", "password", "reset"} {
		for _, table := range []string{"users", "sessions", "resets"} {
			for _, verb := range []string{"INSERT", "UPDATE", "DELETE"} {
				if failsAt(t, request, table, verb) {
					failed[request]++
				}
			}
		}
	}
	// Control: the statements of each.
	for request, want := range map[string]int{
		"register": 2, // into users, sessions
		"login":    2, // the former session, a new one
		"password": 4, // the hash; links, sessions; a new session
		"reset":    3, // the link, the hash, sessions
	} {
		if failed[request] != want {
			t.Errorf("%s failed at %d statements; want %d", request, failed[request], want)
		}
	}
}

// failsAt has the statements of one kind fail, and reports whether the request needed one.
func failsAt(t *testing.T, request, table, verb string) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "login.db")
	s := start(t, file)
	v := s.visitor()
	v.register()
	v.want(202, "POST", "/forgot", "email", ada)
	token := tokenIn(t, <-s.mails)
	db, err := sql.Open("sqlite3", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	exec("CREATE TRIGGER moment BEFORE " + verb + " ON " + table + " BEGIN SELECT RAISE(ABORT, 'the moment'); END")
	before := rows(t, db)
	form := map[string][]string{"email": {ada}, "password": {right}, "new": {better}, "token": {token}}
	if request == "register" {
		v.cookie = nil
		form["email"] = []string{"bob@example.org"}
	}
	status := v.do("POST", "/"+request, form)
	if status == http.StatusOK {
		return false
	}
	if after := rows(t, db); status != http.StatusInternalServerError || !slices.Equal(before, after) {
		t.Errorf("%s, where %s of %s fails: %d, and of\n%s\nit made\n%s", request, verb, table, status, strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	exec("DROP TRIGGER moment")
	if status := v.do("POST", "/"+request, form); status != http.StatusOK {
		t.Errorf("%s, after %s of %s failed: %d; want 200", request, verb, table, status)
	}
	return true
}

// rows returns all that is stored.
func rows(t *testing.T, db *sql.DB) (all []string) {
	t.Helper()
	for _, query := range []string{"SELECT 'user', id, email, hash, version FROM users", "SELECT 'session', sum, user_id, version, expires FROM sessions",
		"SELECT 'reset', sum, user_id, version, expires FROM resets"} {
		found, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		for found.Next() {
			var column [5]any
			if err := found.Scan(&column[0], &column[1], &column[2], &column[3], &column[4]); err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(column))
		}
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(all)
	return all
}
