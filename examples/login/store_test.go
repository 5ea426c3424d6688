// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A sign-in with the former password that a change overtakes gets a session that is none; an upgrade that it overtakes is not
// stored; of two changes one is.
func TestOvertaken(t *testing.T) {
	s, ctx := start(t).store, t.Context()
	// token makes one, and byToken wants its user, or nobody.
	token := func(k kind, u user) string {
		t.Helper()
		token, err := s.newToken(ctx, k, u, "")
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	is := func(k kind, token, id string) {
		t.Helper()
		if u, err := s.byToken(ctx, k, token); err != nil || u.id != id {
			t.Errorf("the user of a %s is %v, %v; want %q", k.name, u, err, id)
		}
	}
	if err := s.add(ctx, user{Email: ada, hash: "a hash"}); err != nil {
		t.Fatal(err)
	}
	before, err := s.byEmail(ctx, ada)
	if err != nil {
		t.Fatal(err)
	}
	first := token(link, before)
	is(link, first, before.id)
	is(session, first, "")
	second, here := token(link, before), token(session, before)
	if _, err := s.setPassword(ctx, before, "another", first); !errors.Is(err, errGone) {
		t.Error("a link whose place another took while it was used:", err)
	}
	after, err := s.setPassword(ctx, before, "the new hash", here)
	if err != nil {
		t.Fatal(err)
	}
	is(link, second, "")
	is(session, here, "")
	is(session, token(session, before), "") // signed in with the former password
	is(link, token(link, before), "")       // that the change overtook
	is(session, token(session, after), before.id)
	if saved, err := s.upgrade(ctx, before.id, before.hash, "an upgrade of the former hash"); saved || err != nil {
		t.Error("an upgrade undid the change:", saved, err)
	}
	if _, err := s.setPassword(ctx, before, "another", token(session, before)); !errors.Is(err, errGone) {
		t.Error("a second change of the same password:", err)
	}
}

// Processes that start at once on an empty database all find it as they need it.
func TestStartTogether(t *testing.T) {
	database := filepath.Join(t.TempDir(), "login.db")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := openStore(t.Context(), database)
			if err != nil {
				t.Error(err)
				return
			}
			s.close()
		})
	}
	all.Wait()
}

// Of those who use a link or a session at once to set a password, one has done it.
func TestOnce(t *testing.T) {
	s, ctx := start(t).store, t.Context()
	if err := s.add(ctx, user{Email: ada, hash: "a hash"}); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		u, err := s.byEmail(ctx, ada)
		if err != nil {
			t.Fatal(err)
		}
		token, err := s.newToken(ctx, []kind{session, link}[round%2], u, "")
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if _, err := s.setPassword(ctx, u, fmt.Sprint("hash ", round, i), token); err == nil {
					done.Add(1)
				} else if !errors.Is(err, errGone) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if now, err := s.byEmail(ctx, ada); done.Load() != 1 || err != nil || now.hash == u.hash {
			t.Errorf("%d of 8 succeeded, %v; want 1", done.Load(), err)
		}
	}
}

// What fails changes nothing: whichever of its statements fails, the database is as it was before, and the request is followed once
// the cause is gone. A registration and a change may have happened when the session that follows them fails.
func TestEachMoment(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.DiscardHandler)) // of the failures that are made here
	for request, moments := range map[string][]string{
		"register": {"INSERT ON users"},
		"login":    {"DELETE ON tokens", "INSERT ON tokens"},
		"password": {"DELETE ON tokens", "UPDATE ON users"},
		"reset":    {"DELETE ON tokens", "UPDATE ON users"},
	} {
		for _, moment := range moments {
			failsAt(t, request, moment)
		}
	}
}

func failsAt(t *testing.T, request, moment string) {
	t.Helper()
	s := start(t)
	v := s.visitor()
	v.register()
	token := s.link(v)
	exec := func(statement string) {
		t.Helper()
		if _, err := s.store.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	exec("CREATE TRIGGER moment BEFORE " + moment + " BEGIN SELECT RAISE(ABORT, 'the moment'); END")
	before := append(rows(t, s.store.db, "users"), rows(t, s.store.db, "tokens")...)
	form := map[string][]string{"email": {ada}, "password": {right}, "new": {better}, "token": {token}}
	if request == "register" {
		form["email"] = []string{"bob@example.org"}
	}
	status := v.do("POST", "/"+request, form)
	after := append(rows(t, s.store.db, "users"), rows(t, s.store.db, "tokens")...)
	if status != http.StatusInternalServerError || !slices.Equal(before, after) {
		t.Errorf("%s, where %s fails: %d, and of\n%s\nit made\n%s", request, moment, status, strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	exec("DROP TRIGGER moment")
	if status := v.do("POST", "/"+request, form); status >= 400 {
		t.Errorf("%s, after %s failed: %d", request, moment, status)
	}
}

// rows returns what is in a table.
func rows(t *testing.T, db *sql.DB, table string) (all []string) {
	t.Helper()
	found, err := db.Query("SELECT * FROM " + table + " ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	names, _ := found.Columns()
	columns, into := make([]any, len(names)), make([]any, len(names))
	for i := range columns {
		into[i] = &columns[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(columns))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
