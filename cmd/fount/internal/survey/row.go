// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"fmt"
	"strings"

	"fount/password"
	"fount/password/legacy"
)

// A Row is what stored hashes have in common that were made alike: one proven by its password says
// how the others were made.
type Row struct {
	Form string // a name of Forms
	text string // how the form writes it, or what is hashed instead of the password
}

// String returns the form and what the hashes look like.
func (r Row) String() string {
	switch {
	case r.Shared():
		return r.Form + " (only named, as others write it over a digest of the password)"
	case r.text == "":
		return r.Form
	}
	return fmt.Sprintf("%s (%s)", r.Form, r.text)
}

// Shared reports whether other programs write the row with other sums, so that one password proves
// nothing of a store that several of them filled. WoltLab, Meteor, Matomo and BCrypt.Net's Enhanced
// write bcrypt (hashcat 25600, 25800, 28400, 30600, 33800). The rows of package legacy that others
// write are read only where they are named.
func (r Row) Shared() bool { return r == Row{Form: password.Bcrypt.String()} }

// RowOf returns the row of a hash that p reads.
func RowOf(p password.Policy, encoded string) Row {
	i, err := p.Inspect(encoded)
	if err != nil || i.Form == "" {
		return Row{Form: i.Name, text: i.PreHash}
	}

	row := Row{Form: i.Form}
	for _, padding := range []string{"", "\r\n", " \x00\r\n"} { // as package password
		encoded = strings.TrimRight(encoded, padding)
		row.text = legacy.Row(i.Form, encoded)
		if row.text != "" {
			break
		}
	}
	return row
}

// native are the algorithms of package password whose weak hashes are wrapped.
var native = []string{password.Bcrypt.String(), password.PBKDF2SHA256.String(), password.PBKDF2SHA512.String()}

// Forms has the names of all forms.
var Forms = append(legacy.Names(), native...)

// Formats returns the formats of all makers, and before them each named one with all that its maker
// writes. It passes over the names of algorithms.
func Formats(names ...string) (*password.Formats, error) {
	if len(names) == 0 {
		return legacy.All(), nil
	}

	var list []password.Format
	for _, name := range names {
		if form, err := legacy.Form(name); err == nil {
			list = append(list, form)
		}
	}

	return password.NewFormats(append(list, legacy.List()...)...)
}

// IsWeak reports whether fount password wrap takes a hash that p reads, once it is proven. It wraps
// at the least costs of argon2id, and checks the result with the costs of p, or of Default if p is
// no argon2id.
func IsWeak(p password.Policy, encoded string) (bool, error) {
	if p.Algorithm != password.Argon2id {
		d := password.Default()
		p.Algorithm = d.Algorithm
		p.Memory = d.Memory
		p.Iterations = d.Iterations
		p.Parallelism = d.Parallelism
	}
	p.Parallelism = max(1, p.Parallelism)

	least := p
	least.Memory = 8
	least.Iterations = 1
	least.Parallelism = 1

	text, err := password.Wrap(least, encoded)
	if err != nil || text == encoded {
		return false, err
	}

	costs := func(p password.Policy) string {
		return fmt.Sprintf("$m=%d,t=%d,p=%d$", p.Memory, p.Iterations, p.Parallelism)
	}
	err = p.Check(strings.Replace(text, costs(least), costs(p), 1))
	return err == nil, err
}

// A verdictKey has all of a hash that its verdict depends on.
type verdictKey struct {
	kind *Kind
	size int
	row  Row
}

// A verdict is what Wrap says of a hash.
type verdict struct {
	weak bool
	err  error
}

// verdictOf returns the verdict on a hash of a kind. It asks Wrap once for all hashes of a key, as
// that takes ten times as long as all else; of the kind of all others, for each.
func (s *Survey) verdictOf(k *Kind, encoded string) verdict {
	key := verdictKey{kind: k, size: len(encoded), row: RowOf(s.policy, encoded)}
	v, known := s.verdicts[key]
	if !known || k.others {
		v.weak, v.err = IsWeak(s.policy, encoded)
		s.verdicts[key] = v
	}
	return v
}
