// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// The PHC string format, $name[$v=version]$name=value,...$salt$sum, and similar forms.
// https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var (
	errParts     = errors.New("a part is missing, or there are more")
	errParameter = errors.New("a parameter is missing, repeated, out of order, unknown or out of range")
	errKeyID     = errors.New("want a key ID of 1 to 8 printable ASCII characters")
	errLength    = errors.New("PBKDF2: l is not the length of the sum")
)

// A layout is one form: a prefix, and then numbers in a fixed order, so that each hash has exactly
// one text. The exception is PBKDF2's l, which is read and not written.
type layout struct {
	prefix string
	hash   Hash     // what the prefix tells
	names  []string // the text before each number
	enc    *base64.Encoding
}

// layouts has all of them. No string fits two, and the error for one that fits none describes the
// first with its prefix. One more form is a row here, and a Form in format.go; package password reads
// a bcrypt's in its bcrypt.go.
var layouts = func() (all []layout) {
	for version, text := range []string{V19: "v=19$", V16: "v=16$", V16X: ""} { // V19 is what errors describe
		for i, name := range []string{"$argon2id$", "$argon2i$", "$argon2d$"} {
			h := Hash{Algorithm: Argon2id + Algorithm(i), Form: PHC, Version: Version(version)}
			node := h
			node.Form = PHCNode
			all = append(all,
				layout{name + text, h, []string{"m=", "t=", "p="}, B64},
				layout{name + text, node, []string{"m=", "p=", "t="}, B64})
		}
	}

	for i, name := range []string{"$pbkdf2-sha256$", "$pbkdf2-sha512$"} {
		algorithm := PBKDF2SHA256 + Algorithm(i)
		all = append(all,
			layout{name, Hash{Algorithm: algorithm, Form: PHC}, []string{"i="}, B64},
			layout{name, Hash{Algorithm: algorithm, Form: Modular}, []string{""}, AB64})
	}

	passlib := Hash{Algorithm: Bcrypt, Form: PasslibSHA256, Minor: 'b'}
	return append(all,
		layout{"$scrypt$", Hash{Algorithm: Scrypt, Form: PHC}, []string{"ln=", "r=", "p="}, B64},
		layout{"$fount-bcrypt$v=1$", Hash{Algorithm: Bcrypt, Form: HMACSHA384}, []string{"r="}, B64},
		layout{"$bcrypt-sha256$v=2,t=2b,", passlib, []string{"r="}, bcrypt64})
}()

// parsePHC parses s by the layout that it fits. If s has the prefix of some and fits none, the error
// describes the first of them.
func parsePHC(s string) (Hash, error) {
	var first error
	for _, l := range layouts {
		rest, ok := strings.CutPrefix(s, l.prefix)
		if !ok {
			continue
		}

		h, err := l.parse(rest)
		isOther := err == errParameter || err == errParts
		if !isOther {
			return h, err
		}
		if first == nil {
			first = err
		}
	}

	if first == nil {
		return Hash{}, foreignError(s)
	}
	return Hash{}, fmt.Errorf("%w: want %s", first, shape(s))
}

// phcText returns h as its layout writes it, or nothing if no layout has its form.
func (h *Hash) phcText() string {
	for _, l := range layouts {
		of := &l.hash
		if of.Algorithm == h.Algorithm && of.Form == h.Form && of.Version == h.Version {
			return l.write(h)
		}
	}
	return ""
}

// number returns the field for the number after name.
func (h *Hash) number(name string) *uint32 {
	switch name {
	case "m=":
		return &h.Memory
	case "p=":
		return &h.Parallelism
	case "t=", "i=", "": // "" is of passlib's PBKDF2
		return &h.Iterations
	case "ln=":
		return &h.Cost
	case "r=":
		if h.Algorithm == Scrypt {
			return &h.BlockSize
		}
		return &h.Cost
	}
	panic("unknown name of a number")
}

// parameters is a list that next reads from the front.
type parameters []string

// next returns the next parameter, if name stands before it.
func (p *parameters) next(name string) (value string, ok bool) {
	if len(*p) == 0 {
		return "", false
	}
	if value, ok = strings.CutPrefix((*p)[0], name); ok {
		*p = (*p)[1:]
	}
	return value, ok
}

// parse parses what follows the prefix. The error is errParts or errParameter if s has another
// layout.
func (l *layout) parse(s string) (Hash, error) {
	numbers, sums, _ := strings.Cut(s, "$")
	salt, sum, ok := strings.Cut(sums, "$")
	if !ok || strings.Contains(sum, "$") {
		return Hash{}, errParts
	}

	h := l.hash
	p := parameters(strings.SplitN(numbers, ",", 6)) // no layout has so many
	for _, name := range l.names {
		value, _ := p.next(name)
		if *h.number(name), ok = Number(value); !ok {
			return Hash{}, errParameter
		}
	}

	var length string
	var hasLength bool
	if h.pbkdf2() && h.Form == PHC {
		length, hasLength = p.next("l=")
	}
	if err := h.readKeyID(&p); err != nil {
		return Hash{}, err
	}
	if len(p) > 0 {
		return Hash{}, errParameter
	}
	if err := h.Numbers(); err != nil {
		return Hash{}, err
	}

	var err error
	if h.Salt, err = Decode(l.enc, salt); err != nil {
		return Hash{}, err
	}
	if h.Sum, err = Decode(l.enc, sum); err != nil {
		return Hash{}, err
	}
	if hasLength && length != strconv.Itoa(len(h.Sum)) {
		return Hash{}, errLength
	}
	return h, h.sizes()
}

// readKeyID reads the key ID. HMACSHA384 must have one, and Modular and PasslibSHA256 have none.
func (h *Hash) readKeyID(p *parameters) error {
	if h.Form == Modular || h.Form == PasslibSHA256 {
		return nil
	}

	text, ok := p.next("keyid=")
	if !ok {
		if h.Form == HMACSHA384 {
			return errKeyID
		}
		return nil
	}

	id, err := Decode(B64, text)
	if err == nil && !ValidKeyID(string(id)) {
		err = errKeyID
	}
	h.KeyID = string(id)
	return err
}

// ValidKeyID reports whether id can name a key: 1 to 8 characters from '!' to '~'.
func ValidKeyID(id string) bool {
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= MaxKeyID
}

// shape describes the first layout of s's name for an error, which must not contain more of s.
func shape(s string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(s, "$"), "$")
	i := slices.IndexFunc(layouts, func(l layout) bool { return strings.HasPrefix(l.prefix, "$"+name+"$") })
	head := strings.ReplaceAll(strings.Trim(layouts[i].prefix, "$"), "$", ", ")
	return head + ", " + strings.Join(layouts[i].names, "N,") + "N, salt and sum, each behind a $"
}

func (l *layout) write(h *Hash) string {
	b := append(make([]byte, 0, 128), l.prefix...)
	for i, name := range l.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(append(b, name...), uint64(*h.number(name)), 10)
	}

	if h.KeyID != "" {
		b = B64.AppendEncode(append(b, ",keyid="...), []byte(h.KeyID))
	}

	b = l.enc.AppendEncode(append(b, '$'), h.Salt)
	return string(l.enc.AppendEncode(append(b, '$'), h.Sum))
}
