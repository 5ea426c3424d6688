// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/fountd/internal/server"
	"fount/internal/erase"
)

// certificates are the server's certificate, and the authorities and names of its clients.
//
// SIGHUP has the files read again (service.tryReload in reload.go). If all of them can be used
// (newCertificates, checkReplace), then (replace) a new connection uses what they hold now; if not,
// all old settings stay, and the log says why. An open connection stays, but if other clients
// are let in than at the start, its client is verified again before each answer (allows), and loses
// the connection if a new one would be refused.
type certificates struct {
	current atomic.Pointer[tls.Config] // nil without TLS
	names   []string                   // of clients
	exposed bool                       // a listener is reachable from other machines
	changed atomic.Bool                // other clients are let in than at the start
}

// newCertificates reads the files. A server's certificate that has expired is an error.
func newCertificates(c *config.Config) (*certificates, error) {
	t := &certificates{names: c.TLSClients}
	if c.TLSCert == "" {
		return t, nil
	}

	pair, err := readPair(c)
	if err != nil {
		return nil, err
	}
	read := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"}}
	if c.TLSClientCA != "" {
		pem, err := os.ReadFile(c.TLSClientCA)
		if err != nil {
			return nil, fmt.Errorf("tls-client-ca: %w", err)
		}
		read.ClientCAs = x509.NewCertPool()
		if !read.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("tls-client-ca %s: holds no certificate in PEM", c.TLSClientCA)
		}
		read.ClientAuth = tls.RequireAndVerifyClientCert
		read.VerifyConnection = func(s tls.ConnectionState) error { return checkName(s.PeerCertificates[0], c.TLSClients) }
	}
	t.current.Store(read)
	return t, nil
}

// readPair reads the server's certificate and its key.
func readPair(c *config.Config) (pair tls.Certificate, err error) {
	chain, err := os.ReadFile(c.TLSCert)
	if err != nil {
		return pair, fmt.Errorf("tls-cert: %w", err)
	}
	key, err := config.ReadSecret(c.TLSKey)
	if err != nil {
		return pair, fmt.Errorf("tls-key: %w", err)
	}
	defer erase.Wipe(key)

	pair, err = tls.X509KeyPair(chain, key)
	if err != nil {
		return pair, fmt.Errorf("tls-cert %s, tls-key %s: %w", c.TLSCert, c.TLSKey, err)
	}
	end := pair.Leaf.NotAfter
	if time.Now().After(end) {
		return pair, fmt.Errorf("tls-cert %s: it expired at %s; want a valid one", c.TLSCert, end.Format(time.RFC3339))
	}
	return pair, nil
}

// server returns a listener's configuration. Each new connection uses the current certificates.
func (t *certificates) server() *tls.Config {
	if t.current.Load() == nil {
		return nil
	}
	return &tls.Config{
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return t.current.Load(), nil },
	}
}

// expose notes that a listener is reachable from other machines. It returns an error if clients are
// not verified.
func (t *certificates) expose() error {
	t.exposed = true
	return t.checkReplace(t)
}

// checkReplace returns an error if the listeners that are open can't use the next certificates.
func (t *certificates) checkReplace(next *certificates) error {
	now := t.current.Load()
	then := next.current.Load()
	verifiesClients := then != nil && then.ClientCAs != nil
	switch {
	case t.exposed && !verifiesClients:
		return errors.New("a listener beyond loopback needs TLS with client certificates: give --tls-cert, --tls-key and --tls-client-ca")
	case (now == nil) != (then == nil):
		return errors.New("TLS can't be switched on or off while listeners are open: restart")
	}
	return nil
}

// replace makes new connections use the next certificates, and reports whether they differ.
func (t *certificates) replace(next *certificates) (changed bool) {
	then := next.current.Load()
	if then == nil {
		return false
	}

	now := t.current.Swap(then)
	otherClients := !then.ClientCAs.Equal(now.ClientCAs) || !slices.Equal(t.names, next.names)
	t.names = next.names
	if otherClients {
		t.changed.Store(true)
	}
	return otherClients || !slices.EqualFunc(then.Certificates[0].Certificate, now.Certificates[0].Certificate, bytes.Equal)
}

// endMetric returns the metric of when the server's certificate expires.
func (t *certificates) endMetric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "fountd_tls_not_after_seconds", Help: "When the server's certificate ends, in Unix time; 0 without.",
	}, func() float64 {
		now := t.current.Load()
		if now == nil {
			return 0
		}
		return float64(now.Certificates[0].Leaf.NotAfter.Unix())
	})
}

// allows reports whether a connection's client would be let in now.
func (t *certificates) allows(c *tls.ConnectionState) bool {
	now := t.current.Load()
	if !t.changed.Load() || now.ClientCAs == nil {
		return true
	}
	if len(c.PeerCertificates) == 0 {
		return false
	}

	intermediates := x509.NewCertPool()
	for _, cert := range c.PeerCertificates[1:] {
		intermediates.AddCert(cert)
	}
	_, err := c.PeerCertificates[0].Verify(x509.VerifyOptions{
		Roots:         now.ClientCAs,
		Intermediates: intermediates,
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	return err == nil && now.VerifyConnection(*c) == nil
}

// checkName returns an error unless names is empty or the certificate has one of them.
func checkName(c *x509.Certificate, names []string) error {
	has := server.Names(c)
	isNamed := slices.ContainsFunc(has, func(name string) bool { return slices.Contains(names, name) })
	if len(names) > 0 && !isNamed {
		return fmt.Errorf("the client's certificate is for %q; want a name of tls-client", has)
	}
	return nil
}
