// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"crypto/hmac"
	"crypto/sha256"
	"os"

	"fount"
	"fount/cmd/fountd/internal/config"
	"fount/password"
)

// keys is the ring in force. A ring lasts as long as the process, in locked memory: a reload makes another only if the
// secrets are others.
type keys struct {
	current *password.KeyRing
	sum     []byte // of what it was made of, under a key of this process
	key     []byte
}

// ring is the ring of a configuration; nil without peppers.
func (k *keys) ring(c *config.Config) (*password.KeyRing, error) {
	if len(c.Peppers) == 0 {
		return nil, nil
	}
	peppers, err := c.ReadPeppers(os.Getenv)
	if err != nil {
		return nil, err
	}
	defer config.Wipe(peppers)
	if k.key == nil {
		k.key = make([]byte, 32)
		fount.Read(k.key)
	}
	h := hmac.New(sha256.New, k.key)
	for _, p := range peppers {
		h.Write([]byte{byte(len(p.ID)), byte(len(p.Secret))}) // a ring takes no longer ones
		h.Write([]byte(p.ID))
		h.Write(p.Secret)
	}
	sum := h.Sum(nil)
	if k.current != nil && hmac.Equal(sum, k.sum) {
		return k.current, nil
	}
	ring, err := password.NewKeyRing(peppers[0], peppers[1:]...)
	if err != nil {
		return nil, err
	}
	k.current, k.sum = ring, sum
	return ring, nil
}
