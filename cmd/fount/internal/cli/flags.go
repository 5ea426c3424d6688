// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Flags of numbers, times and texts. A usage has the placeholder between backquotes.

package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fount/cmd/internal/bytesize"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// must panics at an error that only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// plainFlag moves the placeholder from a flag's usage, of which completions would show the
// backquotes, to its type.
func plainFlag(f *pflag.Flag) {
	if strings.Contains(f.Usage, "`") {
		placeholder, usage := pflag.UnquoteUsage(f)
		f.Value, f.Usage, f.DefValue = typed{f.Value, placeholder}, usage, ""
	}
}

// typed is a flag's value of another type.
type typed struct {
	pflag.Value
	name string
}

func (t typed) Type() string { return t.name }

// jsonFlag defines --json.
func jsonFlag(cmd *cobra.Command, dst *bool) {
	cmd.Flags().BoolVar(dst, "json", false, "print one JSON object, and no progress")
}

// filled defines a flag for a text that may not be empty, as that of an unset variable is. empty
// completes the error, after "has an empty".
func filled(flags *pflag.FlagSet, dst *string, name, short, usage, empty string) {
	flags.FuncP(name, short, usage, func(s string) error {
		if s == "" {
			return errors.New("has an empty " + empty)
		}
		*dst = s
		return nil
	})
}

// value defines a flag that parse reads; short may be "". what completes the error, after "is not",
// and has an example.
func value[T any](flags *pflag.FlagSet, dst *T, name, short, usage string, parse func(string) (T, bool), what string) {
	flags.FuncP(name, short, usage, func(s string) error {
		v, ok := parse(s)
		if !ok {
			return fmt.Errorf("%q is not %s", s, what)
		}
		*dst = v
		return nil
	})
}

// number defines a flag for a number from least to most.
func number(flags *pflag.FlagSet, dst *int, name, short, usage string, least, most int) {
	value(flags, dst, name, short, usage, func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && least <= n && n <= most
	}, fmt.Sprintf("a number from %d to %d", least, most))
}

// timeFlag defines a flag for a time from least to most.
func timeFlag(flags *pflag.FlagSet, dst *time.Duration, name, short, usage string, least, most time.Duration) {
	value(flags, dst, name, short, usage, func(s string) (time.Duration, bool) {
		d, err := time.ParseDuration(s)
		return d, err == nil && least <= d && d <= most
	}, fmt.Sprintf("a time from %v to %v; use for example 5s", least, most))
}

// rateFlag defines a flag for a rate up to 1e6, which may end with unit, as in 50/s.
func rateFlag(flags *pflag.FlagSet, dst *float64, usage, unit, example string) {
	value(flags, dst, "rate", "", usage, func(s string) (float64, bool) {
		rate, err := strconv.ParseFloat(strings.TrimSuffix(s, unit), 64)
		return rate, err == nil && rate > 0 && rate <= 1e6
	}, fmt.Sprintf("a rate above 0%s and up to 1e6%[1]s; use for example %s", unit, example))
}

// sizeArgument reads the only argument of a command, a size, or returns the usual one.
func sizeArgument(cmd *cobra.Command, args []string, usual uint64) (uint64, error) {
	if err := atMost(1)(cmd, args); err != nil || len(args) == 0 {
		return usual, err
	}
	n, err := bytesize.Parse(args[0])
	if err != nil {
		return 0, usagef("size %q: %v", args[0], err)
	}
	return uint64(n), nil
}
