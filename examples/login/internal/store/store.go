// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package store keeps users, sessions and the tokens of resets in SQLite. It hashes no passwords. Of tokens it
// keeps SHA-256 sums: who reads the database can't use them.
//
// A method that returns nil has stored what it says: on the disk, not in a buffer.
package store

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

	"fount"

	"github.com/ncruces/go-sqlite3" // no C compiler is needed
	_ "github.com/ncruces/go-sqlite3/driver"
)

var (
	// ErrTaken: there is a user with that address.
	ErrTaken = errors.New("store: the address is taken")

	// ErrEmail: that is no address.
	ErrEmail = errors.New("store: not an address for mail")

	// ErrGone: what was to be changed has changed meanwhile, or is out of date.
	ErrGone = errors.New("store: changed meanwhile, or out of date")
)

// How long things last.
const (
	SessionLife = 14 * 24 * time.Hour
	ResetLife   = 30 * time.Minute
)

// A User is a person with a password.
type User struct {
	ID      string // a UUID
	Email   string // lower case
	Hash    string
	Created time.Time

	version int64
}

// A Store is a database. Its methods may be called from any goroutine.
type Store struct{ read, write *sql.DB }

// Open opens the file of that name, which only this user may read, and creates it where there is none. Writers take turns on one
// connection, as SQLite has one at a time and the others would poll for it; readers see the last commit and wait for nobody. A
// commit is synced to the disk.
func Open(ctx context.Context, name string) (*Store, error) {
	if strings.Contains(name, ":") { // and it is not repeated, as a URL may hold a password
		return nil, errors.New("store: the name of the database has a colon; want the name of a file")
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) // modeof gives -wal and -shm the same mode
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	file.Close()
	dsn := (&url.URL{Scheme: "file", Opaque: url.PathEscape(name), RawQuery: "modeof=" + url.QueryEscape(name) +
		"&_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)" +
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"}).String()
	s := new(Store)
	if s.write, err = sql.Open("sqlite3", dsn); err != nil {
		return nil, err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite3", dsn); err != nil {
		return nil, err
	}
	s.read.SetMaxOpenConns(8)
	s.read.SetMaxIdleConns(8)
	if _, err := s.write.ExecContext(ctx, schema); err != nil {
		s.Close()
		return nil, fmt.Errorf("store: %s: %w", name, err)
	}
	return s, nil
}

// Times are seconds since 1970. A user's version counts the changes of the password: a
// session or reset of another version is none, so that a sign-in with the old password ends with it, also one that the change
// overtook.
const schema = `
CREATE TABLE IF NOT EXISTS users (
	id      TEXT PRIMARY KEY,
	email   TEXT NOT NULL UNIQUE,
	hash    TEXT NOT NULL,
	version BIGINT NOT NULL,
	created BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions (
	sum     TEXT PRIMARY KEY,
	user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	version BIGINT NOT NULL,
	expires BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id);
CREATE TABLE IF NOT EXISTS resets (
	user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	sum     TEXT NOT NULL UNIQUE,
	version BIGINT NOT NULL,
	expires BIGINT NOT NULL
);`

// Close closes the database. Whoever calls other methods must have ended.
func (s *Store) Close() error { return errors.Join(s.write.Close(), s.read.Close()) }

func sum(token string) string {
	s := sha256.Sum256([]byte(token))
	return hex.EncodeToString(s[:])
}

// in does f in one transaction.
func (s *Store) in(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// one returns ErrGone unless a statement changed one row.
func one(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n != 1 {
		return errors.Join(ErrGone, err)
	}
	return nil
}

// Register stores a new user and a session of theirs, both or neither, and returns the session's token. The session of the token
// old, if there is one, ends.
func (s *Store) Register(ctx context.Context, email, hash, old string) (token string, err error) {
	err = s.in(ctx, func(tx *sql.Tx) error {
		id, err := insert(ctx, tx, email, hash)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE sum = $1", sum(old)); err != nil {
			return err
		}
		token, err = insertSession(ctx, tx, User{ID: id})
		return err
	})
	return token, err
}

// Import stores users who have hashes, all or none.
func (s *Store) Import(ctx context.Context, users []User) error {
	return s.in(ctx, func(tx *sql.Tx) error {
		for _, u := range users {
			if _, err := insert(ctx, tx, u.Email, u.Hash); err != nil {
				return fmt.Errorf("%s: %w", u.Email, err)
			}
		}
		return nil
	})
}

func insert(ctx context.Context, tx *sql.Tx, email, hash string) (id string, err error) {
	id = fount.NewUUIDv7().String()
	_, err = tx.ExecContext(ctx, "INSERT INTO users (id, email, hash, version, created) VALUES ($1, $2, $3, 0, $4)",
		id, Email(email), hash, time.Now().Unix())
	if errors.Is(err, sqlite3.CONSTRAINT_UNIQUE) {
		return "", ErrTaken
	}
	return id, err
}

// ByEmail returns the user with an address; the zero User if there is none.
func (s *Store) ByEmail(ctx context.Context, email string) (User, error) {
	return user(s.read.QueryRowContext(ctx, "SELECT id, email, hash, version, created FROM users WHERE email = $1", Email(email)))
}

// BySession returns the user of a session; the zero User if it is out of date or none.
func (s *Store) BySession(ctx context.Context, token string) (User, error) {
	return user(s.read.QueryRowContext(ctx, `SELECT u.id, u.email, u.hash, u.version, u.created FROM users u
		JOIN sessions s ON s.user_id = u.id AND s.version = u.version
		WHERE s.sum = $1 AND s.expires > $2`, sum(token), time.Now().Unix()))
}

// ByReset returns the user of a reset's token; the zero User if it is out of date, used or none.
func (s *Store) ByReset(ctx context.Context, token string) (User, error) {
	return user(s.read.QueryRowContext(ctx, `SELECT u.id, u.email, u.hash, u.version, u.created FROM users u
		JOIN resets r ON r.user_id = u.id AND r.version = u.version
		WHERE r.sum = $1 AND r.expires > $2`, sum(token), time.Now().Unix()))
}

func user(row *sql.Row) (u User, err error) {
	var created int64
	err = row.Scan(&u.ID, &u.Email, &u.Hash, &u.version, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, nil
	}
	u.Created = time.Unix(created, 0).UTC()
	return u, err
}

// Hashes calls f with each stored hash, until it returns an error.
func (s *Store) Hashes(ctx context.Context, f func(hash string) error) error {
	rows, err := s.read.QueryContext(ctx, "SELECT hash FROM users")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var hash string
		if err := rows.Scan(&hash); err != nil {
			return err
		}
		if err := f(hash); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Upgrade stores another hash of the same password, where old still stands, and reports whether it did.
func (s *Store) Upgrade(ctx context.Context, id, old, new string) (saved bool, err error) {
	err = one(s.write.ExecContext(ctx, "UPDATE users SET hash = $1 WHERE id = $2 AND hash = $3", new, id, old))
	if errors.Is(err, ErrGone) {
		return false, nil
	}
	return err == nil, err
}

// Email returns an address as it is stored.
func Email(given string) string { return strings.ToLower(strings.TrimSpace(given)) }

// ParseEmail returns an address as it is stored, or ErrEmail if it has not the form of one, or more than 254 bytes. That it is its
// user's, only a mail to it would show.
func ParseEmail(given string) (string, error) {
	email := Email(given)
	parsed, err := mail.ParseAddress(email)
	// Lower case would make one of all bytes that are not UTF-8.
	if err != nil || parsed.Address != email || len(email) > 254 || !utf8.ValidString(given) {
		return "", ErrEmail
	}
	return email, nil
}
