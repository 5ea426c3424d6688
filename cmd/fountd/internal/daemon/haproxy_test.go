// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// The load balancer that docs/fountd.md shows.

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/remote"
)

const docs = "../../../../docs/"

// balance starts HAProxy with the page's configuration before two servers until the test ends, and
// returns its own addresses. others are replaced in it: old, new and so on.
func balance(t *testing.T, first, second string, others ...string) (address, metrics string) {
	t.Helper()
	haproxy, err := exec.LookPath("haproxy")
	if err != nil {
		require.Skip(t, "haproxy", "there is no haproxy (Debian: haproxy)")
	}
	address = freeport.New(t)
	metrics = freeport.New(t)
	others = append(others,
		"127.0.0.1:8080", address, "127.0.0.1:8405", metrics,
		"10.0.0.1:8443", first, "10.0.0.2:8443", second)
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	write(t, file, strings.NewReplacer(others...).Replace(configuration(t))+"\n")
	background(t, haproxy, "-db", "-f", file)

	eventually(t, "HAProxy listens", func() bool {
		c, err := net.Dial("tcp", address)
		return err == nil && c.Close() == nil
	})
	return address, metrics
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

// plaintext has HAProxy ask servers that listen on loopback.
var plaintext = []string{
	" ssl verify required ca-file /etc/haproxy/ca.pem crt /etc/haproxy/client.pem", "",
	" verifyhost hash-1.internal", "",
	" verifyhost hash-2.internal", "",
	"GET /readyz", "GET /readyz\n    http-check send hdr Host fountd",
}

// patient gives connections and checks the time that a busy machine needs.
var patient = []string{"timeout connect 1s", "timeout connect 20s", "inter 500ms", "inter 1m"}

// A call whose server ends without an answer gets another's, also if its client sends the header
// before the body and does not ask again itself.
func TestHAProxyAsksAnother(t *testing.T) {
	ends := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost { // else it passes as ready
			panic(http.ErrAbortHandler)
		}
	}))
	defer ends.Close()

	works := freeport.New(t)
	start(t, nil, "--listen", works)
	address, _ := balance(t, ends.Listener.Addr().String(), works, append(plaintext, patient...)...)
	for range 20 {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		io.WriteString(c, "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\n"+
			"Content-Type: application/json\r\nContent-Length: 26\r\n\r\n")
		time.Sleep(10 * time.Millisecond) // HAProxy has the header
		io.WriteString(c, `{"password":"a","hash":""}`)

		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		c.Close()
		if answer.StatusCode != 200 {
			t.Error(answer.Status)
		}
	}
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

	one := freeport.New(t)
	two := freeport.New(t)
	first := start(t, nil, flags("hash-1.internal", one)...)
	second := start(t, nil, flags("hash-2.internal", two)...)
	address, _ := balance(t, one, two, append(patient, "/etc/haproxy/ca.pem", authority, "/etc/haproxy/client.pem", client)...)
	v, err := remote.HTTP("http://"+address, remote.HTTPOptions{})
	require.NoError(t, err)
	for host, want := range map[string]int{"fountd": 200, "LOCALHOST:8080": 200, "evil.example": 421, "127.0.0.1.evil.example:8080": 421} {
		r, err := http.NewRequest(http.MethodGet, "http://"+address+"/v1/policy", nil)
		require.NoError(t, err)
		r.Host = host
		if answer, err := http.DefaultClient.Do(r); err != nil || answer.Body.Close() != nil || answer.StatusCode != want {
			t.Errorf("Host %s: %v, %v; want %d", host, answer, err, want)
		}
	}

	callers, stop := under(t, v)
	allAnswered := func() {
		t.Helper()
		each(t, "answered", callers, answered)
	}
	allAnswered()
	first.signal(syscall.SIGKILL)
	first.end()
	allAnswered()

	rogue := start(t, nil, flags("web.internal", one)...)
	rogue.said("no connection by TLS")
	allAnswered()
	if _, text, err := get(rogue.client(), "http://fountd/metrics"); err != nil || strings.Contains(text, `path="/v1/verify"`) || strings.Contains(text, `path="/readyz"`) {
		t.Errorf("another name's server was asked, %v", err)
	}
	rogue.signal(syscall.SIGKILL)
	rogue.end()
	start(t, nil, flags("hash-1.internal", one)...)
	allAnswered()

	second.signal(syscall.SIGTERM)
	second.end()
	allAnswered()
	stop()

	for _, c := range callers {
		if n := refused(c); n > 0 {
			t.Errorf("%d calls were refused beside %d answered", n, answered(c))
		}
	}
}
