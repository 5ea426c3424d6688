// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"fmt"
	"slices"
	"strings"
)

// document draws docs/results/formats.md.
func document(makers []string, all [][]*row) string {
	var b strings.Builder
	var sum row
	forms, read := 0, 0
	for _, rows := range all {
		for _, r := range rows {
			if r.ours || r.vectors == 0 {
				continue
			}
			forms++
			sum.vectors += r.vectors
			if r.accepted > 0 {
				read++
				sum.accepted += r.accepted
				sum.asked += r.asked
				sum.alike += r.alike
				sum.wrong += r.wrong
			}
		}
	}
	fmt.Fprintf(&b, `# Hashes of other makers

What [password](../../password/README.md) with the forms of [password/legacy](../../password/legacy/) says of hashes that others
made, and what they say of fount's. Drawn by `+"`go test -run TestFormats ./password/legacy -update`"+` from
[testdata/formats](../../testdata/formats/README.md), which has the makers' programs; a test compares the two, and CI has the
makers hash and judge anew.

**%d makers, %d of their forms, %d hashes.** %d forms are read. Of their hashes %d are accepted for their own password, %d of %d
verdicts are the maker's, and **%d acceptances are wrong**.

A form is the maker's name for it, at a low cost. "default": at the maker's own cost. "tests": from the maker's own test suite.
The passwords are ASCII, not ASCII, 8-bit, empty, of 72, 73 and 200 bytes, and with a NUL. A verdict is on the password, or on
one with a byte more, a NUL more, a byte less, a bit altered, or none at all (of "default" and "tests" the first two).

The verdicts that differ are all refusals here, of two kinds:

- **empty**: no stored hash matches an empty password here. Its makers match it.
- **NUL**: what is written in C (crypt, htpasswd, PHP's crypt and bcrypt) ends a password at its first NUL; here all bytes count, so a
  user whose password had a NUL before such a maker can't sign in until it is reset. Such a maker also takes fount's bcrypt for the
  password with a NUL behind it.

Of bcrypt all take the first 72 bytes, save Python's bcrypt 5 (so Django with it) and Spring Security, which refuse to hash more;
`+"`$2x$`"+` has its bug with 8-bit passwords here as in libxcrypt and PHP. The order of npm's argon2, m, p, t, is read.
`, len(makers), forms, sum.vectors, read, sum.accepted, sum.alike, sum.asked, sum.wrong)
	for i, rows := range all {
		fmt.Fprintf(&b, "\n## %s\n", makers[i])
		rowsOf(&b, rows, false)
		rowsOf(&b, rows, true)
		refusals(&b, rows)
	}
	return b.String()
}

// rowsOf draws the maker's hashes, or those of ours.
func rowsOf(b *strings.Builder, rows []*row, ours bool) {
	head := "\n| its form | hashes | accepted | verdicts alike | wrong acceptances | |\n"
	if ours {
		head = "\n| fount's form, judged by the maker | hashes | accepted | verdicts alike | wrong acceptances | |\n"
	}
	for _, r := range rows {
		if r.ours != ours || r.vectors == 0 {
			continue
		}
		if head != "" {
			b.WriteString(head + "|---|---|---|---|---|---|\n")
			head = ""
		}
		verdicts := "none"
		if r.accepted > 0 {
			verdicts = fmt.Sprintf("%d of %d", r.alike, r.asked)
		}
		fmt.Fprintf(b, "| %s | %d | %d | %s | %d | %s |\n", strings.TrimPrefix(r.form, "fount "), r.vectors, r.accepted, verdicts, r.wrong, r.note())
	}
}

func (r *row) note() string {
	var notes []string
	for _, e := range r.errors {
		notes = append(notes, strings.ReplaceAll(e, "|", `\|`))
	}
	if len(r.differs) > 0 && r.accepted > 0 {
		notes = append(notes, "differs: "+strings.Join(r.differs, ", "))
	}
	if len(r.silent) > 0 {
		notes = append(notes, "no verdict of the maker: "+strings.Join(r.silent, ", "))
	}
	return strings.Join(notes, "; ")
}

// refusals draws what the maker does not hash.
func refusals(b *strings.Builder, rows []*row) {
	forms := map[string][]string{}
	var order []string
	for _, r := range rows {
		for _, why := range r.refused {
			if forms[why] == nil {
				order = append(order, why)
			}
			forms[why] = append(forms[why], r.form)
		}
	}
	if len(order) == 0 {
		return
	}
	b.WriteString("\nIt does not hash:\n\n")
	slices.Sort(order)
	for _, why := range order {
		fmt.Fprintf(b, "- %s (%s)\n", why, strings.Join(forms[why], ", "))
	}
}
