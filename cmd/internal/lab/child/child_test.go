// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain is the other side.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "child" {
		os.Exit(m.Run())
	}
	switch os.Args[2] {
	case "multiplies":
		by, _ := strconv.Atoi(os.Getenv("FOUNT_CHILD_BY"))
		in, out := Pipes()
		for n := 0; in.Decode(&n) == nil; {
			out.Encode(by * n)
		}
	case "fails":
		fmt.Fprintln(os.Stderr, "fount child: no device")
		os.Exit(1)
	case "sleeps":
		time.Sleep(time.Hour)
	}
}

// A process has the environment that it is given, and answers until it is dismissed.
func TestConversation(t *testing.T) {
	c, err := Start(t.Context(), "multiplies", "FOUNT_CHILD_BY=2")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		got := 0
		if err := errors.Join(c.Send(n), c.Receive(&got)); err != nil || got != 2*n {
			t.Errorf("%d: %d, %v", n, got, err)
		}
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
}

// What a process says when it fails is the error, once.
func TestFails(t *testing.T) {
	_, err := Run[int](t.Context(), "fails", 1)
	if err == nil || strings.Count(err.Error(), "no device") != 1 || strings.Contains(err.Error(), io.EOF.Error()) {
		t.Errorf("got %v", err)
	}
}

// An interrupt ends a process that does not listen.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	start := time.Now()
	if _, err := Run[int](ctx, "sleeps", 1); !errors.Is(err, context.Canceled) || time.Since(start) > patience {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
