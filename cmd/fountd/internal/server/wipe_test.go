// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	"fount/remote/api"
)

// heap is what the heap holds, reachable or not since the last collection.
func heap(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "heap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	debug.WriteHeapDump(f.Fd())
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	dump, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return dump
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// Once a request is answered, whatever became of it, its password is nowhere in the heap: not in
// the body, or decoded. What to look for is inverted until the heap is
// written down.
func TestPasswordIsWiped(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it would hide what was left
	var kept []byte
	routes["/control"] = route{method: http.MethodPost, handle: func(_ *Server, x *exchange) { kept, _, _ = readBody(x.w, x.r) }}
	defer delete(routes, "/control")
	s := newServer(t, patient(), 1)
	mine := stored(t, cheap, "secret")
	secrets := map[string][]byte{} // inverted
	for name, c := range map[string]struct {
		path, tail string // of the body, behind the password
		err        error  // that ends it
		status     int
	}{
		"verify":          {api.PathVerify, fmt.Sprintf(`,"hash":%q}`, mine), io.EOF, 200},
		"no such hash":    {api.PathVerify, `,"hash":"x"}`, io.EOF, 422},
		"no end":          {api.PathVerify, `,"hash":""`, io.EOF, 400},
		"hash":            {api.PathHash, `}`, io.EOF, 200},
		"a word too many": {api.PathHash, `,"x":1}`, io.EOF, 400},
		"too large":       {api.PathHash, strings.Repeat(" ", api.MaxRequest), io.EOF, 413},
		"cut":             {api.PathHash, "", io.ErrUnexpectedEOF, 400},
		"late":            {api.PathHash, "", os.ErrDeadlineExceeded, 400},
		"control":         {"/control", "", io.EOF, 200},
	} {
		secret := make([]byte, 32)
		rand.Read(secret)
		for i := range secret {
			secret[i] = 'a' + secret[i]%16
		}
		text := append(append(append(make([]byte, 0, 2*api.MaxRequest), `{"password":"`...), secret...), '"')
		text = append(text, c.tail...)
		invert(secret)
		secrets[name] = secret
		r := httptest.NewRequest(http.MethodPost, c.path, io.MultiReader(bytes.NewReader(text), iotest.ErrReader(c.err)))
		r.Header.Set("Content-Type", api.MediaType)
		w := httptest.NewRecorder()
		s.serveClient(w, r)
		clear(text)
		if w.Code != c.status {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.status)
		}
	}
	dump := heap(t)
	for name, secret := range secrets {
		invert(secret)
		if found := bytes.Contains(dump, secret); found != (name == "control") {
			t.Errorf("%s: the password is in the heap: %v", name, found)
		}
	}
	runtime.KeepAlive(kept)
}
