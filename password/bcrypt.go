// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"sync"

	"fount/internal/blowfish"
	"fount/password/internal/format"
)

const (
	bcryptMax    = 72 // bytes of a password that bcrypt looks at
	bcryptSumLen = 23 // bytes: all implementations drop the last of 24
)

var bcryptAlgorithm = algorithm{
	name:    "bcrypt",
	costs:   []cost{{"cost", costField}},
	units:   func(h *format.Hash) float64 { return power(h.Cost) },
	memory:  noMemory,
	seconds: 0.054 / (1 << 10),
	usual:   0.054 / (1 << 10),
	family:  Bcrypt,
	expense: func(h *format.Hash) (int64, float64) { return 0, power(h.Cost) },
	like:    Bcrypt,
	sumLen:  bcryptSumLen,
	form: func(key bool) (format.Form, byte) {
		if key {
			return format.HMACSHA384, 0
		}
		return format.Modular, 'b' // a and y are the same today
	},
	raises: []raise{{costField, 31, 1}},
	batch:  true,
	kind:   func(s stored) own { return &bcryptHash{s} },
}

// A bcryptHash is a hash by Provos and Mazières, "A Future-Adaptable Password Scheme", 1999.
type bcryptHash struct{ stored }

// keyed returns the password as Blowfish takes it: the first 72 bytes and a NUL. What its makers do
// with a longer password, and with a NUL, differs:
//
//   - All take the first 72 bytes, or used to, when the stored hashes were made (OpenBSD's $2a$
//     before 5.5 took 255 and more as their remainder by 256).
//   - Only x/crypto and Python's hash a NUL like any byte; they write $2a$ and $2b$. The others
//     end the password there, or refuse it, and only they write $2y$: with a NUL it matches
//     nothing, after the same work.
func (b *bcryptHash) keyed(password []byte) (k keyed) {
	switch {
	case b.of.Form == format.PasslibSHA256:
		return keyed{key: append(preHash(sha256.New, []byte(b.of.BcryptSalt()), password), 0)}
	case b.secret != nil:
		return keyed{key: append(preHash(sha512.New384, b.secret, password), 0)}
	}
	k.never = b.of.Minor == 'y' && bytes.IndexByte(password, 0) >= 0
	k.truncated = len(password) > bcryptMax
	if k.truncated {
		password = password[:bcryptMax]
	}
	k.key = append(append(make([]byte, 0, bcryptMax+1), password...), 0)
	return k
}

// engines are for bcrypts. They are empty between two of them.
var engines = sync.Pool{New: func() any { return new(blowfish.Engine) }}

// laneOf returns the lane of a bcrypt.
func laneOf(w *work) blowfish.Lane {
	return blowfish.Lane{Key: w.key, Salt: [16]byte(w.kind.(own).hash().Salt), Gone: w.gone}
}

// runLanes computes several of the cost of one side by side.
func runLanes(w *work, lanes []*blowfish.Lane) {
	e := engines.Get().(*blowfish.Engine)
	defer engines.Put(e)
	e.Run(int(w.kind.(own).hash().Cost), lanes)
}

func (b *bcryptHash) sum(w *work) []byte {
	lane := laneOf(w)
	runLanes(w, []*blowfish.Lane{&lane})
	if !lane.Done {
		return nil
	}
	return lane.Sum[:]
}

func (b *bcryptHash) takes(password []byte) error {
	switch {
	case b.of.KeyID != "":
		return nil
	case len(password) > bcryptMax:
		return tooLong(password, bcryptMax, " for bcrypt without Keys")
	case bytes.IndexByte(password, 0) >= 0:
		return ErrNUL
	}
	return nil
}

func (b *bcryptHash) inspect(i *Info) {
	if b.of.Minor != 0 {
		i.Variant = "2" + string(rune(b.of.Minor))
	}
	switch {
	case b.of.Form == format.PasslibSHA256:
		i.PreHash = "HMAC-SHA-256"
	case b.of.KeyID != "":
		i.PreHash = "HMAC-SHA-384"
	}
	i.Truncates = i.PreHash == ""
}
