// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// How makers write bytes as text. Each byte slice has exactly one text.

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"fount/password/internal/format"
)

// A coding is an encoding of bytes as text.
type coding struct {
	name   string
	encode func([]byte) string // the inverse of decode
	decode func(string) ([]byte, error)
	zero   byte // replaces a sum's bytes in password.Computed.Blank
	greedy bool // the text may contain the text that follows
	loose  bool // the length of the text does not follow from the number of bytes
}

// plain is the coding of text that stands for itself.
var plain = textCoding("plain", func(string) bool { return true })

// std64 is strict base64 with padding.
var std64 = base64.StdEncoding.Strict()

var lowerHex = hexCoding("hex", hex.EncodeToString, strings.ToLower)

var codings = map[string]coding{
	"base64": base64Of("base64", std64),
	"raw64":  base64Of("raw64", format.B64),
	"ab64":   base64Of("ab64", format.AB64), // passlib's
	"url64":  base64Of("url64", base64.URLEncoding.Strict()),

	"hex":   lowerHex,
	"HEX":   hexCoding("HEX", upperHex, strings.ToUpper),
	"hexes": hexCoding("hexes", hex.EncodeToString, strings.Clone), // either case
	"hex64": { // base64 of hexadecimal
		name:   "hex64",
		encode: func(b []byte) string { return std64.EncodeToString(hex.AppendEncode(nil, b)) },
		decode: func(s string) ([]byte, error) {
			text, err := decodeBase64(std64, s)
			if err != nil {
				return nil, err
			}
			return lowerHex.decode(string(text))
		},
	},

	"some": textCoding("some", func(s string) bool { return s != "" }),
	"any": {
		name:   "any",
		encode: plain.encode,
		decode: plain.decode,
		loose:  true,
		greedy: true,
	},
	"crypt64": { // crypt(3)'s, as text
		name:   "crypt64",
		encode: plain.encode,
		decode: textCoding("", format.InCrypt64).decode,
		zero:   '.',
	},
}

func base64Of(name string, enc *base64.Encoding) coding {
	return coding{name: name, encode: enc.EncodeToString, decode: func(s string) ([]byte, error) { return decodeBase64(enc, s) }}
}

func decodeBase64(enc *base64.Encoding, s string) ([]byte, error) {
	b, err := format.Decode(enc, s)
	if err != nil {
		return nil, errText
	}
	return b, nil
}

func upperHex(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }

// hexCoding returns a hexadecimal coding of text that is as cased returns it.
func hexCoding(name string, encode func([]byte) string, cased func(string) string) coding {
	return coding{name: name, encode: encode, decode: func(s string) ([]byte, error) {
		b, err := hex.DecodeString(s)
		if err != nil || cased(s) != s {
			return nil, errText
		}
		return b, nil
	}}
}

// textCoding returns a coding of valid text that stands for itself, without a line's end.
func textCoding(name string, valid func(string) bool) coding {
	encode := func(b []byte) string { return string(b) }
	return coding{name: name, encode: encode, loose: true, decode: func(s string) ([]byte, error) {
		if !valid(s) || strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") {
			return nil, errSalt
		}
		return []byte(s), nil
	}}
}

// width returns the number of characters that the parts take, or 0 if it varies.
func (c coding) width(parts []part) int {
	total := 0
	for _, part := range parts {
		if part.size == 0 {
			return 0
		}
		total += part.size
	}

	if c.loose {
		return 0
	}
	return len(c.encode(make([]byte, total)))
}

// zeroed returns the text of the field with zeros instead of the sum.
func (f *field) zeroed(text string, sum []byte) string {
	b, err := f.coding.decode(text)
	if err != nil {
		return ""
	}

	at := 0
	if f.parts[0].name != "sum" {
		at = len(b) - len(sum)
	}
	copy(b[at:], bytes.Repeat([]byte{f.coding.zero}, len(sum)))
	return f.coding.encode(b)
}
