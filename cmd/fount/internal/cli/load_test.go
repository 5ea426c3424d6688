// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount load against a service. The scripts have the rest.

package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLoadService(t *testing.T) {
	service := http.NewServeMux()
	service.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" || r.FormValue("name") == "" {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	server := httptest.NewServer(service)
	defer server.Close()

	for name, test := range map[string]struct {
		path   string
		status int
		want   []string
	}{
		"a login":      {"/login", statusOK, []string{"  in time ", "  latency ", "Answers by status: 200:"}},
		"a wrong path": {"/logni", statusFailed, []string{"Answers by status: 404:", "requests failed, the first with: status 404 Not Found\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			args := []string{
				"load", "--url", server.URL + test.path, "--rate", "200", "-d", "200ms", "--deadline", "20ms",
				"--data", "name=u{n}", "--header", "Authorization: Bearer secret",
			}
			status := Main(args, nil, &out, &out)
			for _, want := range test.want {
				if status != test.status || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "HTTP late") {
					t.Errorf("status %d, want %d and %q:\n%s", status, test.status, want, &out)
				}
			}
		})
	}
}
