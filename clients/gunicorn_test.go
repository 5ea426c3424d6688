// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package clients

import (
	"cmp"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
)

// Workers that gunicorn forks from a service that has asked fountd let in who has the password, and
// nobody else, also while fountd restarts.
func TestGunicorn(t *testing.T) {
	python := cmp.Or(os.Getenv("FOUNT_PYTHON"), "python3")
	if out, err := exec.Command(python, "-c", "import flask, gunicorn").CombinedOutput(); err != nil {
		require.Skip(t, "gunicorn", string(out))
	}
	f := startFountd(t)
	host := free(t)
	gunicorn := exec.Command(python, "-m", "gunicorn", "--preload", "--workers", "8", "--bind", host, "--chdir", "testdata", "wsgi:app")
	gunicorn.Dir = "python"
	gunicorn.Env = append(os.Environ(), "PYTHONPATH=..", "FOUNTD_URL="+f.socket)
	log := &output{}
	gunicorn.Stdout, gunicorn.Stderr = log, log
	if err := gunicorn.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gunicorn.Process.Signal(syscall.SIGTERM); gunicorn.Wait() })

	login := func(password string) int {
		reply, err := http.PostForm("http://"+host+"/login", url.Values{"name": {"ada"}, "password": {password}})
		if err != nil {
			return 0
		}
		reply.Body.Close()
		return reply.StatusCode
	}
	for range 500 {
		if login(right) == http.StatusOK {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}

	var mu sync.Mutex
	statuses := map[string]map[int]int{right: {}, "guess": {}}
	for _, during := range []func(){func() {}, f.restart} {
		var running sync.WaitGroup
		for client := range 16 {
			running.Go(func() {
				for n := range 30 {
					password := []string{right, "guess"}[(client+n)%2]
					status := login(password)
					mu.Lock()
					statuses[password][status]++
					mu.Unlock()
				}
			})
		}
		during()
		running.Wait()
	}

	t.Logf("statuses: %v", statuses)
	for password, answer := range map[string]int{right: http.StatusOK, "guess": http.StatusForbidden} {
		for status, n := range statuses[password] {
			if status != answer && status != http.StatusServiceUnavailable {
				t.Errorf("%s: status %d %d times; want %d, or 503\n%s", password, status, n, answer, log.text.String())
			}
		}
		if statuses[password][answer] == 0 {
			t.Errorf("%s: never %d\n%s", password, answer, log.text.String())
		}
	}
	if strings.Contains(log.text.String(), right) {
		t.Errorf("the log has the password:\n%s", log.text.String())
	}
}
