// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount"
	"fount/cmd/fountd/internal/config"
	"fount/internal/test/require"
	"fount/password"
	"fount/remote"
)

// An authority makes certificates, all for one key.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) *authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	a := &authority{t: t, dir: t.TempDir(), key: key}
	a.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert.Raw = a.sign(a.cert)
	a.cert, _ = x509.ParseCertificate(a.cert.Raw)
	a.write(name+".pem", "CERTIFICATE", a.cert.Raw)
	return a
}

func (a *authority) sign(template *x509.Certificate) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	require.NoError(a.t, err)
	return der
}

func (a *authority) write(name, kind string, der []byte) string {
	a.t.Helper()
	path := filepath.Join(a.dir, name)
	write(a.t, path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	return path
}

// issue makes a certificate for 127.0.0.1 and a name, and returns its files.
func (a *authority) issue(name string) (cert, key string) {
	a.t.Helper()
	return a.issueUntil(time.Now().Add(time.Hour), name)
}

func (a *authority) issueUntil(end time.Time, name string) (cert, key string) {
	a.t.Helper()
	der := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: end.Add(-2 * time.Hour), NotAfter: end,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	})
	private, err := x509.MarshalECPrivateKey(a.key)
	require.NoError(a.t, err)
	return a.write(name+".crt", "CERTIFICATE", der), a.write(name+".key", "EC PRIVATE KEY", private)
}

// A certificate that has ended is refused.
func TestCertificatesAtTheStart(t *testing.T) {
	cert, key := newAuthority(t, "ca").issueUntil(time.Now().Add(-time.Hour), "old")
	if _, err := newCertificates(&config.Config{TLSCert: cert, TLSKey: key}); err == nil || !strings.Contains(err.Error(), "it expired at") {
		t.Errorf("a certificate that has ended: %v", err)
	}
}

// A secret that others can read is none.
func TestSecretsOfOthers(t *testing.T) {
	dir := t.TempDir()
	cert, tlsKey := newAuthority(t, "ca").issue("server")
	seed := newUser(t, dir, "worker").seed
	key := filepath.Join(dir, "fleet.key")
	fleetKey(t, "new", key)
	pepper := filepath.Join(dir, "pepper")
	write(t, pepper, "MDEyMzQ1Njc4OWFiY2RlZg==")

	for secret, args := range map[string][]string{
		tlsKey: {"--tls-cert", cert, "--tls-key", tlsKey},
		pepper: {"--pepper", "a=" + pepper},
		key:    {"--nats", "nats://127.0.0.1:1", "--nats-key", key},
		seed:   {"--nats", "nats://127.0.0.1:1", "--nats-key", key, "--nats-nkey", seed},
	} {
		require.NoError(t, os.Chmod(secret, 0o644))
		fountd := program(t, nil, append(args, "--socket", "", "--listen", "127.0.0.1:0")...)
		stop := time.AfterFunc(time.Minute, func() { fountd.Process.Kill() })
		out, err := fountd.CombinedOutput()
		if !stop.Stop() || err == nil || !strings.Contains(string(out), "others can read it") {
			t.Errorf("fountd %q: %v, %s", args, err, out)
		}
		os.Chmod(secret, 0o600)
	}
}

// client trusts this authority's servers, and has another one's certificate, or none.
func (a *authority) client(by *authority, name string) *http.Client {
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AddCert(a.cert)
	if by != nil {
		cert, key := by.issue(name)
		pair, err := tls.LoadX509KeyPair(cert, key)
		require.NoError(a.t, err)
		config.Certificates = []tls.Certificate{pair}
	}
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	a.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// startTLS runs fountd with TLS at an address, for clients of an authority.
func startTLS(t *testing.T, listen, cert, key, authorities string, more ...string) (p *process, port string) {
	t.Helper()
	p = start(t, nil, append(more, "--listen", listen, "--tls-cert", cert, "--tls-key", key, "--tls-client-ca", authorities)...)
	_, port, err := net.SplitHostPort(p.address("tls"))
	require.NoError(t, err)
	return p, port
}

// Beyond loopback a client needs a certificate of the authority; at SIGHUP connections to come get
// the server's new one.
func TestTLS(t *testing.T) {
	ours := newAuthority(t, "ours")
	theirs := newAuthority(t, "theirs")
	serverCert, serverKey := ours.issue("first")
	p, port := startTLS(t, "0.0.0.0:0", serverCert, serverKey, filepath.Join(ours.dir, "ours.pem"))
	served := func(by *authority) string {
		r, err := ours.client(by, "client").Get("https://127.0.0.1:" + port + "/v1/policy")
		if err != nil {
			return ""
		}
		defer r.Body.Close()
		return r.TLS.PeerCertificates[0].Subject.CommonName
	}

	if peer := served(ours); peer != "first" {
		t.Errorf("with a certificate: %q", peer)
	}
	if served(nil) != "" || served(theirs) != "" {
		t.Error("served without a certificate, or with another authority's")
	}
	if r, err := http.Get("http://127.0.0.1:" + port + "/v1/policy"); err == nil {
		r.Body.Close()
		if r.StatusCode != http.StatusBadRequest {
			t.Errorf("in clear: %d", r.StatusCode)
		}
	}

	secondCert, secondKey := ours.issue("second")
	for from, to := range map[string]string{secondCert: serverCert, secondKey: serverKey} {
		require.NoError(t, os.Rename(from, to))
	}
	p.signal(syscall.SIGHUP)
	p.said("msg=reloaded")
	if peer := served(ours); peer != "second" {
		t.Errorf("after a reload: %q", peer)
	}

	write(t, serverKey, "")
	p.signal(syscall.SIGHUP)
	p.said("not reloaded")
	if peer := served(ours); peer != "second" {
		t.Errorf("after a reload that failed: %q", peer)
	}
}

// A client whose authority or name a reload takes away is let in no longer, also on a connection
// that it has; TLS that fails is told of.
func TestAuthorityTakenAway(t *testing.T) {
	ours := newAuthority(t, "ours")
	theirs := newAuthority(t, "theirs")
	serverCert, serverKey := ours.issue("server")
	authorities := ours.write("clients.pem", "CERTIFICATE", ours.cert.Raw)
	names := filepath.Join(ours.dir, "names.toml")
	let := func(text string) {
		t.Helper()
		write(t, names, text)
	}
	let("# any client of the authority\n")
	p, port := startTLS(t, "127.0.0.1:0", serverCert, serverKey, authorities, "--config", names)
	asks := func(c *http.Client) error {
		_, _, err := get(c, "https://127.0.0.1:"+port+"/healthz")
		return err
	}
	old := ours.client(ours, "client")
	other := ours.client(theirs, "client")

	require.NoError(t, asks(old))
	if asks(other) == nil {
		t.Error("a client of another authority is let in")
	}
	eventually(t, "the refusal is counted and logged", func() bool {
		_, text, _ := get(p.client(), "http://fountd/metrics")
		return strings.Contains(text, "fountd_http_handshakes_failed_total 1\n") && strings.Contains(p.logged(), "no connection by TLS")
	})

	let("tls-client = [\"hashes.internal\"]\n")
	p.signal(syscall.SIGHUP)
	p.said("settings=tls-client")
	if asks(old) == nil || asks(ours.client(ours, "client")) == nil {
		t.Error("a client with another name is served, on a connection that it has or on a new one")
	}

	let("tls-client = [\"127.0.0.1\"]\n")
	ours.write("clients.pem", "CERTIFICATE", theirs.cert.Raw)
	p.signal(syscall.SIGHUP)
	eventually(t, "it has reloaded again", func() bool { return strings.Count(p.logged(), "msg=reloaded") == 2 })
	if asks(old) == nil {
		t.Error("a client of the former authority is served on its connection")
	}
	if err := asks(other); err != nil {
		t.Errorf("a client of the new authority: %v", err)
	}
}

// One caller that invents principals takes no more than its share from another, which has one.
func TestCallers(t *testing.T) {
	ca := newAuthority(t, "ca")
	cert, key := ca.issue("server")
	p, port := startTLS(t, "127.0.0.1:0", cert, key, filepath.Join(ca.dir, "ca.pem"), "--policy", "bcrypt,cost=10", "--max-wait", "0s", "--workers", "1")
	config := ca.client(ca, "inventor").Transport.(*http.Transport).TLSClientConfig
	inventor, err := remote.HTTP("https://127.0.0.1:"+port, remote.HTTPOptions{TLS: config})
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	full, refused := context.WithCancel(ctx)
	defer refused()
	var flood sync.WaitGroup
	for range 60 { // more than may wait
		flood.Go(func() {
			for ctx.Err() == nil {
				_, err := inventor.Verify(ctx, password.Login{Principal: fount.Token(32)}, []byte("a"), "")
				if _, ok := errors.AsType[password.OverloadedError](err); ok {
					refused()
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	<-full.Done()

	// As one caller with the flood it would have one or two of sixty calls served.
	honest := p.remote()
	served := 0
	for i := 0; i < 60 && served < 6; i++ {
		if _, err := honest.Verify(t.Context(), password.Login{Principal: "one"}, []byte("a"), ""); errors.Is(err, password.ErrMismatch) {
			served++
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	flood.Wait()
	if served < 6 {
		t.Errorf("%d of 60 calls of an honest caller were served beside one that invents principals", served)
	}
}
