// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	"modernc.org/sqlite" // no C compiler is needed
	lib "modernc.org/sqlite/lib"
)

// openSQLite opens a file that only this user may read. Writers take turns on one connection, as SQLite has one at a time and
// the others would poll for it; readers see the last commit and wait for nobody. A commit is synced to the disk.
func openSQLite(name string) (*Store, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) // SQLite gives -wal and -shm the same mode
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	file.Close()
	dsn := (&url.URL{Scheme: "file", Opaque: url.PathEscape(name), RawQuery: "_txlock=immediate&_pragma=journal_mode(WAL)" +
		"&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)"}).String()
	s := &Store{taken: func(err error) bool {
		e, ok := errors.AsType[*sqlite.Error](err)
		return ok && e.Code() == lib.SQLITE_CONSTRAINT_UNIQUE
	}}
	if s.write, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}
	s.read.SetMaxOpenConns(8)
	s.read.SetMaxIdleConns(8)
	return s, nil
}
