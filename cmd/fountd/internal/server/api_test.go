// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// schemathesis makes requests of the document, right and wrong, and judges the answers by it. That a request fits the document
// does not mean that it can be served: a stored hash may still be unreadable, and a deadline of 1 ms pass. A 500 is an error.
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
	judge := func(document string, examples int) ([]byte, error) {
		dir := t.TempDir() // it keeps notes there
		path := filepath.Join(dir, "fountd.openapi.json")
		if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "run", path, "--url", "http://"+l.Addr().String(), "--checks", "all",
			"--exclude-checks", "positive_data_acceptance,not_a_server_error", "--max-examples", fmt.Sprint(examples), "--seed", "1", "--no-color")
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	if out, err := judge(string(document), 50); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if log := s.log.String(); strings.Contains(log, "status=500") || !strings.Contains(log, "status=200") {
		t.Error("the log has a status of 500, or none of 200")
	}
}
