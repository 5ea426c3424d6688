// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// The load balancer that docs/fountd.md shows.

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/password"
	"fount/remote"
)

const docs = "../../../../docs/"

// balance starts HAProxy with the page's configuration until the test ends. others are replaced in
// it: old, new and so on.
func balance(t *testing.T, others ...string) {
	t.Helper()
	haproxy, err := exec.LookPath("haproxy")
	if err != nil {
		require.Skip(t, "haproxy", "there is no haproxy (Debian: haproxy)")
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	write(t, file, strings.NewReplacer(others...).Replace(configuration(t))+"\n")
	background(t, haproxy, "-db", "-f", file)
}

// configuration is what docs/fountd.md has for HAProxy.
func configuration(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(docs + "fountd.md")
	if err != nil {
		t.Skip(err)
	}
	_, after, found := strings.Cut(string(page), "```haproxy\n")
	text, _, ended := strings.Cut(after, "\n```\n")
	if !found || !ended {
		t.Fatal("docs/fountd.md has no configuration of HAProxy")
	}
	return text
}

// Behind HAProxy with the page's configuration no call is lost by a server that is killed, or
// restarted, and none reaches a program in its place that has the authority's word for another name.
// A web page whose name leads there is refused.
func TestHAProxy(t *testing.T) {
	t.Parallel() // it waits
	ca := newAuthority(t, "ca")
	authority := filepath.Join(ca.dir, "ca.pem")
	flags := func(name, address string) []string {
		cert, key := ca.issue(name)
		return []string{"--listen", address, "--tls-cert", cert, "--tls-key", key, "--tls-client-ca", authority}
	}
	cert, key := ca.issue("client")
	pair, _ := os.ReadFile(cert)
	private, _ := os.ReadFile(key)
	client := filepath.Join(ca.dir, "client.pem")
	write(t, client, append(pair, private...))

	address := freeport.New(t)
	metrics := freeport.New(t)
	one := freeport.New(t)
	two := freeport.New(t)
	first := start(t, nil, flags("hash-1.internal", one)...)
	second := start(t, nil, flags("hash-2.internal", two)...)
	balance(t, "/etc/haproxy/ca.pem", authority, "/etc/haproxy/client.pem", client,
		"timeout connect 1s", "timeout connect 20s\n    timeout check 20s", // as long as a busy machine needs
		"127.0.0.1:8080", address, "127.0.0.1:8405", metrics, "10.0.0.1:8443", one, "10.0.0.2:8443", two)
	v, err := remote.HTTP("http://"+address, remote.HTTPOptions{})
	require.NoError(t, err)
	eventually(t, "the balancer answers", func() bool {
		_, err := v.Verify(t.Context(), password.Login{}, []byte("a"), "")
		return errors.Is(err, password.ErrMismatch)
	})
	for host, want := range map[string]int{"fountd": 200, "LOCALHOST:8080": 200, "evil.example": 421, "127.0.0.1.evil.example:8080": 421} {
		r, err := http.NewRequest(http.MethodGet, "http://"+address+"/v1/policy", nil)
		require.NoError(t, err)
		r.Host = host
		if answer, err := http.DefaultClient.Do(r); err != nil || answer.Body.Close() != nil || answer.StatusCode != want {
			t.Errorf("Host %s: %v, %v; want %d", host, answer, err, want)
		}
	}

	callers, stop := under(t, v)
	each(t, "answered", callers, answered)
	first.signal(syscall.SIGKILL)
	first.end()
	each(t, "answered", callers, answered)

	rogue := start(t, nil, flags("web.internal", one)...)
	rogue.said("no connection by TLS")
	each(t, "answered", callers, answered)
	if _, text, err := get(rogue.client(), "http://fountd/metrics"); err != nil || strings.Contains(text, `path="/v1/verify"`) || strings.Contains(text, `path="/readyz"`) {
		t.Errorf("another name's server was asked, %v", err)
	}
	rogue.signal(syscall.SIGKILL)
	rogue.end()
	start(t, nil, flags("hash-1.internal", one)...)
	eventually(t, "hash-1 is back", func() bool {
		_, text, _ := get(http.DefaultClient, "http://"+metrics+"/metrics")
		return strings.Contains(text, `server="hash-1",state="UP"} 1`)
	})

	second.signal(syscall.SIGTERM)
	second.end()
	each(t, "answered", callers, answered)
	stop()

	for _, c := range callers {
		if n := refused(c); n > 0 {
			t.Errorf("%d calls were refused beside %d answered", n, answered(c))
		}
	}
}
