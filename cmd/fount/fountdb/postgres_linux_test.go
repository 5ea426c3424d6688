// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Tests of a column of PostgreSQL: a real one, which the test starts.

import (
	"bytes"
	"context"
	"database/sql"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// postgres starts PostgreSQL with the users until the test ends, and returns its URL. It refuses to run as root, so root runs it
// as user 65534.
func postgres(t *testing.T) string {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes a cluster of PostgreSQL")
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		require.Skip(t, "postgres", "PostgreSQL is not installed")
	}
	bin, dir := filepath.Dir(found[len(found)-1]), socketdir.New(t)
	as := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		as.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) {
		cmd := exec.Command(filepath.Join(bin, name), append(args, "-D", filepath.Join(dir, "data"))...)
		cmd.Dir, cmd.SysProcAttr, cmd.Env = dir, as, []string{"LC_ALL=C", "HOME=" + dir}
		if out, err := cmd.CombinedOutput(); err != nil {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Fatalf("%s: %v\n%s%s", name, err, out, log)
		}
	}
	run("initdb", "-A", "trust", "-U", "ada", "-N")
	run("pg_ctl", "start", "-w", "-l", filepath.Join(dir, "log"), "-o", "-k "+dir+" -h ''")
	t.Cleanup(func() { run("pg_ctl", "stop", "-w", "-m", "immediate") })
	u := "postgres:///postgres?user=ada&host=" + url.QueryEscape(dir)
	db := writable(t, u)
	for statement := range strings.SplitSeq(made, ";") {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return u
}

// writable opens the database for the test itself, which may write.
func writable(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := open(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// The database refuses to write, a URL that asks for the simple protocol, which takes several statements, notwithstanding.
func TestPostgres(t *testing.T) {
	u := postgres(t)
	holdsUsers(t, u)
	for query, words := range refusals {
		refuses(t, u, query, words)
	}
	refuses(t, u, "SELECT password::int FROM users", "SQLSTATE 22P02") // whose message quotes the hash
	simple := u + "&default_query_exec_mode=simple_protocol"
	for query, words := range map[string]string{
		"DELETE FROM users": "read-only transaction",
		"UPDATE users SET password = '' RETURNING password":       "read-only transaction",
		"CREATE TABLE t (a int)":                                  "read-only transaction",
		"SELECT set_config('transaction_read_only', 'off', true)": "read-write",
		all + "; DELETE FROM users":                               "multiple commands",
		"COMMIT; DELETE FROM users":                               "multiple commands",
		"DO 'BEGIN COMMIT; DELETE FROM users; END'":               "SQLSTATE 2D000",
		"COMMIT": "0 columns",
	} {
		refuses(t, u, query, words)
		refuses(t, simple, query, words)
	}
	var n int
	if err := writable(t, u).QueryRow("SELECT count(*) FROM users").Scan(&n); err != nil || n != 4 {
		t.Errorf("%d users, %v; want all 4", n, err)
	}
}

// The program is interrupted while the server computes, and while it sends: the server stops too.
func TestPostgresInterrupted(t *testing.T) {
	u := postgres(t)
	db := writable(t, u)
	for _, query := range []string{
		"SELECT pg_sleep(3600)::text /* surveyed */", "SELECT x::text FROM generate_series(1, 1e15::bigint) x /* surveyed */",
	} {
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), os.Args[0], "password", "survey", "--database", u, "--query", query)
		cmd.Env = append(os.Environ(), "FOUNTDB_TEST_PROGRAM=1")
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, db, true)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() != 130 || stdout.Len() > 0 || stderr.String() != "fount password survey: interrupted; the query is cancelled\n" {
			t.Errorf("%v, stdout %q, stderr %q", cmd.ProcessState, stdout.String(), stderr.String())
		}
		waitFor(t, db, false)
	}
}

// waitFor waits until the server runs the query, or runs it no more.
func waitFor(t *testing.T, db *sql.DB, running bool) {
	t.Helper()
	for n := -1; running != (n > 0) || n < 0; {
		err := db.QueryRowContext(context.Background(), "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%/* surv'||'eyed */'").Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
	}
}
