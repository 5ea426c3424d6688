// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bytes"
	"cmp"
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

	"fount/internal/test/require"
	"fount/remote/api"
)

// heap is what the heap holds, reachable or not since the last collection.
func heap(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "heap")
	f, err := os.Create(path)
	require.NoError(t, err)
	debug.WriteHeapDump(f.Fd())
	require.NoError(t, f.Close())
	dump, err := os.ReadFile(path)
	require.NoError(t, err)
	return dump
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// Once a request is answered, whatever became of it, its password is nowhere in the heap: not in the
// body, or decoded. What to look for is inverted until the heap is written down.
func TestPasswordIsWiped(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it would hide what was left
	var kept []byte

	routes["/control"] = route{method: http.MethodPost, handle: func(_ *Server, x *exchange) { kept, _ = readBody(x.w, x.r) }}
	defer delete(routes, "/control")

	s := newServer(t, patient(), 1)
	mine := stored(t, cheap, "secret")

	secrets := map[string][]byte{} // inverted
	for name, c := range map[string]struct {
		path   string
		tail   string // of the body, behind the password
		end    error  // of the body, if not io.EOF
		length int64  // that the header announces, if not 0
		status int
	}{
		"verify":          {path: api.PathVerify, tail: fmt.Sprintf(`,"hash":%q}`, mine), status: 200},
		"no such hash":    {path: api.PathVerify, tail: `,"hash":"x"}`, status: 422},
		"no end":          {path: api.PathVerify, tail: `,"hash":""`, status: 400},
		"hash":            {path: api.PathHash, tail: `}`, status: 200},
		"a word too many": {path: api.PathHash, tail: `,"x":1}`, status: 400},
		"too large":       {path: api.PathHash, tail: strings.Repeat(" ", api.MaxRequest), status: 413},
		"announced":       {path: api.PathHash, length: api.MaxRequest + 1, status: 413},
		"cut":             {path: api.PathHash, end: io.ErrUnexpectedEOF, status: 400},
		"late":            {path: api.PathHash, end: os.ErrDeadlineExceeded, status: 400},
		"control":         {path: "/control", status: 200},
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

		end := iotest.ErrReader(cmp.Or(c.end, io.EOF))
		r := httptest.NewRequest(http.MethodPost, "http://fountd"+c.path, io.MultiReader(bytes.NewReader(text), end))
		r.Header.Set("Content-Type", api.MediaType)
		r.ContentLength = cmp.Or(c.length, -1)
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
