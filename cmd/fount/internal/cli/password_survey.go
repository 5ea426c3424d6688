// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password survey: which hashes a store has, and what taking it over costs.

package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/internal/hashfile"

	"github.com/spf13/cobra"
)

const passwordSurveyLong = `fount password survey counts the hashes of a store by algorithm, form and cost. It says
which have no salt, which would be refused and in which lines, what a login costs, which weak hashes fount password
wrap takes or refuses, and which hashes --policy would make cheaper to guess. With --rate it also says how long it
takes until logins have upgraded the store.

FILE, or standard input for -, has one hash on each line, or lines of htpasswd, shadow or passwd: a name, a colon, a
hash, perhaps other fields. --csv reads a CSV file with commas, semicolons or tabs. COLUMN is a name in its first row,
or a number if the first row has no names. NULL, and comments after #, are skipped. Inspect, verify and wrap read the
same files.

No hash, name or password is ever printed. The most frequent kinds of hashes are timed, for 5 s in all. Exit status 1
if a hash would be refused, if there are no hashes, or if the store can't be read.`

// surveyTime is how long the hashes of all kinds together are timed.
const surveyTime = 5 * time.Second

// surveyFlags are the flags of fount password survey.
type surveyFlags struct {
	storeFlags
	rate float64
	json bool
}

func newPasswordSurvey() *cobra.Command {
	var f surveyFlags
	cmd := &cobra.Command{
		Use:   "survey FILE|- [flags]",
		Short: "count the hashes of a store, and what taking it over costs",
		Long:  passwordSurveyLong,
		Example: `  fount password survey --rate 5000/day hashes.txt
  fount password survey --csv password users.csv
  psql -Atc 'select hash from users' | fount password survey -`,
		Args:              oneStore,
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}

	f.addTo(cmd, readAsForm)
	parsedFlag(cmd.Flags(), &f.rate, "rate", "", "expect `N/day` logins a day, of all users together", func(s string) (float64, bool) {
		rate, err := strconv.ParseFloat(strings.TrimSuffix(s, "/day"), 64)
		return rate, err == nil && rate >= 1 && rate <= 1e9
	}, "a rate from 1/day to 1e9/day; use for example 5000/day")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *surveyFlags) run(cmd *cobra.Command, name string) error {
	policy := withForms(f.policy, f.forms...)
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

	if err := printResult(cmd.OutOrStdout(), f.json, r, r.Text); err != nil {
		return err
	}

	switch {
	case r.Lines == r.Blank:
		return fmt.Errorf("%s: no line has a hash; want hashes, NAME:HASH or a CSV", store.called)
	case r.Refused > 0:
		return fmt.Errorf("%s: %s of %s lines would be refused", store.called, show.Count(r.Refused), show.Count(r.Lines-r.Blank))
	}
	return nil
}
