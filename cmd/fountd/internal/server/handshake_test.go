// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"math/big"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"fount/internal/test/require"
	"fount/remote/api"
)

// A port is a listener for TLS with simulated clients and time.
type port struct {
	*Server
	t        *testing.T
	listener scripted
	pair     tls.Certificate // of server and clients
	config   *tls.Config     // the server's
	conns    []net.Conn
}

// testTLS runs a test in a bubble, with a Server for 2 connections and 4 handshakes.
func testTLS(t *testing.T, name string, test func(*testing.T, *port)) {
	pool := newPool(t, patient())
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			pair, authorities := certificate(t)
			p := &port{t: t, listener: scripted{make(chan any), make(chan struct{})}, pair: pair}
			p.config = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13, ClientCAs: authorities, ClientAuth: tls.RequireAndVerifyClientCert}
			p.Server = New(Options{Pool: pool, MaxConns: 2, MaxHandshakes: 4, Idle: time.Minute, Log: slog.New(slog.DiscardHandler)}, api.Policy{})
			ended := make(chan error)
			go func() { ended <- p.Serve(p.listener, p.config) }()
			test(t, p)

			for _, c := range p.conns {
				c.Close()
			}
			if err := p.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			synctest.Wait()
			p.want("at the end", p.metrics.unfinished, 0)
			p.want("at the end", p.metrics.open, 0)
		})
	})
}

// certificate makes one that is its own authority.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"fountd"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func (p *port) want(when string, c prometheus.Collector, want float64) {
	p.t.Helper()
	if got := testutil.ToFloat64(c); got != want {
		p.t.Errorf("%s: %v, want %v", when, got, want)
	}
}

// A stranger is a connection that makes no handshake by itself.
type stranger struct {
	net.Conn
	address net.Addr
}

func (s stranger) RemoteAddr() net.Addr { return s.address }

// connect connects from an address.
func (p *port) connect(address string) net.Conn {
	p.t.Helper()
	near, far := net.Pipe()
	p.conns = append(p.conns, far)
	p.listener.next <- stranger{near, &net.TCPAddr{IP: net.ParseIP(address)}}
	synctest.Wait()
	return far
}

// open reports whether the server has left a connection open.
func open(c net.Conn) bool {
	c.SetReadDeadline(time.Now())
	_, err := c.Read(make([]byte, 1))
	return err != io.EOF
}

// client connects with the certificate.
func (p *port) client(address string) *tls.Conn {
	return tls.Client(p.connect(address), &tls.Config{Certificates: []tls.Certificate{p.pair}, InsecureSkipVerify: true})
}

// healthy asks for health, and waits for the answer.
func healthy(t *testing.T, c *tls.Conn) {
	t.Helper()
	_, err := io.WriteString(c, getHealth)
	require.NoError(t, err)
	require.NoError(t, answered(bufio.NewReader(c)))
}

// Strangers, who make no handshake or a wrong one, keep nobody out who has a certificate.
func TestHandshakes(t *testing.T) {
	testTLS(t, "silent strangers lose to a client", func(t *testing.T, p *port) {
		start := time.Now()
		for range 20 {
			p.connect("192.0.2.1")
			p.connect("2001:db8::1")
		}

		healthy(t, p.client("198.51.100.1"))
		if waited := time.Since(start); waited != 0 {
			t.Errorf("the client waited for %v", waited)
		}
		p.want("handshakes", p.metrics.unfinished, 3)
		p.want("evicted", p.metrics.evicted, 37)

		time.Sleep(handshakeTime + time.Millisecond)
		synctest.Wait()
		p.want("handshakes, after their time", p.metrics.unfinished, 0)
		p.want("failed, after their time", p.metrics.failed, 3)
	})

	testTLS(t, "a byte a second does not prolong it", func(t *testing.T, p *port) {
		c := p.connect("192.0.2.1")
		for i, b := range []byte{0x16, 0x03, 0x01} {
			if _, err := c.Write([]byte{b}); (err == nil) != (i < 2) {
				t.Errorf("byte %d: %v", i, err)
			}
			time.Sleep(handshakeTime/2 + time.Millisecond)
		}
	})

	testTLS(t, "the largest network loses its oldest", func(t *testing.T, p *port) {
		one := p.connect("2001:db8:1::1")
		first := p.connect("2001:db8:2::1")
		others := []net.Conn{one, p.connect("2001:db8:2:1::1"), p.connect("2001:db8:2::1")}
		others = append(others, p.connect("192.0.2.1"))

		if open(first) {
			t.Error("the oldest of three from one network is open")
		}
		for i, c := range others {
			if !open(c) {
				t.Errorf("connection %d was closed", i)
			}
		}

		p.connect("2001:db8:1::2")
		if open(one) {
			t.Error("of two networks with two, the one with a new connection lost none")
		}
	})

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // so two handshakes may compute at a time

	testTLS(t, "one of a network computes, and a quarter of the cores", func(t *testing.T, p *port) {
		computing := make(chan string, 4)
		release := make(chan struct{})
		p.config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			computing <- hello.Conn.RemoteAddr().String()
			<-release
			return nil, nil
		}

		for _, address := range []string{"192.0.2.1", "192.0.2.1", "198.51.100.1", "203.0.113.1"} {
			go p.client(address).Handshake()
			synctest.Wait()
		}

		if n := len(computing); n != 2 {
			t.Fatalf("%d compute; want 2, a quarter of the cores", n)
		}
		if address := <-computing; address == <-computing {
			t.Errorf("both are of %s; want one of each network", address)
		}

		close(release)
		synctest.Wait()
		if n := len(computing); n != 2 {
			t.Errorf("then %d have computed; want the other two", n)
		}
	})

	testTLS(t, "a verified client waits and is not evicted", func(t *testing.T, p *port) {
		clients := []*tls.Conn{p.client("192.0.2.1"), p.client("192.0.2.1"), p.client("192.0.2.1")}
		healthy(t, clients[0])
		healthy(t, clients[1])
		require.NoError(t, clients[2].Handshake())

		time.Sleep(2 * handshakeTime)
		for range 20 {
			p.connect("192.0.2.1")
		}
		p.want("connections", p.metrics.open, 2)
		p.want("handshakes", p.metrics.unfinished, 3)

		p.conns[0].Close()
		healthy(t, clients[2])
	})

	testTLS(t, "a foreign certificate", func(t *testing.T, p *port) {
		p.pair, _ = certificate(t)
		if _, err := io.ReadAll(p.client("192.0.2.1")); err == nil {
			t.Error("it was let in")
		}

		synctest.Wait()
		p.want("failed", p.metrics.failed, 1)
		p.want("connections", p.metrics.open, 0)
	})

	testTLS(t, "an endless message", func(t *testing.T, p *port) {
		c := p.connect("192.0.2.1")
		sent := 0
		for record := "\x16\x03\x01\x10\x00\x01\x00\xff\xff" + strings.Repeat("x", 0x0ffc); sent <= 2*maxHandshake; {
			n, err := io.WriteString(c, record)
			sent += n
			if err != nil {
				break
			}
			record = "\x16\x03\x01\x10\x00" + strings.Repeat("x", 0x1000)
		}

		if sent > maxHandshake+8<<10 {
			t.Errorf("%d bytes were read", sent)
		}
	})

	testTLS(t, "a panic is a failure", func(t *testing.T, p *port) {
		p.config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { panic("boom") }
		for range 10 {
			p.client("192.0.2.1").Handshake()
		}
		synctest.Wait()

		p.want("failed", p.metrics.failed, 10)
		p.want("handshakes", p.metrics.unfinished, 0)
	})

	testTLS(t, "a shutdown", func(t *testing.T, p *port) {
		p.connect("192.0.2.1")
		client := p.client("192.0.2.1")

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		down := make(chan error)
		go func() { down <- p.Shutdown(ctx) }()
		synctest.Wait()

		healthy(t, client) // its handshake had begun
		io.Copy(io.Discard, client)
		if err := <-down; err != nil {
			t.Error(err)
		}
		p.want("failed", p.metrics.failed, 0)
	})
}
