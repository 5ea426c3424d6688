// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// The load balancer that docs/fountd.md shows.

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote"
)

// Behind HAProxy with the page's configuration no call is lost by a server that is killed, or
// restarted, and none reaches a program in its place that has the authority's word for another name.
func TestHAProxy(t *testing.T) {
	haproxy, err := exec.LookPath("haproxy")
	if err != nil {
		require.Skip(t, "haproxy", "there is no haproxy (Debian: haproxy)")
	}
	ca := newAuthority(t, "ca")
	authority := filepath.Join(ca.dir, "ca.pem")
	flags := func(name, address string) []string {
		cert, key := ca.issue(name)
		return []string{"--policy", "bcrypt,cost=4", "--max-wait", "1h", "--listen", address, "--tls-cert", cert, "--tls-key", key, "--tls-client-ca", authority}
	}
	cert, key := ca.issue("client")
	pair, _ := os.ReadFile(cert)
	private, _ := os.ReadFile(key)
	client := filepath.Join(ca.dir, "client.pem")
	write(t, client, append(pair, private...))

	conf := strings.NewReplacer("/etc/haproxy/ca.pem", authority, "/etc/haproxy/client.pem", client).Replace(block(t, "haproxy", "default_backend"))
	addresses := map[string]string{"127.0.0.1:8080": "", "10.0.0.1:8443": "", "10.0.0.2:8443": ""}
	for of := range addresses {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		addresses[of] = l.Addr().String()
		conf = strings.Replace(conf, of, l.Addr().String(), 1)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	write(t, file, conf+"\n")
	first := startIn(t, socketdir.New(t), nil, flags("hash-1.internal", addresses["10.0.0.1:8443"])...)
	second := startIn(t, socketdir.New(t), nil, flags("hash-2.internal", addresses["10.0.0.2:8443"])...)
	balancer := exec.Command(haproxy, "-db", "-f", file)
	var said bytes.Buffer
	balancer.Stdout, balancer.Stderr = &said, &said
	t.Cleanup(func() { t.Logf("haproxy: %s", &said) })
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	defer balancer.Wait()
	defer balancer.Process.Kill()
	address := addresses["127.0.0.1:8080"]
	v, err := remote.HTTP("http://"+address, remote.HTTPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the balancer answers", func() bool {
		_, err := v.Verify(t.Context(), password.Login{}, []byte("a"), "")
		return errors.Is(err, password.ErrMismatch)
	})
	callers, stop := under(t, v)
	each(t, "answered", callers, answered)
	first.signal(syscall.SIGKILL)
	first.end()
	each(t, "answered", callers, answered)
	rogue := startIn(t, first.dir, nil, flags("web.internal", addresses["10.0.0.1:8443"])...)
	rogue.said("no connection by TLS")
	each(t, "answered", callers, answered)
	if _, text, err := get(rogue.client(), "http://fountd/metrics"); err != nil || strings.Contains(text, `path="/v1/verify"`) || strings.Contains(text, `path="/readyz"`) {
		t.Errorf("another name's server was asked, %v", err)
	}
	rogue.signal(syscall.SIGKILL)
	rogue.end()
	startIn(t, first.dir, nil, flags("hash-1.internal", addresses["10.0.0.1:8443"])...)
	each(t, "answered", callers, answered)
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
