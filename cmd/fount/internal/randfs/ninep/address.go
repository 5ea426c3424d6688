// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Addresses, as Plan 9 writes them: unix!PATH and tcp!HOST!PORT, to listen on and to dial.

import (
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"fount/cmd/internal/unixsocket"
)

// parse returns what package net takes for "unix!/run/fount.sock" or "tcp!127.0.0.1!5640". Only
// loopback, because 9P shows every byte to the network.
func parse(s string) (network, address string, err error) {
	network, rest, _ := strings.Cut(s, "!")
	switch {
	case network == "unix" && rest != "":
		return network, rest, nil
	case network == "tcp" && rest != "":
		at, err := parseTCP(rest)
		return network, at.String(), err
	}
	return "", "", fmt.Errorf("address %q: want 'unix!/run/fount.sock' or 'tcp!127.0.0.1!5640'", s)
}

func parseTCP(s string) (at netip.AddrPort, err error) {
	host, port, _ := strings.Cut(s, "!")

	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return at, fmt.Errorf("address tcp!%s: want a port from 0 to 65535, as in 'tcp!127.0.0.1!5640'", s)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}

	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return at, fmt.Errorf("address tcp!%s is not loopback, and 9P neither encrypts nor authenticates: "+
			"serve 'tcp!127.0.0.1!%d', and on the other machine run: ssh -N -L %d:127.0.0.1:%d HOST",
			s, number, number, number)
	}
	return netip.AddrPortFrom(ip, uint16(number)), nil
}

// Listen listens on "unix!/run/fount.sock", with that mode, or on "tcp!127.0.0.1!5640". Who may
// write to the socket may connect. It takes only loopback addresses, because 9P neither encrypts nor
// authenticates; the error for another address says what to do. It replaces a socket on which nobody
// answers, as a killed server leaves it; one that is answered, and a file of another kind, are
// errors. Close removes the socket.
func Listen(addr string, mode fs.FileMode) (net.Listener, error) {
	network, address, err := parse(addr)
	if err != nil {
		return nil, err
	}
	if network == "tcp" {
		return net.Listen(network, address)
	}
	return unixsocket.Listen(address, mode)
}

// dialTimeout is more than a loopback connection ever takes, unless the server's backlog is full.
const dialTimeout = 10 * time.Second

// Dial connects to an address that Listen takes.
func Dial(addr string) (net.Conn, error) {
	network, address, err := parse(addr)
	if err != nil {
		return nil, err
	}
	return net.DialTimeout(network, address, dialTimeout)
}
