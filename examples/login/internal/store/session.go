// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package store

// Sessions and resets: tokens of 32 random bytes, of which the sums are stored.

import (
	"context"
	"database/sql"
	"time"

	"fount"
)

// NewSession stores a session of a user and returns its token. The session of the token old, if there is one, ends: nobody who
// planted it is signed in. It also removes the user's sessions that are out of date.
func (s *Store) NewSession(ctx context.Context, u User, old string) (token string, err error) {
	err = s.in(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE sum = $1 OR user_id = $2 AND expires <= $3", sum(old), u.ID, time.Now().Unix())
		if err != nil {
			return err
		}
		token, err = insertSession(ctx, tx, u)
		return err
	})
	return token, err
}

func insertSession(ctx context.Context, tx *sql.Tx, u User) (token string, err error) {
	token = fount.Token(32)
	_, err = tx.ExecContext(ctx, "INSERT INTO sessions (sum, user_id, version, expires) VALUES ($1, $2, $3, $4)",
		sum(token), u.ID, u.version, time.Now().Add(SessionLife).Unix())
	return token, err
}

// EndSession ends a session.
func (s *Store) EndSession(ctx context.Context, token string) error {
	_, err := s.write.ExecContext(ctx, "DELETE FROM sessions WHERE sum = $1", sum(token))
	return err
}

// ChangePassword stores the hash of a new password, unless the password has changed since u was read: then it returns ErrGone.
// All sessions and resets of the user end; it returns the token of a new session.
func (s *Store) ChangePassword(ctx context.Context, u User, hash string) (token string, err error) {
	err = s.in(ctx, func(tx *sql.Tx) error {
		if err := change(ctx, tx, u, hash); err != nil {
			return err
		}
		u.version++
		token, err = insertSession(ctx, tx, u)
		return err
	})
	return token, err
}

// change stores a hash and ends all sessions and resets.
func change(ctx context.Context, tx *sql.Tx, u User, hash string) error {
	err := one(tx.ExecContext(ctx, "UPDATE users SET hash = $1, version = version + 1 WHERE id = $2 AND version = $3", hash, u.ID, u.version))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM resets WHERE user_id = $1", u.ID); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM sessions WHERE user_id = $1", u.ID)
	return err
}

// NewReset stores a token with which the user may choose a new password, in place of an earlier one, and returns it.
func (s *Store) NewReset(ctx context.Context, u User) (token string, err error) {
	token = fount.Token(32)
	_, err = s.write.ExecContext(ctx, `INSERT INTO resets (user_id, sum, version, expires) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id) DO UPDATE SET sum = excluded.sum, version = excluded.version, expires = excluded.expires`,
		u.ID, sum(token), u.version, time.Now().Add(ResetLife).Unix())
	return token, err
}

// Reset stores the hash of a new password for u, as ByReset returned it for token, and uses the token up. All sessions of the
// user end. If the token was used meanwhile, or another has taken its place, it returns ErrGone.
func (s *Store) Reset(ctx context.Context, u User, token, hash string) error {
	return s.in(ctx, func(tx *sql.Tx) error {
		if err := one(tx.ExecContext(ctx, "DELETE FROM resets WHERE user_id = $1 AND sum = $2", u.ID, sum(token))); err != nil {
			return err
		}
		return change(ctx, tx, u, hash)
	})
}
