// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of suggestions and exit statuses.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestOutcome(t *testing.T) {
	for _, test := range []struct {
		err     error
		started bool
		status  int
		message string
	}{
		{nil, true, 0, ""},
		{errors.New("broken"), true, 1, "broken"},
		{errors.New("broken"), false, 2, "broken"},
		{usagef("wrong"), true, 2, "wrong"},
		{fmt.Errorf("more: %w", &exitError{7, ""}), true, 7, ""},
	} {
		status, message := outcome(test.err, test.started)
		if status != test.status || message != test.message {
			t.Errorf("outcome(%v, %v) = %d, %q, want %d, %q",
				test.err, test.started, status, message, test.status, test.message)
		}
	}
}

// Main takes its arguments from its caller, even if there are none.
func TestMainWithoutArguments(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := Main(nil, nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("status %d, stderr %q, want 0 and none", status, stderr.String())
	}
	if !strings.HasPrefix(stdout.String(), "fount: ") {
		t.Fatalf("stdout %q, want the help", stdout.String())
	}
}
