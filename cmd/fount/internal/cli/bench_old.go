// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the commands of fount bench share that are no studies yet.

package cli

import (
	"io"

	"fount/lab/show"
)

// A bench is one run of a benchmark.
type bench struct {
	benchFlags
	out   io.Writer
	style show.Style
}

// print writes a part of the report for people.
func (b *bench) print(text string) error {
	if b.json || b.file == "-" {
		return nil
	}
	_, err := io.WriteString(b.out, text)
	return err
}
