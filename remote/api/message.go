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

// A VerifyRequest asks whether Hash was made from Password.
//
//	password     string, or password_b64 with base64 of RFC 4648, section 4: exactly one of them
//	hash         string, required; empty for an unknown user
//	principal    string, at most MaxPrincipal bytes; absent: ""
//	class        "sign_in", "change_password" or "rehash"; absent: "sign_in"
//	deadline_ms  integer, 1 to 3600000: the time left, in milliseconds; absent: none
//	upgrade      boolean; absent: false
type VerifyRequest struct {
	Password  []byte // its owner wipes it
	Hash      string
	Principal string        // where the attempt comes from
	Class     Class         // never empty once decoded
	Deadline  time.Duration // the time left when the request was sent, in whole milliseconds; 0: none
	Upgrade   bool          // answer a match that needs a rehash with the new hash
}

// A HashRequest asks for a new hash. Its members are a VerifyRequest's without hash and upgrade.
type HashRequest struct {
	Password  []byte // its owner wipes it
	Principal string
	Class     Class
	Deadline  time.Duration
}

// A VerifyReply is the answer to a VerifyRequest. Without Match all else is zero.
type VerifyReply struct {
	Match       bool   `json:"match"`
	NeedsRehash bool   `json:"needs_rehash"`   // store a new hash
	Truncated   bool   `json:"truncated"`      // only the first 72 bytes of the password were compared
	Hash        string `json:"hash,omitempty"` // with Upgrade, the hash to store; absent while the server is overloaded
}

// A HashReply is the answer to a HashRequest.
type HashReply struct {
	Hash string `json:"hash"`
}

// A Policy is how the server makes new hashes, and what it reads: servers that stand for each other have the same.
type Policy struct {
	Policy string   `json:"policy"`  // as its setting: "argon2id,m=19456,t=2,p=1"
	KeyIDs []string `json:"key_ids"` // of the peppers; the first makes new hashes
	Legacy bool     `json:"legacy"`  // the forms of other makers are read
}

// DecodeVerifyRequest reads a request. It keeps nothing of body, which the caller wipes. The error, of type InvalidError,
// holds no value of a string.
func DecodeVerifyRequest(body []byte) (VerifyRequest, error) {
	var r VerifyRequest
	common := common{&r.Password, &r.Principal, &r.Class, &r.Deadline}
	err := object(body, true, append(common.members(), member{"hash", text(&r.Hash)}, member{"upgrade", boolean(&r.Upgrade)}), "hash")
	if err = common.complete(err); err != nil {
		return VerifyRequest{}, err
	}
	return r, nil
}

// DecodeHashRequest is DecodeVerifyRequest for a HashRequest.
func DecodeHashRequest(body []byte) (HashRequest, error) {
	var r HashRequest
	common := common{&r.Password, &r.Principal, &r.Class, &r.Deadline}
	err := object(body, true, common.members())
	if err = common.complete(err); err != nil {
		return HashRequest{}, err
	}
	return r, nil
}

// common are the members that all requests have.
type common struct {
	password  *[]byte
	principal *string
	class     *Class
	deadline  *time.Duration
}

func (c common) members() []member {
	return []member{
		{"password", c.secret(unquote)}, {"password_b64", c.secret(unbase64)},
		{"principal", c.setPrincipal}, {"class", c.setClass}, {"deadline_ms", c.setDeadline},
	}
}

// complete checks what no member can check alone, and wipes the password of a request that is refused.
func (c common) complete(err error) error {
	if err == nil && *c.password == nil {
		err = InvalidError{"password", "is missing; want it, or password_b64"}
	}
	if err != nil {
		clear(*c.password)
		return err
	}
	if *c.class == "" {
		*c.class = ClassSignIn
	}
	return nil
}

func (c common) secret(decode func(value) ([]byte, error)) func(value) error {
	return func(v value) error {
		if *c.password != nil {
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
		*c.password = password
		return nil
	}
}

func (c common) setPrincipal(v value) error {
	if err := text(c.principal)(v); err != nil {
		return err
	}
	if n := len(*c.principal); n > MaxPrincipal {
		return fmt.Errorf("has %d bytes; want at most %d", n, MaxPrincipal)
	}
	return nil
}

func (c common) setClass(v value) error {
	word, err := unquote(v)
	if err != nil {
		return err
	}
	switch class := Class(word); class {
	case ClassSignIn, ClassChangePassword, ClassRehash:
		*c.class = class
		return nil
	}
	return fmt.Errorf("is not a class; want %q, %q or %q", ClassSignIn, ClassChangePassword, ClassRehash)
}

func (c common) setDeadline(v value) error {
	ms, err := integer(v, 1, MaxDeadline.Milliseconds())
	*c.deadline = time.Duration(ms) * time.Millisecond
	return err
}

// AppendJSON appends the request to b. The password stands there in base64; where b has room for Size bytes more, there is
// no other copy. Hash and Principal must be UTF-8; bytes that are not become U+FFFD. A Deadline below a millisecond is none.
func (r VerifyRequest) AppendJSON(b []byte) []byte {
	b = appendCommon(append(b, '{'), r.Password, r.Principal, r.Class, r.Deadline)
	b = appendString(append(b, `,"hash":`...), r.Hash)
	if r.Upgrade {
		b = append(b, `,"upgrade":true`...)
	}
	return append(b, '}')
}

// Size is at least what AppendJSON appends, in bytes.
func (r VerifyRequest) Size() int {
	return sizeCommon(r.Password, r.Principal, r.Class) + 6*len(r.Hash) + 32
}

// AppendJSON appends the request to b, as a VerifyRequest's does.
func (r HashRequest) AppendJSON(b []byte) []byte {
	return append(appendCommon(append(b, '{'), r.Password, r.Principal, r.Class, r.Deadline), '}')
}

// Size is at least what AppendJSON appends, in bytes.
func (r HashRequest) Size() int { return sizeCommon(r.Password, r.Principal, r.Class) }

func sizeCommon(password []byte, principal string, class Class) int {
	return base64.StdEncoding.EncodedLen(len(password)) + 6*len(principal) + 6*len(class) + 96
}

func appendCommon(b, password []byte, principal string, class Class, deadline time.Duration) []byte {
	b = append(b, `"password_b64":"`...)
	b = append(base64.StdEncoding.AppendEncode(b, password), '"')
	if principal != "" {
		b = appendString(append(b, `,"principal":`...), principal)
	}
	if class != "" && class != ClassSignIn {
		b = appendString(append(b, `,"class":`...), string(class))
	}
	if deadline >= time.Millisecond {
		b = fmt.Appendf(b, `,"deadline_ms":%d`, deadline.Milliseconds())
	}
	return b
}

func appendString(b []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // strings always have a JSON form
	return append(b, quoted...)
}

// DecodeVerifyReply reads a reply. Members that it does not know are skipped.
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
