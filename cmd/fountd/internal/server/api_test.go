// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"
	"fount/password"
	"fount/remote/api"
)

// openAPI is the part of docs/fountd.openapi.json that is held against the server.
type openAPI struct {
	Paths map[string]map[string]struct {
		Responses map[string]any
	}
	Components struct {
		Schemas map[string]struct {
			Properties map[string]struct{ Type string }
			Required   []string
		}
	}
}

func readOpenAPI(t *testing.T) (d openAPI) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "fountd.openapi.json"))
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The document has the server's paths and methods, and the statuses of all reasons that a path can answer with.
func TestOpenAPIPaths(t *testing.T) {
	d := readOpenAPI(t)
	for path, r := range routes {
		if _, ok := d.Paths[path][strings.ToLower(r.method)]; !ok || len(d.Paths[path]) != 1 {
			t.Errorf("%s %s: the document has %v", r.method, path, slices.Collect(maps.Keys(d.Paths[path])))
		}
	}
	if len(d.Paths) != len(routes) {
		t.Errorf("%d paths, want %d", len(d.Paths), len(routes))
	}
	for _, reason := range []api.Reason{
		api.ReasonInvalid, api.ReasonTooLarge, api.ReasonMediaType, api.ReasonMalformed, api.ReasonInternal, api.ReasonQueue, api.ReasonExpired,
	} {
		for _, path := range []string{api.PathVerify, api.PathHash} {
			if _, ok := d.Paths[path]["post"].Responses[fmt.Sprint(reason.Status())]; !ok {
				t.Errorf("%s: the document has no %d", path, reason.Status())
			}
		}
	}
}

// The server takes a request of each member that the document has, and no other; its replies have the document's members.
func TestOpenAPIMembers(t *testing.T) {
	d := readOpenAPI(t)
	s := serve(t, patient(), 100)
	values := map[string]string{
		"password": `"secret"`, "password_b64": `"c2VjcmV0"`, "principal": `"p"`, "class": `"change_password"`, "deadline_ms": "3600000", "upgrade": "true",
		"hash": fmt.Sprintf("%q", stored(t, password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: 1000}, "secret")),
	}
	for path, names := range map[string][2]string{api.PathVerify: {"VerifyRequest", "VerifyReply"}, api.PathHash: {"HashRequest", "HashReply"}} {
		request := d.Components.Schemas[names[0]]
		if len(request.Properties) < 5 {
			t.Fatalf("%s has %d members", names[0], len(request.Properties))
		}
		for _, secret := range []string{"password", "password_b64"} {
			var members []string
			for name := range request.Properties {
				if values[name] == "" {
					t.Fatalf("this test knows no value of %s", name)
				}
				if !strings.HasPrefix(name, "password") || name == secret {
					members = append(members, fmt.Sprintf("%q:%s", name, values[name]))
				}
			}
			body := "{" + strings.Join(members, ",")
			status, _, answer := s.post(path, body+"}")
			var reply map[string]any
			if err := json.Unmarshal([]byte(answer), &reply); err != nil || status != 200 {
				t.Fatalf("%s %s: %d %s, %v", path, body, status, answer, err)
			}
			if want := d.Components.Schemas[names[1]].Properties; len(want) != len(reply) {
				t.Errorf("%s answers %s, the document has %d members", path, answer, len(want))
			}
			for name := range reply {
				if _, ok := d.Components.Schemas[names[1]].Properties[name]; !ok {
					t.Errorf("%s answers %s, which the document has not", path, name)
				}
			}
			if status, _, _ := s.post(path, body+`,"other":1}`); status != 400 {
				t.Errorf("%s with another member: %d", path, status)
			}
		}
	}
}

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
