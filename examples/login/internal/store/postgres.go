// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package store

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// openPostgres opens at most 16 connections; a request waits for its turn.
func openPostgres(dsn string) (*Store, error) {
	config, err := pgx.ParseConfig(dsn) // its error does not have the password
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	// CREATE TABLE IF NOT EXISTS fails if another makes the table in the same moment. The lock, whose number is anybody's choice,
	// lasts until all statements of the text are done.
	const alone = "SELECT pg_advisory_xact_lock(4607182418800017408);"
	return &Store{read: db, write: db, alone: alone, taken: func(err error) bool {
		e, ok := errors.AsType[*pgconn.PgError](err)
		return ok && e.Code == "23505" // unique_violation
	}}, nil
}
