// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users with the hashes of other systems.

import (
	"bufio"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"fount/examples/login/internal/store"
	"fount/password"
)

// readUsers reads lines of an address, a comma and a hash, which may have commas too.
func readUsers(r io.Reader) (users []store.User, err error) {
	text := bufio.NewReader(r)
	if mark, _ := text.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // as Excel begins a file
		text.Discard(len(byteOrderMark))
	}
	lines := csv.NewReader(text)
	lines.FieldsPerRecord = -1
	lines.Comment = '#'
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return users, nil
		}
		if err != nil {
			return nil, err // it names the line
		}
		u, err := userOf(fields)
		if err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		users = append(users, u)
	}
}

const byteOrderMark = "\ufeff"

func userOf(fields []string) (store.User, error) {
	if len(fields) < 2 {
		return store.User{}, errors.New("want an address, a comma and a hash")
	}
	email, err := store.ParseEmail(fields[0])
	if err != nil {
		return store.User{}, err
	}
	hash := readable(strings.TrimSpace(strings.Join(fields[1:], ",")))
	info, err := password.Inspect(hash)
	if err == nil && info.OverLimits {
		err = password.ErrCost
	}
	return store.User{Email: email, Hash: hash}, err
}

// readable returns a hash of Django in the form that package password reads: the sum is the same, written otherwise. All others it
// leaves as they are. https://docs.djangoproject.com/en/5.2/topics/auth/passwords/ has the forms.
func readable(hash string) string {
	algorithm, rest, _ := strings.Cut(hash, "$")
	switch algorithm {
	case "bcrypt", "argon2": // bcrypt$$2b$12$..., argon2$argon2id$v=19$...
		if algorithm == "argon2" {
			return "$" + rest
		}
		return rest
	case "pbkdf2_sha256": // pbkdf2_sha256$1000000$salt$sum
		part := strings.Split(rest, "$")
		if len(part) != 3 {
			return hash
		}
		sum, err := base64.StdEncoding.DecodeString(part[2])
		if err != nil {
			return hash
		}
		return "$pbkdf2-sha256$" + part[0] + "$" + adapted([]byte(part[1])) + "$" + adapted(sum)
	}
	return hash
}

// adapted is passlib's base64: a dot for the plus, and no padding.
func adapted(b []byte) string {
	return strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(b), "+", ".")
}

// policiesOf returns how stored hashes were made, but for one policy, each once, the most frequent first.
func policiesOf(hashes func(func(hash string) error) error, but password.Policy) ([]password.Policy, error) {
	count := map[password.Policy]int{}
	err := hashes(func(hash string) error {
		info, err := password.Inspect(hash)
		if err != nil {
			return nil // a sign-in will say so
		}
		p := password.Policy{Algorithm: info.Algorithm, Cost: info.Cost, Memory: info.Memory, Iterations: info.Iterations,
			BlockSize: info.BlockSize, Parallelism: info.Parallelism}
		count[p]++
		return nil
	})
	delete(count, but)
	return sorted(count), err
}
