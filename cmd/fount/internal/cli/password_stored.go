// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where a stored hash comes from: an argument, or a line of a file or of standard input.

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fount/password"

	"github.com/spf13/cobra"
)

// storedFlags is what the commands that read one are told.
type storedFlags struct {
	policy password.Policy
	file   string
	user   string
	asJSON bool
}

func (s *storedFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	policyFlag(cmd, &s.policy, usualPolicy)
	flags.StringVar(&s.file, "hash-file", "", "take the hash from the first line of `FILE`")
	must(cmd.MarkFlagFilename("hash-file"))
	flags.StringVar(&s.user, "user", "", "take it from `NAME`'s line, NAME:HASH, as in htpasswd's files")
	jsonFlag(cmd, &s.asJSON)
}

// read returns the hash: the argument, or the line of the file, or of standard input if neither is given and the
// password does not come from there.
func (s *storedFlags) read(cmd *cobra.Command, args []string, fromStdin bool) (string, error) {
	picks := cmd.Flags().Changed("user")
	switch {
	case len(args) > 0 && s.file != "":
		return "", usagef("the hash is given twice; use either the argument or --hash-file")
	case len(args) > 0 && picks:
		return "", usagef("--user picks a line of a file; use --hash-file in place of the argument")
	case picks && (s.user == "" || strings.ContainsAny(s.user, ":\r\n")):
		return "", usagef("--user %q is no name: want one without colon and newline", s.user)
	case len(args) > 0:
		return args[0], nil
	case s.file == "" && !fromStdin:
		return "", usagef("the stored hash is missing; usage: %s", cmd.UseLine())
	}
	in := cmd.InOrStdin()
	if s.file != "" {
		f, err := os.Open(s.file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	if picks {
		return userHash(in, s.user)
	}
	line, err := firstLine(in)
	if err == nil && s.isOfUser(line) {
		return "", usagef("the first line is a user's, NAME:HASH; say whose hash with --user NAME")
	}
	return line, err
}

// isOfUser reports whether the line is no hash, but what follows its first colon is one.
func (s *storedFlags) isOfUser(line string) bool {
	policy := readingAll(s.policy)
	_, rest, ok := strings.Cut(line, ":")
	hash := hashOf(rest)
	return ok && hash != "" && errors.Is(policy.Check(line), password.ErrMalformed) && !errors.Is(policy.Check(hash), password.ErrMalformed)
}

func firstLine(r io.Reader) (string, error) {
	text, err := readSecret(r)
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSuffix(line, "\r"), err
}

// mostLine bounds a line of a file, in bytes. A hash has at most 320.
const mostLine = 64 << 10

// userHash returns the hash of the user's line, and an error unless there is one such line.
func userHash(r io.Reader, user string) (hash string, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostLine)
	found := 0
	n := 0
	for lines.Scan() {
		n++
		name, rest, ok := strings.Cut(lines.Text(), ":") // Scan has removed a carriage return
		if !ok || name != user {
			continue
		}
		if found > 0 {
			return "", fmt.Errorf("lines %d and %d are both of the user %q; want one", found, n, user)
		}
		found, hash = n, hashOf(rest)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return "", fmt.Errorf("line %d has more than %d bytes; want lines of NAME:HASH", n+1, mostLine)
	case err != nil:
		return "", err
	case found == 0:
		return "", fmt.Errorf("no line of the user %q; want NAME:HASH", user)
	case hash == "":
		return "", fmt.Errorf("line %d, of the user %q, has no hash", found, user)
	}
	return hash, nil
}

// hashOf returns the hash of what follows a line's name: all of it, because Werkzeug's has up to three colons; but lines of
// passwd and shadow have seven fields or more, of which the hash is the second.
func hashOf(rest string) string {
	if strings.Count(rest, ":") >= 5 {
		rest, _, _ = strings.Cut(rest, ":")
	}
	return rest
}
