// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users with the hashes of other systems.

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fount/password"
	"fount/password/legacy"
)

// importFile imports the users of a file, all or none.
func importFile(ctx context.Context, c config, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	users, skipped, err := readUsers(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	db, err := openStore(ctx, c.database)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.add(ctx, users...); err != nil {
		return err
	}
	_, err = fmt.Printf("imported %d users, skipped %d lines of comment\n", len(users), skipped)
	return err
}

// readUsers reads lines of an address, a comma and a hash, which may hold commas too. A line that
// begins with # is skipped unless it begins with an address, which # may begin too.
func readUsers(r io.Reader) (users []user, skipped int, err error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord = -1
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			return users, skipped, nil
		}
		if err != nil {
			return nil, 0, err // names the line
		}
		fields[0] = strings.TrimPrefix(fields[0], "\ufeff") // Excel's byte order mark
		u, err := parseUser(fields)
		switch {
		case err == nil:
			users = append(users, u)
		case u.Email == "" && strings.HasPrefix(fields[0], "#"):
			skipped++
		default:
			line, _ := lines.FieldPos(0)
			return nil, 0, fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// parseUser returns a user without a hash where the other system has none: Django marks such a
// user by "!", shadow files by "!" or "*".
func parseUser(fields []string) (user, error) {
	email, err := parseEmail(fields[0])
	if err != nil {
		return user{}, err
	}
	hash := strings.TrimSpace(strings.Join(fields[1:], ","))
	u := newUser(email, hash)
	switch {
	case len(fields) < 2:
		return u, errors.New("want an address, a comma and a hash")
	case hash == "" || hash[0] == '!' || hash[0] == '*':
		u.hash = ""
		return u, nil
	}
	return u, password.Policy{Formats: legacy.All()}.Check(hash)
}
