// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package api

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Request asks whether Hash was made from Password, or for a new hash of it. Its members are
//
//	password     string, or password_b64 with padded base64: exactly one of them
//	hash         string, required; empty for an unknown user
//	principal    string, at most MaxPrincipal bytes; absent: ""
//	class        "sign_in", "change_password" or "rehash"; absent: "sign_in"
//	deadline_ms  integer, 1 to 3600000: the time left; absent: none
//	upgrade      boolean; absent: false
//
// A request for a new hash has no hash and no upgrade.
type Request struct {
	Password  []byte // its owner wipes it
	Hash      string
	Principal string        // where the attempt comes from
	Class     Class         // never empty once decoded
	Deadline  time.Duration // the time left when it was sent, in whole milliseconds; 0: none
	Upgrade   bool          // answer a match that needs a rehash with the new hash
}

// A VerifyReply is the answer to PathVerify. Without Match all else is zero.
type VerifyReply struct {
	Match       bool   `json:"match"`
	NeedsRehash bool   `json:"needs_rehash"`   // store a new hash
	Truncated   bool   `json:"truncated"`      // only the first 72 bytes of the password were compared
	Hash        string `json:"hash,omitempty"` // with Upgrade: store it; none in an overload
}

// A HashReply is the answer to PathHash.
type HashReply struct {
	Hash string `json:"hash"`
}

// A Policy is how the server makes new hashes, and what it reads: servers that stand for each other have the same.
type Policy struct {
	Policy string   `json:"policy"`  // as its setting: "argon2id,m=19456,t=2,p=1"
	KeyIDs []string `json:"key_ids"` // of the peppers; the first makes new hashes
	Legacy bool     `json:"legacy"`  // the forms of other makers are read
}

// DecodeRequest reads a request to a path. It keeps nothing of body, which the caller wipes. The
// error is an InvalidError.
func DecodeRequest(path string, body []byte) (Request, error) {
	r := Request{Class: ClassSignIn}
	members := []member{
		{"password", r.secret(unquote)}, {"password_b64", r.secret(unbase64)},
		{"principal", r.setPrincipal}, {"class", r.setClass}, {"deadline_ms", r.setDeadline},
	}
	var required []string
	if path == PathVerify {
		members = append(members, member{"hash", text(&r.Hash)}, member{"upgrade", boolean(&r.Upgrade)})
		required = []string{"hash"}
	}
	err := object(body, true, members, required...)
	if err == nil && r.Password == nil {
		err = InvalidError{"password", "is missing; want it, or password_b64"}
	}
	if err != nil {
		clear(r.Password)
		return Request{}, err
	}
	return r, nil
}

func (r *Request) secret(decode func(value) ([]byte, error)) func(value) error {
	return func(v value) error {
		if r.Password != nil {
			return errors.New("is a second password; want one of password and password_b64")
		}
		password, err := decode(v)
		if err != nil {
			return err
		}
		if len(password) > MaxPassword {
			clear(password)
			return fmt.Errorf("has %d bytes; want at most %d", len(password), MaxPassword)
		}
		r.Password = password
		return nil
	}
}

func (r *Request) setPrincipal(v value) error {
	if err := text(&r.Principal)(v); err != nil {
		return err
	}
	if n := len(r.Principal); n > MaxPrincipal {
		return fmt.Errorf("has %d bytes; want at most %d", n, MaxPrincipal)
	}
	return nil
}

func (r *Request) setClass(v value) error {
	word, err := unquote(v)
	if err != nil {
		return err
	}
	switch class := Class(word); class {
	case ClassSignIn, ClassChangePassword, ClassRehash:
		r.Class = class
		return nil
	}
	return fmt.Errorf("is not a class; want %q, %q or %q", ClassSignIn, ClassChangePassword, ClassRehash)
}

func (r *Request) setDeadline(v value) error {
	ms, err := integer(v, 1, MaxDeadline.Milliseconds())
	r.Deadline = time.Duration(ms) * time.Millisecond
	return err
}

// AppendJSON appends the request to b, as it goes to a path. The password stands there in base64, and
// nowhere else where b has room for Size bytes more. Hash and Principal must be UTF-8. A Deadline below
// a millisecond is none.
func (r Request) AppendJSON(b []byte, path string) []byte {
	b = append(b, `{"password_b64":"`...)
	b = append(base64.StdEncoding.AppendEncode(b, r.Password), '"')
	if r.Principal != "" {
		b = appendString(append(b, `,"principal":`...), r.Principal)
	}
	if r.Class != "" && r.Class != ClassSignIn {
		b = appendString(append(b, `,"class":`...), string(r.Class))
	}
	if r.Deadline >= time.Millisecond {
		b = fmt.Appendf(b, `,"deadline_ms":%d`, r.Deadline.Milliseconds())
	}
	if path == PathVerify {
		b = appendString(append(b, `,"hash":`...), r.Hash)
	}
	if r.Upgrade {
		b = append(b, `,"upgrade":true`...)
	}
	return append(b, '}')
}

// Size is at least what AppendJSON appends, in bytes.
func (r Request) Size() int {
	return base64.StdEncoding.EncodedLen(len(r.Password)) + 6*(len(r.Principal)+len(r.Class)+len(r.Hash)) + 128
}

func appendString(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // strings always have a JSON form
	return append(b, quoted...)
}

// DecodeVerifyReply reads a reply, and skips members that it does not know.
func DecodeVerifyReply(body []byte) (VerifyReply, error) {
	var r VerifyReply
	err := object(body, false, []member{
		{"match", boolean(&r.Match)}, {"needs_rehash", boolean(&r.NeedsRehash)},
		{"truncated", boolean(&r.Truncated)}, {"hash", text(&r.Hash)},
	}, "match")
	if err == nil && !r.Match && r != (VerifyReply{}) {
		err = InvalidError{"match", "is false beside what only a match has"}
	}
	if err != nil {
		return VerifyReply{}, err
	}
	return r, nil
}

// DecodeHashReply reads a reply. Its hash is not empty.
func DecodeHashReply(body []byte) (HashReply, error) {
	var r HashReply
	err := object(body, false, []member{{"hash", text(&r.Hash)}}, "hash")
	if err == nil && r.Hash == "" {
		err = InvalidError{"hash", "is empty"}
	}
	return r, err
}

// DecodePolicy reads a reply.
func DecodePolicy(body []byte) (p Policy, err error) {
	if err := json.Unmarshal(body, &p); err != nil || p.Policy == "" {
		return Policy{}, InvalidError{"", "is no policy"}
	}
	return p, nil
}
