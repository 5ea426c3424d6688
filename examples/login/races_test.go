// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"fount/examples/login/internal/store"
)

// A sign-in with the former password that a change overtakes gets a session that is none; an upgrade that it overtakes is not
// stored; of two changes one is.
func TestOvertaken(t *testing.T) {
	s := start(t)
	s.visitor().register()
	ctx := t.Context()
	before, err := s.store.ByEmail(ctx, ada)
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.store.NewReset(ctx, before)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := s.store.ByReset(ctx, link); err != nil || u.ID != before.ID {
		t.Fatal(u, err)
	}
	next, err := s.store.NewReset(ctx, before)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.Reset(ctx, before, link, "another"); !errors.Is(err, store.ErrGone) {
		t.Error("a link whose place another took while it was used:", err)
	}
	link = next
	if _, err := s.store.ChangePassword(ctx, before, "the new hash"); err != nil {
		t.Fatal(err)
	}
	if u, err := s.store.ByReset(ctx, link); err != nil || u.ID != "" {
		t.Errorf("a link from before the change: %v, %v", u, err)
	}
	token, err := s.store.NewSession(ctx, before, "")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := s.store.BySession(ctx, token); err != nil || u.ID != "" {
		t.Errorf("signed in with the former password: %v, %v", u, err)
	}
	if saved, err := s.store.Upgrade(ctx, before.ID, before.Hash, "an upgrade of the former hash"); saved || err != nil {
		t.Error("an upgrade undid the change:", saved, err)
	}
	if _, err := s.store.ChangePassword(ctx, before, "another"); !errors.Is(err, store.ErrGone) {
		t.Error("a second change of the same password:", err)
	}
	if token, err = s.store.NewReset(ctx, before); err != nil {
		t.Fatal(err)
	}
	if u, err := s.store.ByReset(ctx, token); err != nil || u.ID != "" {
		t.Errorf("a link that the change overtook: %v, %v", u, err)
	}
}

// Processes that start at once on an empty database all find it as they need it.
func TestStartTogether(t *testing.T) {
	database := filepath.Join(t.TempDir(), "login.db")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := store.Open(t.Context(), database)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	all.Wait()
}

// Of those who use a link at once, or change one password at once, one has done it.
func TestOnce(t *testing.T) {
	s := start(t)
	s.visitor().register()
	ctx := t.Context()
	for round := range 20 {
		u, err := s.store.ByEmail(ctx, ada)
		if err != nil {
			t.Fatal(err)
		}
		link, err := s.store.NewReset(ctx, u)
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				hash := fmt.Sprint("hash ", round, i)
				var err error
				if round%2 == 0 {
					err = s.store.Reset(ctx, u, link, hash)
				} else {
					_, err = s.store.ChangePassword(ctx, u, hash)
				}
				if err == nil {
					done.Add(1)
				} else if !errors.Is(err, store.ErrGone) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if now, err := s.store.ByEmail(ctx, ada); done.Load() != 1 || err != nil || now.Hash == u.Hash {
			t.Errorf("%d of 8 succeeded, %v; want 1", done.Load(), err)
		}
	}
}
