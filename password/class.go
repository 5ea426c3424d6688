// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"slices"
)

// A Class says which hashes go first: ClassChangePassword before ClassSignIn, and ClassSignIn
// before ClassRehash. After two ClassChangePassword of one principal in five seconds, its
// others queue with the sign-ins, so that no client can keep others from signing in.
type Class int

// The classes.
const (
	ClassSignIn         Class = iota // a password to verify
	ClassChangePassword              // a new password, or the old one before it: its user has signed in
	ClassRehash                      // a new hash of a password that has just matched: can be made next time
)

// rank is the scheduler's class: 0 goes first.
var rank = [...]int{ClassChangePassword: 0, ClassSignIn: 1, ClassRehash: 2}

var classNames = [...]string{ClassSignIn: "sign_in", ClassChangePassword: "change_password", ClassRehash: "rehash"}

// known reports whether c is one of the classes.
func (c Class) known() bool { return c >= 0 && int(c) < len(classNames) }

func (c Class) check() error {
	if c.known() {
		return nil
	}
	return fmt.Errorf("password: class %d; want ClassSignIn, ClassChangePassword or ClassRehash", int(c))
}

// String returns the class as one lower-case word, the same in metrics, profiles and messages: "sign_in".
func (c Class) String() string {
	if !c.known() {
		return "unknown class"
	}
	return classNames[c]
}

// MarshalText returns the word. It fails for a number that is none of the classes.
func (c Class) MarshalText() ([]byte, error) {
	return []byte(c.String()), c.check()
}

// UnmarshalText reads it.
func (c *Class) UnmarshalText(word []byte) error {
	i := slices.Index(classNames[:], string(word))
	if i < 0 {
		return fmt.Errorf("password: class %q; want one of %q", word, classNames)
	}
	*c = Class(i)
	return nil
}
