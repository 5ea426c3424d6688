// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package wire is what the tests in machines and their guests tell each other: lines of JSON on the
// serial console, among what the kernel prints there. It is not for other use.
package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

const mark = "fount: "

// Send writes a message.
func Send(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintf(w, "\n%s%s\n", mark, b)
	}
	return err
}

// Receive reads the next message and skips all other lines.
func Receive(r *bufio.Reader, v any) error {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if _, text, found := strings.Cut(line, mark); found {
			return json.Unmarshal([]byte(text), v)
		}
	}
}
