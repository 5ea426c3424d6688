// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users with the hashes of other systems.

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strings"

	"fount/password"
	"fount/password/legacy"
)

// importFile imports the users of a file, all or none.
func importFile(ctx context.Context, c config, name string) error {
	file, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	users, skipped, err := readUsers(string(file))
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
// begins with # is skipped unless it begins with an address, which # may begin too. Each line is
// read alone, so that a quotation mark in a comment does not make the lines after it part of it.
func readUsers(file string) (users []user, skipped int, err error) {
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(file, "\ufeff")) { // Excel's byte order mark
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		u, err := parseUser(line)
		switch {
		case err == nil:
			users = append(users, u)
		case u.Email == "" && strings.HasPrefix(strings.TrimPrefix(line, `"`), "#"):
			skipped++
		default:
			return nil, 0, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return users, skipped, nil
}

var errLine = errors.New("want an address, a comma and a hash")

// parseUser returns a user without a hash where the other system has none: Django marks such a
// user by "!", shadow files by "!" or "*".
func parseUser(line string) (user, error) {
	fields, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil {
		return user{}, errLine
	}
	email, err := parseEmail(fields[0])
	if err != nil {
		return user{}, err
	}
	hash := strings.TrimSpace(strings.Join(fields[1:], ","))
	u := newUser(email, hash)
	switch {
	case len(fields) < 2:
		return u, errLine
	case hash == "" || hash[0] == '!' || hash[0] == '*':
		u.hash = ""
		return u, nil
	}
	return u, password.Policy{Formats: legacy.All()}.Check(hash)
}
