// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Tests of a column of PostgreSQL: a real one, which the test starts.

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"fount/internal/test/postgres"
	"fount/internal/test/socketdir"
)

// users starts PostgreSQL with the users until the test ends, and returns its URL.
func users(t *testing.T) string {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes a cluster of PostgreSQL")
	}
	server := postgres.New(t)
	server.Start()
	db := writable(t, server.URL)
	for statement := range strings.SplitSeq(made, ";") {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return server.URL
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
	u := users(t)
	holdsUsers(t, u)
	for query, words := range refusals {
		refuses(t, u, query, words)
	}
	for query, code := range map[string]string{ // the messages quote the hash
		"SELECT password::int FROM users": "22P02", "SELECT password::regclass FROM users WHERE age = 1": "42P01",
		"SELECT current_setting(password) FROM users WHERE age = 1": "42704",
	} {
		refuses(t, u, query, "SQLSTATE "+code+" of PostgreSQL, whose message is left out")
	}
	simple := u + "&default_query_exec_mode=simple_protocol"
	for query, words := range map[string]string{
		"DELETE FROM users": writes,
		"UPDATE users SET password = '' RETURNING password":       writes,
		"CREATE TABLE t (a int)":                                  writes,
		"SELECT set_config('transaction_read_only', 'off', true)": "SQLSTATE 25001",
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
	u := users(t)
	for _, query := range []string{computes, "SELECT generate_series(1, 1e15::bigint)::text /* surveyed */"} {
		interrupts(t, u, u, query)
	}
}

// The server stops although requests to cancel are lost, as PostgreSQL loses those that come between two messages of a query.
func TestPostgresLosesCancels(t *testing.T) {
	u := users(t)
	interrupts(t, u, loses(t, u, 3), computes)
}

const computes = "SELECT pg_sleep(3600)::text /* surveyed */"

// interrupts interrupts the program, which gets to the server at u by through, during a query.
func interrupts(t *testing.T, u, through, query string) {
	t.Helper()
	db := writable(t, u)
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), os.Args[0], "password", "survey", "--database", through, "--query", query)
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

// loses returns a URL that leads to the server at u, but for the first requests to cancel, which are lost.
func loses(t *testing.T, u string, cancels int32) string {
	t.Helper()
	to, err := url.Parse(u)
	if err != nil {
		t.Fatal(err)
	}
	const name = ".s.PGSQL.5432"
	server, dir := filepath.Join(to.Query().Get("host"), name), socketdir.New(t)
	l, err := net.Listen("unix", filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var left atomic.Int32
	left.Store(cancels)
	t.Cleanup(func() {
		if left.Load() >= 0 {
			t.Errorf("%d requests to cancel were not lost, and none came through", left.Load())
		}
	})
	pass := func(client net.Conn) {
		defer client.Close()
		var first [8]byte // a length, and what it is
		if _, err := io.ReadFull(client, first[:]); err != nil {
			return
		}
		if binary.BigEndian.Uint32(first[4:]) == 80877102 && left.Add(-1) >= 0 { // CancelRequest of the protocol's version 3
			return
		}
		behind, err := net.Dial("unix", server)
		if err != nil {
			return
		}
		defer behind.Close()
		go func() {
			_, _ = io.Copy(behind, io.MultiReader(bytes.NewReader(first[:]), client))
			behind.Close()
		}()
		_, _ = io.Copy(client, behind)
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go pass(client)
		}
	}()
	to.RawQuery = strings.ReplaceAll(to.RawQuery, url.QueryEscape(to.Query().Get("host")), url.QueryEscape(dir))
	return to.String()
}

// waitFor waits until the server runs the query, one that sleeps as far as that, or runs it no more.
func waitFor(t *testing.T, db *sql.DB, running bool) {
	t.Helper()
	active := "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%/* surv'||'eyed */'"
	if running { // PostgreSQL calls it active while it parses it too, and then there is nothing to cancel
		active += " AND (wait_event = 'PgSleep' OR query NOT LIKE '%pg_sleep%')"
	}
	for n := -1; running != (n > 0) || n < 0; {
		err := db.QueryRowContext(context.Background(), active).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
	}
}
