// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users with the hashes of other systems.

import (
	"bufio"
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
func importFile(ctx context.Context, c config, name string, stdout io.Writer) error {
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
	defer db.close()
	if err := db.add(ctx, users...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "imported %d users, skipped %d lines of comment\n", len(users), skipped)
	return err
}

// readUsers reads lines of an address, a comma and a hash, which may have commas too. A line that
// begins with # is a comment if there is no address before its comma: # may begin an address.
func readUsers(r io.Reader) (users []user, skipped int, err error) {
	text := bufio.NewReader(r)
	if mark, _, _ := text.ReadRune(); mark != byteOrderMark { // as Excel begins a file
		text.UnreadRune()
	}
	lines := csv.NewReader(text)
	lines.FieldsPerRecord = -1
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return users, skipped, nil
		}
		if err != nil {
			return nil, 0, err // it names the line
		}
		u, err := userOf(fields)
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

const byteOrderMark = '\ufeff'

func userOf(fields []string) (user, error) {
	email, err := parseEmail(fields[0])
	if err != nil {
		return user{}, err
	}
	hash := strings.TrimSpace(strings.Join(fields[1:], ","))
	switch {
	case len(fields) < 2:
		return user{}, errors.New("want an address, a comma and a hash")
	case hash == "" || strings.ContainsAny(hash[:1], "!*"): // Django's unusable password, shadow's locked one
		return user{Email: email}, nil
	}
	return user{Email: email, hash: hash}, password.Policy{Formats: legacy.All()}.Check(hash)
}
