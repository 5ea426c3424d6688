// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"fount/internal/test/require"
)

// Schemathesis judges the answers to requests of the document, right and wrong. One that fits it
// may still not be served: its hash is unreadable, or its deadline too short.
func TestSchemathesis(t *testing.T) {
	program, err := exec.LookPath("schemathesis")
	if err != nil {
		require.Skip(t, "schemathesis", "there is no schemathesis (PyPI: schemathesis==4.32.5)")
	}
	s := newServer(t, patient(), 100)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l, nil)
	defer s.Shutdown(context.Background())
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "fountd.openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // it keeps notes there
	path := filepath.Join(dir, "fountd.openapi.json")
	if err := os.WriteFile(path, document, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "run", path, "--url", "http://"+l.Addr().String(), "--checks", "all",
		"--exclude-checks", "positive_data_acceptance,not_a_server_error", "--max-examples", "50", "--seed", "1", "--no-color")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if testutil.ToFloat64(s.metrics.requests.WithLabelValues("/v1/hash", "200")) == 0 {
		t.Error("no hash was made")
	}
	for _, path := range []string{"/v1/hash", "/v1/verify"} {
		if testutil.ToFloat64(s.metrics.requests.WithLabelValues(path, "500")) > 0 {
			t.Errorf("%s: a status of 500", path)
		}
	}
}
