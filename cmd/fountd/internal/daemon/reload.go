// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// What the start and each reload read, and how a reload puts it in force.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coreos/go-systemd/v22/daemon"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/internal/policytext"
	"fount/internal/fleet"
	"fount/password"
	"fount/password/legacy"
	"fount/remote/api"
)

// reload reads the settings and their files again. After an error the old ones stay in force.
func (s *service) reload() {
	s.notify(reloading())
	defer s.notify(daemon.SdNotifyReady)
	if err := s.tryReload(); err != nil {
		s.log.Error("not reloaded: the old settings stay in force", "error", err)
	}
}

func (s *service) tryReload() error {
	c, err := config.Load(s.args)
	if err != nil {
		return err
	}
	next, err := s.read(c)
	if err != nil {
		return err
	}

	err = cmp.Or(checkFingerprints(s.files.policy.KeyIDs, next.policy.KeyIDs), s.tls.checkReplace(next.tls))
	if err != nil {
		return err
	}

	newPool, err := s.pool.Change(next.options)
	if err != nil {
		return err
	}
	newTLS := s.tls.replace(next.tls)
	s.worker.setKeys(next.fleet)
	s.worker.setMaxCalls(c.Queue + spareCalls)
	s.server.SetPolicy(next.policy)

	live, restart := s.config.Changed(c)
	if len(restart) > 0 {
		s.log.Warn("settings that only a restart changes", "settings", strings.Join(restart, " "))
	}
	s.config = c
	s.log.Info("reloaded", "settings", cmp.Or(strings.Join(live, " "), "as before"), "new_pool", newPool, "new_certificates", newTLS, "policy", policytext.Of(c.Policy))
	s.use(next)
	return nil
}

// files are the contents of the files that a configuration names, and the options made of both.
type files struct {
	options password.Options
	policy  api.Policy
	fleet   []fleet.Key
	tls     *certificates
}

// read reads the files of c. Formats that are in force already stay the same objects, by which a
// policy is compared; so do keys, whose memory is locked for the life of the process.
func (s *service) read(c *config.Config) (read files, err error) {
	peppers, err := c.ReadPeppers()
	if err != nil {
		return read, err
	}
	defer config.Wipe(peppers)

	policy := c.Policy
	policy.Markers = c.Markers
	if policy.Keys, err = s.keys(peppers); err != nil {
		return read, err
	}
	if policy.Formats, err = s.formats(c); err != nil {
		return read, err
	}
	stored, err := c.ReadStored(policy)
	if err != nil {
		return read, err
	}

	read.options = password.Options{
		Policy:  policy,
		Workers: c.Workers,
		Memory:  c.Memory,
		Queue:   c.Queue,
		MaxWait: c.MaxWait,
		Stored:  stored,
	}
	read.policy = api.Policy{Policy: policytext.Of(c.Policy), KeyIDs: []string{}, Legacy: c.Legacy}
	for _, k := range peppers {
		read.policy.KeyIDs = append(read.policy.KeyIDs, config.Fingerprint(k))
	}

	if read.fleet, err = config.ReadFleetKeys(c.NATSKeys...); err != nil {
		return read, err
	}
	read.tls, err = newCertificates(c)
	return read, err
}

// keys returns the ring of the peppers, or nil if there are none. A reload that failed and is
// repeated finds the ring that it made.
func (s *service) keys(peppers []password.Key) (*password.KeyRing, error) {
	if len(peppers) == 0 {
		return nil, nil
	}
	for _, ring := range s.rings {
		if ring.EqualKeys(peppers...) {
			return ring, nil
		}
	}

	ring, err := password.NewKeyRing(peppers[0], peppers[1:]...)
	if err == nil {
		s.rings = append(s.rings, ring)
	}
	return ring, err
}

// formats returns the formats of c: those of all makers, and of each named one all that it writes.
func (s *service) formats(c *config.Config) (*password.Formats, error) {
	now := s.files.options.Policy.Formats
	isSame := c.Legacy == s.config.Legacy && slices.Equal(c.Forms, s.config.Forms)
	if now != nil && isSame {
		return now, nil
	}

	var list []password.Format
	if c.Legacy {
		list = legacy.List()
	}
	for _, name := range c.Forms {
		form, err := legacy.Form(name)
		if err != nil {
			return nil, err
		}
		list = append(list, form)
	}
	return password.NewFormats(list...)
}

// checkFingerprints returns an error if a pepper gets another secret under its old ID: no password
// would match the hashes with that ID.
func checkFingerprints(now, next []string) error {
	for _, is := range now {
		for _, would := range next {
			sameID := is[:len(is)-8] == would[:len(would)-8] // all but the digits of config.Fingerprint
			if sameID && is != would {
				return fmt.Errorf("pepper %s would be %s: give the new secret a new ID, or restart if no hash has this ID", is, would)
			}
		}
	}
	return nil
}

// use notes that files are in force, and tells which peppers and fleet keys they hold, so that
// servers can be compared.
func (s *service) use(f files) {
	s.files = f
	s.keyInfo.Reset()
	for _, id := range f.policy.KeyIDs {
		s.keyInfo.WithLabelValues("pepper", id).Set(1)
	}
	var keys []string
	for _, k := range f.fleet {
		keys = append(keys, k.ID.String())
		s.keyInfo.WithLabelValues("fleet", k.ID.String()).Set(1)
	}

	s.log.Info("in use", "peppers", strings.Join(f.policy.KeyIDs, " "), "fleet_keys", strings.Join(keys, " "))
	go s.warnIfWeak(f.options.Policy)
}

// warnIfWeak makes one hash, within the pool's memory, and warns if the policy is too cheap,
// perhaps by a mistake in units.
func (s *service) warnIfWeak(p password.Policy) {
	encoded, err := s.pool.Hash(context.Background(), password.Login{Upgrade: true}, []byte("policy"))
	if err != nil {
		return // calls will report it
	}
	if warning := policytext.Weakness(p, encoded); warning != "" {
		s.log.Warn(warning)
	}
}
