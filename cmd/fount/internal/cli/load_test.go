// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount load against a service. The scripts have the rest.

package cli

import (
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
		"a login": {path: "/login", want: []string{"  in time ", "  latency ", "Answers by status: 200:"}},
		"a wrong path": {
			path: "/logni", status: statusFailed,
			want: []string{"Answers by status: 404:", "requests failed, the first with: status 404 Not Found\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, said := run(nil, "load", "--url", server.URL+test.path,
				"--rate", "200", "-d", "200ms", "--deadline", "20ms",
				"--data", "name=u{n}", "--header", "Authorization: Bearer secret")
			for _, want := range test.want {
				if status != test.status || !strings.Contains(out+said, want) || strings.Contains(out, "HTTP late") {
					t.Errorf("status %d, want %d and %q:\n%s%s", status, test.status, want, out, said)
				}
			}
		})
	}
}
