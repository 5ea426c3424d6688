// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password survey: what a store is made of, and what it costs to take over.

package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/lab/survey"
	"fount/internal/hashfile"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordSurveyLong = `fount password survey: read a store of password hashes and count its algorithms,
forms and costs; say which have no salt, what would be refused and in which
lines, what a login takes, how many weak hashes fount password wrap takes and
which it refuses, how many a hash of --policy would make cheaper to guess, and,
with --rate, how long it takes until logins have upgraded the store.

FILE, or standard input for -, has a hash a line, or lines of htpasswd, shadow
or passwd: a name, a colon, a hash, perhaps other fields. --csv reads a column
of a CSV, with commas, semicolons or tabs: the one of that name in the first
row, or a number for a file without such a row. Comments, after #, and NULL are
left out. Inspect, verify and wrap read the same files. No hash, name or
password is ever printed. The most frequent kinds are timed, for 5 s together.

Exit status 0: all are readable. 1: some would be refused, there are none, or
the store can't be read.`

// surveyTime is for how long kinds of hashes are timed.
const surveyTime = 5 * time.Second

// surveyFlags are the flags of fount password survey.
type surveyFlags struct {
	policy password.Policy
	column string // of a CSV; "": lines
	rate   float64
	json   bool
}

func newPasswordSurvey() *cobra.Command {
	var f surveyFlags
	cmd := &cobra.Command{
		Use:   "survey FILE|- [flags]",
		Short: "count what a store is made of, and what it costs to take over",
		Long:  passwordSurveyLong,
		Example: `  fount password survey --rate 5000/day hashes.txt
  fount password survey --csv password users.csv
  psql -Atc 'select hash from users' | fount password survey -`,
		Args:              oneStore,
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	policyFlag(cmd, &f.policy, usualPolicy)
	csvFlag(cmd, &f.column)
	value(flags, &f.rate, "rate", "", "`N/day`: logins a day, of all users together", func(s string) (float64, bool) {
		rate, err := strconv.ParseFloat(strings.TrimSuffix(s, "/day"), 64)
		return rate, err == nil && rate >= 1 && rate <= 1e9
	}, "a rate from 1/day to 1e9/day; use for example 5000/day")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *surveyFlags) run(cmd *cobra.Command, name string) error {
	policy := readingAll(f.policy)
	if err := checkPolicy(policy); err != nil {
		return err
	}
	line := progressOn(cmd, f.json)
	defer line.Clear()
	s := survey.New(policy)
	store, err := openStore(cmd, name)
	if err != nil {
		return err
	}
	defer store.close()
	const often = 4096
	for l, err := range hashfile.NewReader(store, policy, f.column).All() {
		if err != nil {
			return store.explain(err)
		}
		s.Add(l)
		if l.Number%often == 0 {
			line.Show(show.Count(l.Number) + " lines")
		}
	}
	r, err := s.Report(cmd.Context(), surveyTime, f.rate, line.Show)
	line.Clear()
	if err != nil {
		return plain(err)
	}
	if err := printResult(cmd, f.json, r, r.Text); err != nil {
		return err
	}
	switch {
	case r.Lines == r.Blank:
		return fmt.Errorf("%s: it holds no hash", store.called)
	case r.Refused > 0:
		return fmt.Errorf("%s: %s of %s would be refused", store.called, show.Count(r.Refused), show.Count(r.Lines-r.Blank))
	}
	return nil
}
