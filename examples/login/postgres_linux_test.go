// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"os"
	"testing"

	"fount/internal/test/postgres"
)

// cluster makes a PostgreSQL, which does not run.
func cluster(t *testing.T) *postgres.Server {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes a cluster of PostgreSQL")
	}
	return postgres.New(t)
}

// started starts PostgreSQL until the test ends, and returns its URL.
func started(t *testing.T) string {
	t.Helper()
	server := cluster(t)
	server.Start()
	return server.URL
}
