// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount uuid: UUIDs, one a line.

package cli

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"fount"
)

func newUUID() *cobra.Command {
	var v7 bool
	count := uint64(1)
	cmd := &cobra.Command{
		Use:   "uuid [-7] [-n N]",
		Short: "UUIDs, random (v4) or ordered by time (-7), one a line",
		Long: `fount uuid writes UUIDs (RFC 9562), one a line: version 4, 122 random bits; with -7 version 7,
which starts with the time in milliseconds and increases from line to line.`,
		Example: `  fount uuid               one, version 4
  fount uuid -7            one, version 7: as a database key it keeps inserts together
  fount uuid -n 1000       a thousand`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			newID := fount.NewUUID
			if v7 {
				newID = fount.NewUUIDv7
			}
			return writeUUIDs(cmd.OutOrStdout(), newID, count)
		},
	}
	cmd.Flags().BoolVarP(&v7, "v7", "7", false, "version 7, ordered by time")
	cmd.Flags().FuncP("count", "n", "write `N` UUIDs (default 1)", func(s string) (err error) {
		if count, err = strconv.ParseUint(s, 10, 64); err != nil {
			return fmt.Errorf("%q is not a number of UUIDs from 0 to %d; use for example 1000", s, uint64(math.MaxUint64))
		}
		return nil
	})
	return cmd
}

// writeUUIDs writes count lines through one buffer, so that a line costs no system call.
func writeUUIDs(dst io.Writer, newID func() fount.UUID, count uint64) error {
	w := bufio.NewWriterSize(dst, 64<<10)
	for ; count > 0; count-- {
		line, err := newID().AppendText(w.AvailableBuffer())
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return w.Flush()
}
