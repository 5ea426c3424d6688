// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Users with the hashes of other systems.

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/legacy"
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
	hash := strings.TrimSpace(strings.Join(fields[1:], ","))
	info, err := password.Policy{Formats: legacy.All()}.Inspect(hash)
	if err == nil && info.OverLimits {
		err = password.ErrCost
	}
	return store.User{Email: email, Hash: hash}, err
}

// waysOf returns how stored hashes were made, but for one policy: policies, each once and the most frequent first, and a
// stored hash of each form and cost that only its maker has.
func waysOf(hashes func(func(hash string) error) error, but password.Policy) ([]password.Policy, []string, error) {
	type way struct {
		form string
		cost int
	}
	count, samples := map[password.Policy]int{}, map[way]string{}
	err := hashes(func(hash string) error {
		info, err := password.Policy{Formats: legacy.All()}.Inspect(hash)
		if err != nil {
			return nil // a sign-in will say so
		}
		if info.Algorithm == password.Foreign {
			samples[way{info.Form, info.Cost}] = hash
			return nil
		}
		p := password.Policy{Algorithm: info.Algorithm, Cost: info.Cost, Memory: info.Memory, Iterations: info.Iterations,
			BlockSize: info.BlockSize, Parallelism: info.Parallelism}
		count[p]++
		return nil
	})
	delete(count, but)
	return sorted(count), slices.Sorted(maps.Values(samples)), err
}
