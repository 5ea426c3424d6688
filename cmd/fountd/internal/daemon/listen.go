// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// Where fountd listens.

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/coreos/go-systemd/v22/activation"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/internal/unixsocket"
	"fount/internal/loopback"
)

// socketMode lets the service's group connect.
const socketMode = 0o660

// A listener is one that fountd serves.
type listener struct {
	net.Listener
	tls   *tls.Config // if nil, plaintext
	admin bool        // serves only the admin endpoints
}

// String returns the address for the log.
func (l listener) String() string {
	scheme := l.Addr().Network()
	switch {
	case l.tls != nil:
		scheme = "tls"
	case l.admin:
		scheme = "admin"
	}
	return scheme + ":" + l.Addr().String()
}

// listen opens all listeners: the service manager's or the socket, and those of --admin and
// --listen.
func (s *service) listen() error {
	inherited, err := activation.Listeners()
	if err != nil {
		return err
	}
	for i, l := range inherited {
		if l == nil {
			return fmt.Errorf("the service manager's descriptor %d is no socket that listens: want ListenStream=", i+3)
		}
		if err := s.add(l); err != nil {
			return err
		}
	}

	path := s.config.Socket
	isReplaced := len(inherited) > 0 && path == config.Socket
	if path != "" && !isReplaced {
		l, err := listenUnix(path)
		if err != nil {
			return err
		}
		s.listeners = append(s.listeners, listener{Listener: l})
	}

	if s.config.Admin != "" {
		l, err := net.Listen("tcp", s.config.Admin)
		if err != nil {
			return err
		}
		s.listeners = append(s.listeners, listener{Listener: l, admin: true})
	}

	for _, address := range s.config.Listen {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return err
		}
		if err := s.add(l); err != nil {
			return err
		}
	}

	if len(s.listeners) == 0 && s.config.NATS == "" {
		return errors.New("nowhere to serve: give --socket PATH, --listen ADDRESS or --nats URL")
	}
	return nil
}

// listenUnix listens on a socket, in a directory that it makes if need be.
func listenUnix(path string) (net.Listener, error) {
	const mode = 0o755 // whatever the umask: the socket's mode decides who may connect
	dir := filepath.Dir(path)
	err := os.Mkdir(dir, mode)
	if err == nil {
		err = os.Chmod(dir, mode)
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: give --socket PATH, in a directory that exists", err)
	}

	l, err := unixsocket.Listen(path, socketMode)
	if err != nil {
		return nil, fmt.Errorf("%w: give --socket PATH, or --socket= for none", err)
	}
	return l, nil
}

// add adds a listener for clients. One that is reachable from other machines needs TLS.
func (s *service) add(l net.Listener) error {
	added := listener{Listener: l}
	isUnix := l.Addr().Network() == "unix"
	if !isUnix {
		added.tls = s.tls.server()
	}
	s.listeners = append(s.listeners, added)

	host, _, err := net.SplitHostPort(l.Addr().String())
	isLoopback := err == nil && loopback.Is(host)
	if isUnix || isLoopback {
		return nil
	}
	if err := s.tls.expose(); err != nil {
		return fmt.Errorf("%s: %w", l.Addr(), err)
	}
	return nil
}

// Accept sets the remote address of a Unix socket's client to its user. A client could choose the
// address that it has otherwise.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	u, ok := c.(*net.UnixConn)
	if !ok {
		return c, err
	}

	user := net.UnixAddr{Net: "unix"}
	if _, uid, known := unixsocket.Peer(u); known {
		user.Name = fmt.Sprint("user ", uid)
	}
	return local{u, user}, nil
}

type local struct {
	*net.UnixConn
	user net.UnixAddr
}

func (c local) RemoteAddr() net.Addr { return &c.user }
