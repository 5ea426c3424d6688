// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// One column of a database, read only.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // no C compiler is needed
)

// readColumn is cli.Database for postgres://, postgresql:// and sqlite:PATH.
func readColumn(ctx context.Context, database, query string, row func(hash string, stored bool)) error {
	db, err := open(database)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return shown(err)
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return shown(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return shown(err)
	}
	if len(columns) != 1 {
		return fmt.Errorf("the query returns %d columns; select the hashes alone, as in SELECT password FROM users", len(columns))
	}
	var value sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&value); err != nil {
			return errors.New("the query's column is not of text")
		}
		row(string(value), value != nil)
	}
	return shown(rows.Err())
}

// open opens no connection yet. Its errors have nothing of the URL, which may hold a password.
func open(database string) (*sql.DB, error) {
	scheme, rest, _ := strings.Cut(database, ":")
	switch scheme {
	case "postgres", "postgresql":
		return openPostgres(database)
	case "sqlite":
		return openSQLite(rest)
	}
	return nil, errors.New("its URL begins with neither postgres: nor sqlite:; use for example sqlite:users.db")
}

// openSQLite opens a file that must be there. No statement can write to it, whatever it turns off: mode=ro opens it so.
// query_only refuses writes to others that a query attaches.
func openSQLite(name string) (*sql.DB, error) {
	if name == "" {
		return nil, errors.New("its URL names no file; use for example sqlite:users.db")
	}
	path := &url.URL{Path: filepath.ToSlash(filepath.Clean(name))}
	return sql.Open("sqlite", "file:"+path.EscapedPath()+"?mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(5000)")
}

// openPostgres reads what the URL leaves out from the environment and ~/.pgpass, as psql does.
func openPostgres(database string) (*sql.DB, error) {
	u, err := url.Parse(database)
	if err != nil || u.User == nil && strings.Contains(database, "@") { // a password with a slash or the like
		return nil, errors.New("its URL can't be read; use for example postgres://ada@localhost/shop, and %XX for special characters")
	}
	config, err := pgx.ParseConfig(database)
	if err != nil {
		return nil, errors.New("PostgreSQL's driver can't read its URL; use for example postgres://ada@localhost/shop")
	}
	// The extended protocol takes one statement: no COMMIT ends the read-only transaction before a second one.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler { return &canceler{conn: c} }
	return stdlib.OpenDB(*config), nil
}

// aboutQuery has the classes of SQLSTATE whose messages speak of connections, rights and the query's own text. Others may
// quote what is stored, as that of a cast does.
var aboutQuery = map[string]bool{"08": true, "25": true, "28": true, "3D": true, "42": true, "53": true, "57": true}

// shown is the error in one line, without what is stored.
func shown(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if len(e.Code) == 5 && aboutQuery[e.Code[:2]] {
			return fmt.Errorf("%s (SQLSTATE %s)", oneLine(e.Message), e.Code)
		}
		return fmt.Errorf("SQLSTATE %s of PostgreSQL, whose message is left out: it may quote what is stored", e.Code)
	}
	if err != nil {
		return errors.New(oneLine(err.Error()))
	}
	return nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
