// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users and the tokens of sessions and of mailed links, in SQLite. Of tokens it keeps SHA-256 sums:
// who reads the database can't use them. A method that returns nil has stored what it says: on the
// disk, not in a buffer.

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

	"github.com/ncruces/go-sqlite3" // no C compiler is needed
	_ "github.com/ncruces/go-sqlite3/driver"
	"golang.org/x/text/unicode/norm"

	"fount"
)

// A user is a person with a password.
type user struct {
	id      string // a UUID; "" is nobody
	Email   string
	hash    string
	version int64
}

// A kind of tokens.
type kind struct {
	name string
	life time.Duration
	most int // of one user: the oldest end
}

var (
	session = kind{"session", 14 * 24 * time.Hour, 20}
	link    = kind{"link", 30 * time.Minute, 1}
)

// A store is a database. Its methods may be called from any goroutine.
type store struct{ db *sql.DB }

// Times are seconds since 1970. A user's version counts the changes of the password: a token of
// another version is none, so that a sign-in with the former password ends with it, also one that
// the change overtook.
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
	expires BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS tokens_user ON tokens (user_id, kind, expires);
CREATE INDEX IF NOT EXISTS tokens_expires ON tokens (expires);
COMMIT;`

// openStore opens the file of that name, which only this user may read, and creates it where there
// is none. All take turns on one connection: SQLite has one writer at a time, for which others
// would poll.
func openStore(ctx context.Context, name string) (*store, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) // modeof gives the journal the same mode
	if err != nil {
		return nil, err
	}
	file.Close()
	dsn := (&url.URL{Scheme: "file", Opaque: url.PathEscape(name), RawQuery: "modeof=" + url.QueryEscape(name) +
		"&_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(EXTRA)&_pragma=foreign_keys(1)"}).String()
	db, err := sql.Open("sqlite3", dsn)
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

func (s *store) close() error { return s.db.Close() }

// in does f in one transaction.
func (s *store) in(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// one returns errGone unless a statement changed one row.
func one(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n != 1 {
		return errGone
	}
	return nil
}

// add stores new users, all or none.
func (s *store) add(ctx context.Context, users ...user) error {
	return s.in(ctx, func(tx *sql.Tx) error {
		for _, u := range users {
			_, err := tx.ExecContext(ctx, "INSERT INTO users (id, email, hash, version) VALUES ($1, $2, $3, 0)",
				fount.NewUUIDv7().String(), u.Email, u.hash)
			if errors.Is(err, sqlite3.CONSTRAINT_UNIQUE) {
				err = errTaken
			}
			if err != nil {
				return fmt.Errorf("%s: %w", u.Email, err)
			}
		}
		return nil
	})
}

// newToken stores a token of a user and returns it. The token old, if there is one, ends. So do all
// that are out of date, and the user's oldest.
func (s *store) newToken(ctx context.Context, k kind, u user, old string) (token string, err error) {
	token = fount.Token(32)
	err = s.in(ctx, func(tx *sql.Tx) error {
		now := time.Now()
		_, err := tx.ExecContext(ctx, "DELETE FROM tokens WHERE sum = $1 OR expires <= $2", sum(old), now.Unix())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO tokens (sum, kind, user_id, version, expires) VALUES ($1, $2, $3, $4, $5)",
			sum(token), k.name, u.id, u.version, now.Add(k.life).Unix())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM tokens WHERE rowid IN (SELECT rowid FROM tokens
			WHERE user_id = $1 AND kind = $2 ORDER BY expires DESC, rowid DESC LIMIT -1 OFFSET $3)`, u.id, k.name, k.most)
		return err
	})
	return token, err
}

func sum(token string) string {
	s := sha256.Sum256([]byte(token))
	return hex.EncodeToString(s[:])
}

func (s *store) endToken(ctx context.Context, token string) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM tokens WHERE sum = $1", sum(token))
	return err
}

// setPassword stores the hash of a new password for u, as byToken returned it for token, and ends
// all sessions and links of the user, whom it returns. If the password was changed or the token
// used meanwhile, it returns errGone.
func (s *store) setPassword(ctx context.Context, u user, hash, token string) (user, error) {
	err := s.in(ctx, func(tx *sql.Tx) error {
		if err := one(tx.ExecContext(ctx, "DELETE FROM tokens WHERE sum = $1", sum(token))); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM tokens WHERE user_id = $1", u.id)
		if err != nil {
			return err
		}
		return one(tx.ExecContext(ctx, "UPDATE users SET hash = $1, version = version + 1 WHERE id = $2 AND version = $3",
			hash, u.id, u.version))
	})
	u.hash, u.version = hash, u.version+1
	return u, err
}

// upgrade stores another hash of the same password, where old still stands, and reports whether it
// did.
func (s *store) upgrade(ctx context.Context, id, old, new string) (saved bool, err error) {
	err = one(s.db.ExecContext(ctx, "UPDATE users SET hash = $1 WHERE id = $2 AND hash = $3", new, id, old))
	if errors.Is(err, errGone) {
		return false, nil
	}
	return err == nil, err
}

// byEmail returns the user with an address, as emailOf returns it; the zero user if there is none.
func (s *store) byEmail(ctx context.Context, email string) (user, error) {
	return s.user(ctx, "WHERE u.email = $1", email)
}

// byToken returns the user of a token; the zero user if it is out of date, used or none.
func (s *store) byToken(ctx context.Context, k kind, token string) (user, error) {
	return s.user(ctx, `JOIN tokens t ON t.user_id = u.id AND t.version = u.version
		WHERE t.sum = $1 AND t.kind = $2 AND t.expires > $3`, sum(token), k.name, time.Now().Unix())
}

func (s *store) user(ctx context.Context, which string, args ...any) (u user, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT u.id, u.email, u.hash, u.version FROM users u "+which, args...).
		Scan(&u.id, &u.Email, &u.hash, &u.version)
	if errors.Is(err, sql.ErrNoRows) {
		return user{}, nil
	}
	return u, err
}

// hashes yields each stored hash.
func (s *store) hashes(ctx context.Context, yield func(hash string) bool) error {
	rows, err := s.db.QueryContext(ctx, "SELECT hash FROM users")
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

// emailOf returns an address as it is stored.
func emailOf(given string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(given))) }

// parseEmail returns an address as it is stored, or errEmail if it has not the form of one, or more
// than 254 bytes. That it is its user's, only a mail to it would show.
func parseEmail(given string) (string, error) {
	email := emailOf(given)
	parsed, err := mail.ParseAddress(email)
	// Lower case would make one of all bytes that are not UTF-8.
	if err != nil || parsed.Address != email || len(email) > 254 || !utf8.ValidString(given) {
		return "", errEmail
	}
	return email, nil
}
