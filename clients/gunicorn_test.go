// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package clients

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
)

// Workers that gunicorn forks from a service that has asked fountd let in who has the password, and
// nobody else, also while fountd restarts.
func TestGunicorn(t *testing.T) {
	python := cmp.Or(os.Getenv("FOUNT_PYTHON"), "python3")
	if out, err := exec.Command(python, "-c", "import flask, gunicorn").CombinedOutput(); err != nil {
		require.Skip(t, "gunicorn", string(out))
	}
	build(t)
	f := startFountd(t)
	host := freeport.New(t)
	gunicorn := exec.Command(python, "-m", "gunicorn", "--preload", "--workers", "8", "--bind", host, "--chdir", "testdata", "wsgi:app")
	gunicorn.Dir = "python"
	gunicorn.Env = append(os.Environ(), "PYTHONPATH=..", "FOUNTD_URL="+f.socket)
	log := run(t, gunicorn)
	await(t, host)

	answers := map[string]int{right: http.StatusOK, "guess": http.StatusForbidden}
	var answered atomic.Int64
	for _, during := range []func(){func() {}, f.restart} {
		var running sync.WaitGroup
		for client := range 16 {
			running.Go(func() {
				for n := range 30 {
					password := []string{right, "guess"}[(client+n)%2]
					reply, err := http.PostForm("http://"+host+"/login", url.Values{"name": {"ada"}, "password": {password}})
					if err != nil {
						t.Error(err)
						continue
					}
					reply.Body.Close()
					switch reply.StatusCode {
					case answers[password]:
						answered.Add(1)
					case http.StatusServiceUnavailable:
					default:
						t.Errorf("%s: status %d; want %d, or 503", password, reply.StatusCode, answers[password])
					}
				}
			})
		}
		during()
		running.Wait()
	}
	gunicorn.Process.Signal(syscall.SIGTERM)
	gunicorn.Wait()

	said, _ := os.ReadFile(log)
	if n := answered.Load(); t.Failed() || n == 0 || bytes.Contains(said, []byte(right)) {
		t.Errorf("%d of 960 logins answered; want all but those beside a restart, and no password in the log:\n%s", n, said)
	}
}
