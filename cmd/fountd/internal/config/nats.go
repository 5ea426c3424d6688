// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// The fleet.

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"fount/internal/erase"
	"fount/internal/fleet"
)

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
	for address := range strings.SplitSeq(c.NATS, ",") {
		if err := checkURL(address); err != nil {
			return fmt.Errorf("nats: %w", err)
		}
	}
	return nil
}

// lonely finds settings that are of no use because of another one.
func (c *Config) lonely() error {
	for _, s := range c.settings {
		switch {
		case !strings.HasPrefix(s.name, "nats-") || !c.Given(s.name) || s.value.literal() == "[]" || s.value.literal() == `""`:
		case s.name == "nats-subject" && c.NATSSubject == usual().NATSSubject:
			// as fountd config shows it
		case c.NATS == "":
			return fmt.Errorf("%s is of use with nats only", s.name)
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
