// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ncruces/go-sqlite3" // needs no C compiler
	_ "github.com/ncruces/go-sqlite3/driver"
	"golang.org/x/text/unicode/norm"

	"fount"
)

// A user has one account. The zero value is nobody.
type user struct {
	id      string // a UUID
	Email   string
	hash    string
	version int64 // counts the changes of the password
}

func newUser(email, hash string) user {
	return user{id: fount.NewUUIDv7().String(), Email: email, hash: hash}
}

// A kind of token.
type kind struct {
	name string
	life time.Duration
	max  int // tokens of a user; the oldest ones end
}

var (
	session = kind{"session", 14 * 24 * time.Hour, 20}
	link    = kind{"link", 30 * time.Minute, 1}
)

// A store keeps users and tokens in SQLite: of a token only its SHA-256 sum, so who reads the file
// can't use it. A method that returns nil has written to the disk. Goroutines may share a store.
type store struct{ *sql.DB }

// A token is valid for one version of its user, so a change of the password also ends the token of
// a sign-in with the former password that was under way.
const schema = `
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS users (
	id      TEXT PRIMARY KEY,
	email   TEXT NOT NULL UNIQUE,
	hash    TEXT NOT NULL,
	version BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS tokens (
	sum     TEXT PRIMARY KEY,
	kind    TEXT NOT NULL,
	user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	version BIGINT NOT NULL,
	expires BIGINT NOT NULL -- seconds since 1970
);
CREATE INDEX IF NOT EXISTS tokens_user ON tokens (user_id, kind, expires);
CREATE INDEX IF NOT EXISTS tokens_expires ON tokens (expires);
COMMIT;`

// openStore opens a file, or creates it so that only this user can read it. All goroutines share
// one connection, because SQLite has one writer at a time and others would poll.
func openStore(ctx context.Context, name string) (*store, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	file.Close()
	query := "modeof=" + url.QueryEscape(name) + // the journal has the file's mode
		"&_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(EXTRA)&_pragma=foreign_keys(1)"
	dsn := &url.URL{Scheme: "file", Opaque: url.PathEscape(name), RawQuery: query}
	db, err := sql.Open("sqlite3", dsn.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &store{db}, nil
}

// A tx is a transaction. After its first error it does nothing.
type tx struct {
	*sql.Tx
	ctx context.Context
	err error
}

// in calls f in a transaction, which is committed unless a statement fails.
func (s *store) in(ctx context.Context, f func(*tx)) error {
	t, err := s.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	x := &tx{t, ctx, nil}
	f(x)
	if x.err != nil {
		return x.err
	}
	return t.Commit()
}

// exec executes a statement and returns how many rows it changed.
func (t *tx) exec(query string, args ...any) (rows int64) {
	var result sql.Result
	if t.err == nil {
		result, t.err = t.ExecContext(t.ctx, query, args...)
	}
	if t.err == nil {
		rows, t.err = result.RowsAffected()
	}
	return rows
}

// add stores new users, all or none.
func (s *store) add(ctx context.Context, users ...user) error {
	return s.in(ctx, func(t *tx) {
		for _, u := range users {
			t.exec("INSERT INTO users (id, email, hash, version) VALUES ($1, $2, $3, $4)",
				u.id, u.Email, u.hash, u.version)
			if errors.Is(t.err, sqlite3.CONSTRAINT_UNIQUE) {
				t.err = fmt.Errorf("%s: %w", u.Email, errTaken)
			}
		}
	})
}

// newToken returns a new token of a user and ends the token old, the user's oldest tokens if there
// are too many, and everybody's that are out of date.
func (s *store) newToken(ctx context.Context, k kind, u user, old string) (string, error) {
	token, now := fount.Token(32), time.Now()
	err := s.in(ctx, func(t *tx) {
		t.exec("DELETE FROM tokens WHERE sum = $1 OR expires <= $2", sum(old), now.Unix())
		t.exec("INSERT INTO tokens (sum, kind, user_id, version, expires) VALUES ($1, $2, $3, $4, $5)",
			sum(token), k.name, u.id, u.version, now.Add(k.life).Unix())
		t.exec(`DELETE FROM tokens WHERE rowid IN (SELECT rowid FROM tokens
			WHERE user_id = $1 AND kind = $2 ORDER BY expires DESC, rowid DESC LIMIT -1 OFFSET $3)`,
			u.id, k.name, k.max)
	})
	return token, err
}

func sum(token string) string {
	s := sha256.Sum256([]byte(token))
	return hex.EncodeToString(s[:])
}

func (s *store) endToken(ctx context.Context, token string) error {
	return s.in(ctx, func(t *tx) { t.exec("DELETE FROM tokens WHERE sum = $1", sum(token)) })
}

// setPassword stores a new hash for u, whom byToken returned for token, ends all tokens of the
// user, and returns the user as it is now. If the password has changed since byToken, or the token
// has ended, it returns errGone.
func (s *store) setPassword(ctx context.Context, u user, hash, token string) (user, error) {
	err := s.in(ctx, func(t *tx) {
		ended := t.exec("DELETE FROM tokens WHERE sum = $1", sum(token))
		t.exec("DELETE FROM tokens WHERE user_id = $1", u.id)
		changed := t.exec("UPDATE users SET hash = $1, version = version + 1 WHERE id = $2 AND version = $3",
			hash, u.id, u.version)
		if t.err == nil && (ended != 1 || changed != 1) {
			t.err = errGone
		}
	})
	u.hash, u.version = hash, u.version+1
	return u, err
}

// upgrade returns a function for password.SignIn, which replaces the hash old by another of the same
// password. It reports whether old was still there: a change of the password comes before it.
func (s *store) upgrade(id string) func(ctx context.Context, old, new string) (saved bool, err error) {
	return func(ctx context.Context, old, new string) (bool, error) {
		var rows int64
		err := s.in(ctx, func(t *tx) {
			rows = t.exec("UPDATE users SET hash = $1 WHERE id = $2 AND hash = $3", new, id, old)
		})
		return rows == 1 && err == nil, err
	}
}

// byEmail returns the user with an address that parseEmail returned, or nobody.
func (s *store) byEmail(ctx context.Context, email string) (user, error) {
	return s.user(ctx, "WHERE u.email = $1", email)
}

// byToken returns the user of a token, or nobody if it has ended.
func (s *store) byToken(ctx context.Context, k kind, token string) (user, error) {
	return s.user(ctx, `JOIN tokens t ON t.user_id = u.id AND t.version = u.version
		WHERE t.sum = $1 AND t.kind = $2 AND t.expires > $3`, sum(token), k.name, time.Now().Unix())
}

func (s *store) user(ctx context.Context, which string, args ...any) (u user, err error) {
	err = s.QueryRowContext(ctx, "SELECT u.id, u.email, u.hash, u.version FROM users u "+which, args...).
		Scan(&u.id, &u.Email, &u.hash, &u.version)
	if errors.Is(err, sql.ErrNoRows) {
		return user{}, nil
	}
	return u, err
}

// hashes yields each stored hash.
func (s *store) hashes(ctx context.Context, yield func(hash string) bool) error {
	rows, err := s.QueryContext(ctx, "SELECT hash FROM users")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var hash string
		if err := rows.Scan(&hash); err != nil || !yield(hash) {
			return err
		}
	}
	return rows.Err()
}

// parseEmail returns an address as the store has it, or errEmail.
func parseEmail(given string) (string, error) {
	email := strings.ToLower(norm.NFC.String(strings.TrimSpace(given)))
	parsed, err := mail.ParseAddress(email)
	// ToLower maps each invalid byte to U+FFFD, so the given string is looked at.
	if err != nil || parsed.Address != email || len(email) > 254 || !utf8.ValidString(given) {
		return "", errEmail
	}
	return email, nil
}
