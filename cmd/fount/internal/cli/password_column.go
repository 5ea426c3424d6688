// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The column of a database that fount password survey reads in place of a file.

package cli

import (
	"context"
	"fmt"
	"time"

	"fount/lab/show"
	"fount/lab/survey"

	"github.com/spf13/cobra"
)

// A column is what --database and --query name.
type column struct{ database, query string }

// check refuses all but a file or a column. Its errors leave the arguments out, which may be secrets.
func (c column) check(cmd *cobra.Command, args []string) error {
	given := c != column{}
	switch {
	case len(args) == 0 && !given:
		return usagef("the store is missing; usage: %s", cmd.UseLine())
	case len(args) > 0 && given:
		return usagef("a file and a database are two stores; survey one after the other")
	case given && c.query == "":
		return usagef("--database needs --query; use for example --query 'SELECT password FROM users'")
	case given && c.database == "":
		return usagef("--query needs --database; use for example --database sqlite:users.db")
	case given && Database == nil:
		return usagef("this program has no drivers of databases; use fountdb (go run ./cmd/fount/fountdb), or a pipe and -")
	}
	return nil
}

// read reads it until an interrupt, which cancels the query.
func (c column) read(ctx context.Context, s *survey.Survey, line *show.Progress) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	shown := time.Now()
	var n int64
	err := Database(ctx, c.database, c.query, func(hash string, stored bool) {
		n++
		if stored {
			s.Add(n, hash)
		} else {
			s.AddNone()
		}
		if n%4096 == 0 && time.Since(shown) >= time.Second/5 {
			shown = time.Now()
			line.Show(show.Count(n) + " rows")
		}
	})
	switch {
	case ctx.Err() != nil:
		return &exitError{statusInterrupted, "interrupted; the query is cancelled"}
	case err != nil:
		return fmt.Errorf("the database can't be read: %w", err)
	}
	return nil
}
