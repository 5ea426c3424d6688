// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// The fleet.

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"

	"fount/internal/erase"
	"fount/internal/fleet"
)

// Embedded in place of a URL is the broker in this process.
const Embedded = "embedded"

var subject = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// checkNATS finds what no setting of the fleet can find alone.
func (c *Config) checkNATS() error {
	if err := c.lonely(); err != nil || c.NATS == "" {
		return err
	}
	if len(c.NATSKeys) == 0 {
		return errors.New("nats: a worker needs the fleet's key: make one with fountd key new FILE, and give --nats-key FILE")
	}
	if !subject.MatchString(c.NATSSubject) {
		return fmt.Errorf("nats-subject: %q is no subject; want words of letters, digits, - and _ with points between, as fount.v1", c.NATSSubject)
	}
	if c.NATSNKey != "" && c.NATSCreds != "" {
		return errors.New("nats-nkey and nats-creds are two ways to say the same: want one of them")
	}
	if c.NATS != Embedded {
		for address := range strings.SplitSeq(c.NATS, ",") {
			if err := checkURL(address); err != nil {
				return fmt.Errorf("nats: %w, or %s", err, Embedded)
			}
		}
		return nil
	}
	if len(c.NATSRoutes) > 0 && c.NATSCluster == "" {
		return errors.New("nats-route is of use with nats-cluster only: the brokers call each other")
	}
	for _, route := range c.NATSRoutes {
		if err := checkURL(route); err != nil {
			return fmt.Errorf("nats-route: %w", err)
		}
	}
	for name, address := range map[string]string{"nats-listen": c.NATSListen, "nats-cluster": c.NATSCluster} {
		if err := c.checkBroker(address); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// lonely finds settings that are of no use because of another one.
func (c *Config) lonely() error {
	for _, s := range c.settings {
		embedded := s.name == "nats-listen" || s.name == "nats-cluster" || s.name == "nats-route" || s.name == "nats-config"
		switch {
		case !strings.HasPrefix(s.name, "nats-") || !c.Given(s.name) || s.value.literal() == "[]" || s.value.literal() == `""`:
		case s.name == "nats-subject" && c.NATSSubject == usual().NATSSubject || s.name == "nats-listen" && c.NATSListen == usualBroker:
			// as fountd config shows them
		case c.NATS == "":
			return fmt.Errorf("%s is of use with nats only", s.name)
		case embedded && c.NATS != Embedded:
			return fmt.Errorf("%s is of use with nats = %q only: another broker has its own settings", s.name, Embedded)
		case s.name == "nats-ca" && c.NATS == Embedded:
			return fmt.Errorf("nats-ca is of no use with nats = %q: no network lies between", Embedded)
		}
	}
	return nil
}

// checkURL refuses what is no URL of a broker, and one with a password, which command lines and logs would show.
func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" {
		s = s[strings.LastIndexByte(s, '@')+1:] // what stands before may be a password
		return fmt.Errorf("%q is no broker; want nats://HOST:PORT or tls://HOST:PORT", s)
	}
	if u.User != nil {
		return fmt.Errorf("the URL of %s holds a user; give --nats-nkey or --nats-creds, which nobody can see", u.Host)
	}
	return nil
}

// checkBroker refuses an address beyond loopback without the file in which the broker finds TLS and its users. What the file
// says is the broker's to judge.
func (c *Config) checkBroker(address string) error {
	host, port, err := net.SplitHostPort(address)
	if address != "" && (err != nil || port == "") {
		return fmt.Errorf("%q is not an address; want HOST:PORT, as %s", address, usualBroker)
	}
	if address == "" || c.NATSConfig != "" || Loopback(host) {
		return nil
	}
	return fmt.Errorf("%q is beyond loopback, where anyone could ask: give --nats-config with TLS and users, or listen on 127.0.0.1:%s", address, port)
}

// ReadFleetKeys reads the fleet's keys, those of the first file first.
func (c *Config) ReadFleetKeys(getenv func(string) string) ([]fleet.Key, error) {
	var keys []fleet.Key
	for _, place := range c.NATSKeys {
		some, err := readFleetKeys(place, getenv)
		if err != nil {
			return nil, fmt.Errorf("nats-key: %w", err)
		}
		keys = append(keys, some...)
	}
	return keys, nil
}

func readFleetKeys(place string, getenv func(string) string) ([]fleet.Key, error) {
	path, f, err := openSecret(place, getenv)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, maxFleetKeys)
	defer erase.Wipe(text)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	keys, err := fleet.ParseKeys(text[:n])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return keys, nil
}

const maxFleetKeys = 8 << 10 // bytes, more than ParseKeys takes

// WorkerNKey is the path of the seed that the broker knows this worker by, "" without. Others than its owner can't read it.
func (c *Config) WorkerNKey(getenv func(string) string) (string, error) {
	return secretPath(c.NATSNKey, getenv)
}

// WorkerCreds is the same for credentials.
func (c *Config) WorkerCreds(getenv func(string) string) (string, error) {
	return secretPath(c.NATSCreds, getenv)
}
