// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

// The broker in this process.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"fount/cmd/fountd/internal/config"
)

// BrokerOptions set up a Broker. Addresses are HOST:PORT, with port 0 for any.
type BrokerOptions struct {
	Listen  string
	Cluster string   // "": none
	Routes  []string // URLs of other brokers' Cluster
	File    string   // in nats-server's own language: TLS, users; "": none
	Log     *slog.Logger
}

// A Broker is a nats-server that runs in this process.
type Broker struct {
	server *server.Server
}

// startTime is how long a broker may take to listen: it is there in milliseconds, or a fault of the network keeps it away.
const startTime = 10 * time.Second

// Start runs a broker. The error says why it can't listen, or that others than this machine could use it without being known.
func Start(o BrokerOptions) (*Broker, error) {
	options, err := o.server()
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	log := &brokerLog{log: o.Log, fatal: make(chan error, 1)}
	s.SetLogger(log, false, false)
	ready := make(chan bool, 1)
	go func() {
		s.Start()
		ready <- s.ReadyForConnections(startTime)
	}()
	select {
	case ok := <-ready:
		if ok {
			return &Broker{s}, nil
		}
		err = fmt.Errorf("broker: it does not listen after %v", startTime)
	case err = <-log.fatal:
	}
	s.Shutdown()
	return nil, err
}

// server is what o says in nats-server's words.
func (o BrokerOptions) server() (*server.Options, error) {
	s := &server.Options{}
	if err := s.ProcessConfigFile(o.File); err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	if s.JetStream || s.LeafNode.Port != 0 || len(s.LeafNode.Remotes) > 0 || s.Gateway.Port != 0 || s.Websocket.Port != 0 || s.MQTT.Port != 0 || s.ProfPort != 0 {
		return nil, fmt.Errorf("broker: %s has JetStream, leaf nodes, gateways, WebSocket, MQTT or prof_port: for those run a nats-server of its own", o.File)
	}
	var err error
	if s.Host, s.Port, err = place(o.Listen); err != nil {
		return nil, err
	}
	if o.Cluster != "" {
		if s.Cluster.Host, s.Cluster.Port, err = place(o.Cluster); err != nil {
			return nil, err
		}
	}
	for _, route := range o.Routes {
		u, err := url.Parse(route)
		if err != nil {
			return nil, fmt.Errorf("broker: %w", err)
		}
		s.Routes = append(s.Routes, u)
	}
	s.NoSigs = true                 // signals are fountd's
	s.NoLog = true                  // so is the log: a reload would put nats-server's in place of Start's
	s.Debug, s.Trace = false, false // traces hold messages
	usual(&s.MaxPayload, 64<<10)
	// A peer that says nothing is given up soon: until then its queue group's requests go to it too.
	usual(&s.PingInterval, time.Second)
	usual(&s.MaxPingsOut, 2)
	usual(&s.WriteDeadline, 2*time.Second)
	if s.Cluster.Port != 0 {
		usual(&s.Cluster.Name, "fountd")
		usual(&s.Cluster.PingInterval, time.Second)
		usual(&s.Cluster.MaxPingsOut, 2)
	}
	return s, exposed(s)
}

func usual[T comparable](to *T, value T) {
	var zero T
	if *to == zero {
		*to = value
	}
}

// place is an address in nats-server's words, in which -1 is any port.
func place(address string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(digits)
	}
	if err != nil {
		return "", 0, fmt.Errorf("broker: %q is not an address; want HOST:PORT", address)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if host == "" {
		host = server.DEFAULT_HOST
	}
	return host, port, nil
}

// exposed refuses a broker that strangers could use. Requests are sealed, but who may ask is the broker's to say.
func exposed(s *server.Options) error {
	monitor := s.HTTPHost
	if monitor == "" {
		monitor = s.Host
	}
	switch {
	case !config.Loopback(s.Host) && (s.TLSConfig == nil || s.AllowNonTLS || !known(s)):
		return fmt.Errorf("broker: %s is beyond loopback, where anyone could ask: "+
			"give --nats-config with tls and with users or accounts, none of them anonymous, or listen on 127.0.0.1", s.Host)
	case s.Cluster.Port != 0 && !config.Loopback(s.Cluster.Host) && (s.Cluster.TLSConfig == nil || s.Cluster.TLSConfig.ClientCAs == nil):
		return fmt.Errorf("broker: the cluster's %s is beyond loopback, where anyone could join: "+
			"give --nats-config with a tls block in its cluster block, with ca_file", s.Cluster.Host)
	case (s.HTTPPort != 0 || s.HTTPSPort != 0) && !config.Loopback(monitor):
		return fmt.Errorf("broker: its monitoring at %s is beyond loopback, where anyone could see who asks: have http: \"127.0.0.1:8222\" in --nats-config", monitor)
	}
	return nil
}

// known reports whether the broker lets in only whom it knows: by a key, by a password, or by a certificate of an authority that its
// file names. Without ca_file, the system's authorities would do, which certify everybody.
func known(s *server.Options) bool {
	anonymous := func(u *server.User) bool { return u.Password == "" && !s.TLSMap }
	switch {
	case s.NoAuthUser != "" || slices.ContainsFunc(s.Users, anonymous) || s.Username != "" && s.Password == "":
		return false
	case s.TLSConfig.ClientAuth == tls.RequireAndVerifyClientCert && s.TLSConfig.ClientCAs != nil:
		return true
	}
	return !s.TLSMap && (len(s.Users)+len(s.Nkeys)+len(s.TrustedOperators) > 0 || s.Username != "" || s.Authorization != "")
}

// Reload has the broker read its file again. After an error it stays as it was.
func (b *Broker) Reload(o BrokerOptions) error {
	options, err := o.server()
	if err != nil {
		return err
	}
	if err := b.server.ReloadOptions(options); err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	return nil
}

// Address is where it serves clients, ClusterAddress where it serves other brokers: "" if it does not.
func (b *Broker) Address() string { return b.server.Addr().String() }

// ClusterAddress is documented with Address.
func (b *Broker) ClusterAddress() string {
	if a := b.server.ClusterAddr(); a != nil {
		return a.String()
	}
	return ""
}

// Stop ends it. Its clients look for another.
func (b *Broker) Stop() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

// brokerLog has what nats-server logs said in fountd's log, but for the notices, which are many.
type brokerLog struct {
	log   *slog.Logger
	fatal chan error
}

func (l *brokerLog) say(level slog.Level, format string, a []any) {
	l.log.Log(context.Background(), level, "broker: "+strings.TrimSpace(fmt.Sprintf(format, a...)))
}

func (l *brokerLog) Noticef(format string, a ...any) { l.say(slog.LevelDebug, format, a) }
func (l *brokerLog) Warnf(format string, a ...any)   { l.say(slog.LevelWarn, format, a) }
func (l *brokerLog) Errorf(format string, a ...any)  { l.say(slog.LevelError, format, a) }
func (l *brokerLog) Debugf(format string, a ...any)  {}
func (l *brokerLog) Tracef(format string, a ...any)  {}

// Fatalf is called where nats-server would end the process.
func (l *brokerLog) Fatalf(format string, a ...any) {
	select {
	case l.fatal <- errors.New("broker: " + fmt.Sprintf(format, a...)):
	default:
		l.say(slog.LevelError, format, a)
	}
}
