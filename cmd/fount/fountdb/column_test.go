// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Tests of a column of SQLite, and of what a URL and its errors show.

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fount/cmd/fount/internal/cli"
)

// TestMain lets this test binary stand for the program.
func TestMain(m *testing.M) {
	if os.Getenv("FOUNTDB_TEST_PROGRAM") != "" {
		main()
	}
	cli.Database = readColumn
	os.Exit(m.Run())
}

const (
	bcrypt = "$2a$04$e9T5rFGVuMd1IGpD3qYTRuTcbNuaHFDlBLqVDDwMvnVVPE0i6XLKO"
	made   = "CREATE TABLE users (password TEXT, age INT); INSERT INTO users VALUES ('', 4), ('" + bcrypt + "', 1), (NULL, 2), ('damaged', 3)"
	all    = "SELECT password FROM users"
)

// sqliteFile makes a database of four users.
func sqliteFile(t *testing.T, name string) (path string) {
	t.Helper()
	dir := t.TempDir()
	first := filepath.Join(dir, "first.db") // for the driver takes the plain path apart at a question mark
	db, err := sql.Open("sqlite", first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(made); err != nil {
		t.Fatal(err)
	}
	db.Close()
	path = filepath.Join(dir, name)
	if err := os.Rename(first, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// survey runs the program's command line.
func survey(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = cli.Main(append([]string{"password", "survey", "--measure", "0s"}, args...), strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// holdsUsers holds that a survey counts the four, and shows no hash.
func holdsUsers(t *testing.T, url string) {
	t.Helper()
	status, out, errs := survey("--json", "--database", url, "--query", all)
	for _, want := range []string{`"lines": 4`, `"blank": 1`, `"read": 1`, `"refused": 2`, `"bcrypt,cost=4"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
	if status != 1 || errs != "fount password survey: 2 of 3 would be refused\n" || strings.Contains(out, bcrypt[7:]) {
		t.Errorf("status %d, stderr %q, stdout %s", status, errs, out)
	}
}

func TestSQLite(t *testing.T) {
	for _, name := range []string{"users.db", "user?mode=rwc&x=%41#.db"} {
		holdsUsers(t, "sqlite:"+sqliteFile(t, name))
	}
}

// refusals are queries that no database answers, with what the error says.
var refusals = map[string]string{
	"SELECT password, age FROM users": "2 columns",
	"SELECT nothing FROM users":       "nothing",
	"SELEKT password":                 "syntax error",
}

const writes = "the query does more than read; want one SELECT"

// refuses holds that a query ends with an error of one line that has the words, and no hash.
func refuses(t *testing.T, url, query, words string) {
	t.Helper()
	status, out, errs := survey("--database", url, "--query", query)
	if status != 1 || out != "" || !strings.Contains(errs, words) || strings.Count(errs, "\n") != 1 || strings.Contains(errs, bcrypt[7:]) {
		t.Errorf("%s: status %d, stdout %q, stderr %q; want 1 and one line with %q", query, status, out, errs, words)
	}
}

// SQLite refuses to write, to this file, to itself by another connection and to others, whatever a query turns off before.
func TestSQLiteReadOnly(t *testing.T) {
	path := sqliteFile(t, "users.db")
	before, _ := os.ReadFile(path)
	other := filepath.Join(filepath.Dir(path), "other.db")
	for query, words := range refusals {
		refuses(t, "sqlite:"+path, query, words)
	}
	for _, query := range []string{
		"DELETE FROM users RETURNING password", "UPDATE users SET password = ''", "DROP TABLE users", "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)",
		all + "; DELETE FROM users", "COMMIT; DELETE FROM users", "PRAGMA query_only=0; DELETE FROM users",
		"ATTACH '" + other + "' AS o; CREATE TABLE o.t (a)", "COMMIT; ATTACH '" + path + "' AS o; DELETE FROM o.users",
	} {
		refuses(t, "sqlite:"+path, query, writes)
	}
	for _, query := range []string{"VACUUM INTO '" + other + "'", "COMMIT; VACUUM INTO '" + other + "'"} {
		refuses(t, "sqlite:"+path, query, "")
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the database has changed: %v", err)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%d files beside each other, %v; want the database alone", len(files), err)
	}
	// The control: opened as usual, it is written to.
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r, err := db.Exec("DELETE FROM users"); err != nil {
		t.Error(err)
	} else if n, _ := r.RowsAffected(); n != 4 {
		t.Errorf("%d users are left to delete, want 4", n)
	}
}

// What SQLite says of a query that runs may quote a hash: a path into JSON does.
func TestSQLiteQuotes(t *testing.T) {
	path := "sqlite:" + sqliteFile(t, "users.db")
	for _, query := range []string{
		"SELECT json_extract('{}', password) FROM users WHERE age = 1", // the first row, which the driver reads ahead
		"SELECT CASE age WHEN 4 THEN '' ELSE json_extract('{}', password) END FROM users",
	} {
		refuses(t, path, query, "result code 1 of SQLite")
	}
	db, err := sql.Open("sqlite", strings.TrimPrefix(path, "sqlite:")) // the control
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var text string
	if err := db.QueryRow("SELECT json_extract('{}', password) FROM users WHERE age = 1").Scan(&text); err == nil || !strings.Contains(err.Error(), bcrypt[7:]) {
		t.Errorf("%v; want that SQLite quotes the hash", err)
	}
}

// No file is made where there is none.
func TestSQLiteMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	refuses(t, "sqlite:"+path, all, "unable to open database file")
	if _, err := os.Stat(path); err == nil {
		t.Error("the database was made")
	}
}

// Rows come one after the other, while an endless query runs, and a cancelled one ends.
func TestSQLiteStreams(t *testing.T) {
	const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT x FROM n"
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := readColumn(ctx, "sqlite:"+sqliteFile(t, "users.db"), endless, func(string, bool) {
		if n++; n == 1000 {
			cancel()
		}
	})
	if err == nil || n < 1000 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A query that computes on behind its first row is left when the context ends, and what it still finds is not taken.
func TestLeaving(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gate, done, taken := make(chan bool), make(chan bool), 0
	err := leaving(ctx, func(string, bool) { taken++; cancel() }, func(row func(string, bool)) error {
		defer close(done)
		row("one", true)
		<-gate
		row("two", true)
		return nil
	})
	close(gate)
	<-done
	if !errors.Is(err, context.Canceled) || taken != 1 {
		t.Errorf("%d rows, %v; want the first, and that it was canceled", taken, err)
	}
}

// What is wrong with a URL or a connection is said without its password.
func TestNoPasswordInErrors(t *testing.T) {
	const secret = "hunter2"
	for _, url := range []string{
		"postgres://ada:hunter2@127.0.0.1:1/shop", "postgres://ada:hunter2@127.0.0.1:x/shop", "postgres://ada:hunter2@[::1/shop",
		"postgres://ada:hunter2%zz@localhost/shop", "postgres://ada:hun/hunter2@localhost/shop", "postgres://ada:1?hunter2@localhost/shop",
		"postgres://ada:#hunter2@localhost/shop", "postgres://ada:1#hunter2@localhost/shop", "postgresql://127.0.0.1:1/shop?password=hunter2",
		"postgres://127.0.0.1:1/shop?sslmode=hunter2&password=hunter2", "postgres://ada:hunter2@/shop?host=/nowhere",
		"mysql://ada:hunter2@localhost/shop", "hunter2", "postgres:hunter2@localhost", "://hunter2", "postgres://ada:hunter2@127.0.0.1:1/shop?connect_timeout=x",
	} {
		status, out, errs := survey("--database", url, "--query", all)
		if status != 1 || out != "" || strings.Contains(errs, secret) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", url, status, out, errs)
		}
	}
}
