// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/base64"
	"strings"
	"testing"
)

func written(t *testing.T, keys ...Key) string {
	t.Helper()
	text, err := AppendKeys(nil, keys)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Keys that were written are read, and open what is sealed to the public key of their line.
func TestKeysThereAndBack(t *testing.T) {
	first, second := newTestKey(t), newTestKey(t)
	keys, err := ParseKeys([]byte("\n# a comment\n" + written(t, first, second) + "\n"))
	if err != nil || len(keys) != 2 || keys[0].ID != first.ID || keys[1].ID != second.ID {
		t.Fatalf("%v, %v", keys, err)
	}
	line := first.Public().String()
	public, err := ParsePublicKey(line + "\n")
	if err != nil || len(line) != 1662 {
		t.Fatalf("%v; %d characters", err, len(line))
	}
	b, _, err := public.Seal(Verify, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, refusal := Open(held(keys...), b); refusal != 0 {
		t.Error(refusal)
	}
}

// What is not a key as it was written is refused, and no error holds a part of a secret.
func TestParseKeysStrictly(t *testing.T) {
	text := written(t, newTestKey(t), newTestKey(t))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	first, public := lines[1], newTestKey(t).Public().String()
	words := strings.Split(first, " ")
	seed, err := base64.StdEncoding.DecodeString(words[2])
	if err != nil {
		t.Fatal(err)
	}
	var many []Key
	for range MaxKeys + 1 {
		many = append(many, newTestKey(t))
	}
	if keys, err := ParseKeys([]byte(written(t, many[1:]...))); err != nil || len(keys) != MaxKeys {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	secret := func(text string) error { _, err := ParseKeys([]byte(text)); return err }
	open := func(text string) error { _, err := ParsePublicKey(text); return err }
	for _, c := range []struct {
		parse     func(string) error
		bad, want string
	}{
		{secret, "", "no key in the file"},
		{secret, "# none\n", "no key in the file"},
		{secret, public, "not a key"},
		{secret, first + "\n" + first, "for the second time"},
		{secret, strings.Replace(first, words[1], strings.Split(lines[2], " ")[1], 1), "the secret's ID is"},
		{secret, strings.Replace(first, words[1], words[1]+"A", 1), "the secret's ID is"},
		{secret, strings.Replace(first, " ", "  ", 1), "not a key"},
		{secret, first + " ", "not a key"},
		{secret, first + "\r\n", "a damaged secret"},
		{secret, strings.TrimRight(first, "="), "a damaged secret"},
		{secret, words[0] + " " + words[1] + " " + base64.StdEncoding.EncodeToString(seed[1:]), "a damaged secret"},
		{secret, strings.Replace(first, "secret-1", "secret-2", 1), "not a key"},
		{secret, strings.Repeat("#", maxKeyFile+1), "more than 4096 bytes"},
		{secret, written(t, many...), "more than 16 keys"},
		{open, "", "not a public key"},
		{open, first, "this is the secret key's file"},
		{open, text, "this is the secret key's file"},
		{open, public + " x", "not a public key"},
		{open, public[:len(public)-4], "a damaged public key"},
		{open, strings.Replace(public, " ", " 0", 1), "its ID is"},
		{open, public[:100] + "\n" + public[100:], "a damaged public key"},
	} {
		err := c.parse(c.bad)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), words[2][:8]) {
			t.Errorf("%.60q: %v; want %q", c.bad, err, c.want)
		}
	}
}
