// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// One column of a database, read only.

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite" // no C compiler is needed
)

// readColumn is cli.Database for postgres://, postgresql:// and sqlite:PATH. Once it has returned it calls row no more. SQLite's driver
// heeds ctx only until the first row, so from a query that computes on behind it readColumn goes away; the program ends next.
func readColumn(ctx context.Context, database, query string, row func(hash string, stored bool)) error {
	if !strings.HasPrefix(database, "sqlite:") {
		return read(ctx, database, query, row)
	}
	return leaving(ctx, row, func(row func(string, bool)) error { return read(ctx, database, query, row) })
}

// leaving returns what read does, or at once when ctx ends.
func leaving(ctx context.Context, row func(string, bool), read func(row func(string, bool)) error) error {
	var mu sync.Mutex
	ended := make(chan error, 1)
	go func() {
		ended <- read(func(hash string, stored bool) {
			mu.Lock()
			defer mu.Unlock()
			if ctx.Err() == nil {
				row(hash, stored)
			}
		})
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		mu.Lock() // until the row under way is taken
		defer mu.Unlock()
		return ctx.Err()
	}
}

func read(ctx context.Context, database, query string, row func(hash string, stored bool)) error {
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
	statement, err := tx.PrepareContext(ctx, query)
	if err != nil {
		return shown(err)
	}
	defer statement.Close()
	rows, err := statement.QueryContext(ctx)
	if err != nil {
		return hidden(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return hidden(err)
	}
	if len(columns) != 1 {
		return fmt.Errorf("the query returns %d columns; select the hashes alone, as in SELECT password FROM users", len(columns))
	}
	var value sql.NullString // sql.RawBytes are nil for an empty string too, before the first that is not
	for rows.Next() {
		if err := rows.Scan(&value); err != nil {
			return errors.New("the query's column is not of text")
		}
		row(value.String, value.Valid)
	}
	return hidden(rows.Err())
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

// openSQLite opens a file that must be there. SQLite compiles what reads, and nothing else: neither PRAGMA, ATTACH nor VACUUM INTO, by
// which a query could write to another file, or to this one by another connection. mode=ro makes no file where there is none.
func openSQLite(name string) (*sql.DB, error) {
	if name == "" {
		return nil, errors.New("its URL names no file; use for example sqlite:users.db")
	}
	path := &url.URL{Path: filepath.ToSlash(filepath.Clean(name))}
	var reader sqlite.Driver
	reader.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, _ string) error {
		guarded, ok := conn.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("SQLite's driver takes no authorizer")
		}
		return guarded.RegisterAuthorizer(onlyReads)
	})
	return sql.OpenDB(connector{&reader, "file:" + path.EscapedPath() + "?mode=ro&_pragma=busy_timeout(5000)"}), nil
}

// onlyReads lets a SELECT be compiled, and the transaction around it.
func onlyReads(action sqlite.AuthorizerActionCode, _, _, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthFunction, sqlite.AuthRecursive, sqlite.AuthTransaction:
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}

// A connector opens connections of a driver that is not registered.
type connector struct {
	driver driver.Driver
	name   string
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.name) }
func (c connector) Driver() driver.Driver                        { return c.driver }

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

// shown is the error of a connection or of the query's own text in one line: nothing that is stored has been looked at.
func shown(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fmt.Errorf("%s (SQLSTATE %s)", oneLine(e.Message), e.Code)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == notAuthorized {
		return errWrites
	}
	return errors.New(oneLine(err.Error()))
}

var errWrites = errors.New("the query does more than read; want one SELECT")

// The codes of a statement that would write.
const (
	readOnlyTransaction = "25006" // PostgreSQL's SQLSTATE
	notAuthorized       = 23      // SQLITE_AUTH
)

// hidden is the error of a query that runs, in one line. Its message may quote what is stored, as that of a cast does, and is left out.
func hidden(err error) error {
	const why = "whose message is left out: it may quote what is stored"
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if e.Code == readOnlyTransaction {
			return errWrites
		}
		return fmt.Errorf("SQLSTATE %s of PostgreSQL, %s", e.Code, why)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() != notAuthorized {
		return fmt.Errorf("result code %d of SQLite, %s", e.Code(), why)
	}
	if err == nil {
		return nil
	}
	return shown(err)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
