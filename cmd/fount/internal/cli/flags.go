// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Flags and arguments for numbers, times and texts. A flag's usage has its placeholder in
// backquotes.

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

// must panics if err is not nil. Only a mistake in this package can cause such an error.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// plainFlag moves the placeholder from a flag's usage to its type. Otherwise shell completions
// would show the backquotes. It has the shell complete a DIR to directories.
func plainFlag(f *pflag.Flag) {
	if !strings.Contains(f.Usage, "`") {
		return
	}

	placeholder, usage := pflag.UnquoteUsage(f)
	f.Value = typed{f.Value, placeholder}
	f.Usage = usage
	f.DefValue = ""

	if placeholder == "DIR" {
		f.Annotations = map[string][]string{cobra.BashCompSubdirsInDir: {}}
	}
}

// typed is a flag's value with another type name.
type typed struct {
	pflag.Value
	name string
}

func (t typed) Type() string { return t.name }

// jsonFlag defines --json.
func jsonFlag(cmd *cobra.Command, dst *bool) {
	cmd.Flags().BoolVar(dst, "json", false, "print one JSON object, and no progress")
}

// textFlag defines a flag for a text. An empty text, as from an unset variable, is an error: noun
// completes it, after "has an empty".
func textFlag(flags *pflag.FlagSet, dst *string, name, short, usage, noun string) {
	flags.FuncP(name, short, usage, func(s string) error {
		if s == "" {
			return errors.New("has an empty " + noun)
		}
		*dst = s
		return nil
	})
}

// parsedFlag defines a flag whose value parse returns. short may be "". want completes the error,
// after "is not", and gives an example.
func parsedFlag[T any](
	flags *pflag.FlagSet, dst *T, name, short, usage string, parse func(string) (T, bool), want string,
) {
	flags.FuncP(name, short, usage, func(s string) error {
		v, ok := parse(s)
		if !ok {
			return fmt.Errorf("%q is not %s", s, want)
		}
		*dst = v
		return nil
	})
}

// intFlag defines a flag for an integer from min to max.
func intFlag(flags *pflag.FlagSet, dst *int, name, short, usage string, min, max int) {
	parsedFlag(flags, dst, name, short, usage, func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && min <= n && n <= max
	}, fmt.Sprintf("a number from %d to %d", min, max))
}

// timeFlag defines a flag for a duration from min to max.
func timeFlag(flags *pflag.FlagSet, dst *time.Duration, name, short, usage string, min, max time.Duration) {
	parsedFlag(flags, dst, name, short, usage, func(s string) (time.Duration, bool) {
		d, err := time.ParseDuration(s)
		return d, err == nil && min <= d && d <= max
	}, fmt.Sprintf("a time from %v to %v; use for example 5s", min, max))
}

// rateFlag defines --rate, for a rate of at most 1e6. Its value may end with unit, as in 50/s.
func rateFlag(flags *pflag.FlagSet, dst *float64, usage, unit, example string) {
	parsedFlag(flags, dst, "rate", "", usage, func(s string) (float64, bool) {
		rate, err := strconv.ParseFloat(strings.TrimSuffix(s, unit), 64)
		return rate, err == nil && rate > 0 && rate <= 1e6
	}, fmt.Sprintf("a rate above 0%s and up to 1e6%[1]s; use for example %s", unit, example))
}

// defaultSize is the size of a key, in bytes.
const defaultSize = 32

// sizeArgument returns the size that the only argument states, or defaultSize without an argument.
func sizeArgument(cmd *cobra.Command, args []string) (uint64, error) {
	if err := atMost(1)(cmd, args); err != nil || len(args) == 0 {
		return defaultSize, err
	}
	n, err := bytesize.Parse(args[0])
	if err != nil {
		return 0, usagef("size %q: %v", args[0], err)
	}
	return uint64(n), nil
}

// completeFile has the shell complete an argument to a file name.
func completeFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}
