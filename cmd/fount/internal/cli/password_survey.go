// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password survey: what a store is made of, and what it costs to take over.

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"fount/lab/show"
	"fount/lab/survey"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordSurveyLong = `fount password survey: read a store of password hashes and count its forms and costs; say what would be
refused, and in which lines; what a login takes for each; how a wrong password takes as long for a user that does not exist
(Options.Stored and Options.Samples of package password); how many weak hashes fount password wrap takes; and, with --rate, how long it takes until logins have
upgraded the store to --policy.

FILE, or standard input for -, has a hash a line, or lines of htpasswd, shadow or passwd. Blank lines, those that
begin with # and names without a hash are left out. Of a CSV cut the column first, as by cut -d, -f2. No hash, name or
password is ever printed. --measure bounds the time in which hashes of each kind are timed on one core; what is left is
estimated, and all of it with --measure 0s. A database's column comes through a pipe.

Exit status 0: all would be verified. 1: some would be refused, there are none, or the store can't be read. --json: policy, lines, blank,
locked, read, upgrade, weak, refused, kinds (name, form, prehash, count, upgrade, ms, measured, memory_bytes), refusals (reason, count,
lines), login (ms_now, ms_equal_time, ms_first, ms_upgraded, memory_bytes), unknown (ms, stored, samples and refused (name, count, ms), apart), forecast
(logins_per_day, logins_per_user_per_day, shape, users, days (day, upgraded, upgraded_alike, left),
days_to_50_percent, days_to_90_percent, days_to_99_percent, core_s_first_day, core_s_finally), measured. login.memory_bytes is the most that one login holds, for
a stored hash or for the new one.`

func newPasswordSurvey() *cobra.Command {
	var policy password.Policy
	var asJSON bool
	terms := survey.Terms{Budget: 5 * time.Second}
	cmd := &cobra.Command{
		Use:   "survey FILE|- [flags]",
		Short: "count what a store is made of, and what it costs to take over",
		Long:  passwordSurveyLong,
		Example: `  fount password survey --rate 5000/day hashes.txt
  psql -Atc 'select hash from users' | fount password survey -`,
		Args:              secretArgs("store", 1),
		ValidArgsFunction: completeFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("the store is missing; usage: %s", cmd.UseLine())
			}
			return runPasswordSurvey(cmd, args[0], readingAll(policy), terms, asJSON)
		},
	}
	flags := cmd.Flags()
	policyFlag(cmd, &policy, usualPolicy)
	value(flags, &terms.Logins, "rate", "", "`N/day`: logins a day, of all users together", func(s string) (float64, bool) {
		rate, err := strconv.ParseFloat(strings.TrimSuffix(s, "/day"), 64)
		return rate, err == nil && rate >= survey.LeastLogins && rate <= 1e9
	}, fmt.Sprintf("a rate from %d/day to 1e9/day; use for example 5000/day", survey.LeastLogins))
	timeFlag(flags, &terms.Budget, "measure", "", "`TIME` in which kinds of hashes are timed (5s)", time.Hour)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func runPasswordSurvey(cmd *cobra.Command, store string, policy password.Policy, terms survey.Terms, asJSON bool) error {
	if err := policy.Check(""); err != nil {
		return plain(err)
	}
	line := progressOn(cmd, asJSON)
	defer line.Clear()
	s := survey.New(policy)
	if err := readStore(cmd, store, s, line); err != nil {
		return err
	}
	r, err := s.Report(cmd.Context(), terms, line.Show)
	line.Clear()
	if err != nil {
		return plain(err)
	}
	if err := printResult(cmd, asJSON, r, r.Text); err != nil {
		return err
	}
	switch {
	case r.Lines == r.Blank:
		return errors.New("the store is empty")
	case r.Refused > 0:
		return fmt.Errorf("%s of %s would be refused", show.Count(r.Refused), show.Count(r.Lines-r.Blank))
	}
	return nil
}

// readStore reads the file. Its errors leave the name out, in whose place someone may give a hash.
func readStore(cmd *cobra.Command, name string, s *survey.Survey, line *show.Progress) error {
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("FILE can't be opened: %w", nameless(err))
		}
		defer f.Close()
		in = f
	}
	size := sizeOf(in)
	shown := time.Now()
	err := s.ReadLines(in, func(lines, bytes int64) {
		if time.Since(shown) < time.Second/5 {
			return
		}
		shown = time.Now()
		text := show.Count(lines) + " lines"
		if size > 0 {
			text += fmt.Sprintf("  %.0f %%", 100*float64(bytes)/float64(size))
		}
		line.Show(text)
	})
	if err != nil {
		return fmt.Errorf("the store can't be read: %w", nameless(err))
	}
	return nil
}

// nameless is the error without the name of the file.
func nameless(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// sizeOf is how many bytes a regular file has, else 0.
func sizeOf(r io.Reader) int64 {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}
