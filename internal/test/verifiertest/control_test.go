// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package verifiertest

// Broken Verifiers, each of which Run must catch. A test can't see another fail, so each runs in a process of its own.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"fount/internal/test/require"
	"fount/password"
)

// A broken Verifier is a pool, but for one fault.
type broken struct {
	*password.Pool
	fault string
	last  sync.Map // verdicts by password
}

func (b *broken) Verify(ctx context.Context, login password.Login, secret []byte, encoded string) (password.Result, error) {
	switch b.fault {
	case "deadline":
		ctx = context.Background()
	case "cancel":
		ctx = context.WithoutCancel(ctx)
	case "principals":
		if len(login.Principal) > 256 {
			return password.Result{}, errors.New("the principal is too long")
		}
	}
	result, err := b.Pool.Verify(ctx, login, secret, encoded)
	switch b.fault {
	case "round trips":
		if errors.Is(err, password.ErrMismatch) {
			err = nil
		}
	case "results":
		result.Truncated = false
	case "errors":
		if err != nil && !errors.Is(err, password.ErrMismatch) {
			err = fmt.Errorf("%s: %w", secret, err)
		}
	case "many at once":
		if first, there := b.last.LoadOrStore(string(secret), err); there {
			err, _ = first.(error)
		}
	case "closed":
		if errors.Is(err, password.ErrClosed) {
			err = errors.New("closed")
		}
	}
	return result, err
}

func (b *broken) Hash(ctx context.Context, login password.Login, secret []byte) (string, error) {
	if b.fault == "classes" {
		login.Class = password.ClassSignIn
	}
	return b.Pool.Hash(ctx, login, secret)
}

// part is the environment variable with the part of Run that TestBroken's Verifier fails.
const part = "FOUNT_TEST_BROKEN_VERIFIER"

func TestBroken(t *testing.T) {
	fault, ok := os.LookupEnv(part)
	if !ok {
		t.Skip("TestControl runs this: it fails")
	}
	Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		pool := NewPool(t, o)
		return &broken{Pool: pool, fault: fault}, pool
	})
}

func TestControl(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	run := func(t *testing.T, name, fault string) (string, error) {
		cmd := exec.Command(self, "-test.run", "^TestBroken$/^"+strings.ReplaceAll(name, " ", "_")+"$")
		cmd.Env = append(os.Environ(), part+"="+fault)
		out, err := cmd.CombinedOutput()
		if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
			require.Started(t, err)
			t.Fatal(err)
		}
		return string(out), err
	}
	for _, name := range []string{"round trips", "results", "errors", "principals", "classes", "deadline", "cancel", "many at once", "closed"} {
		t.Run(name, func(t *testing.T) {
			if (name == "deadline" || name == "cancel") && os.Getenv("FOUNT_LONG") == "" {
				t.Skip("set FOUNT_LONG=1: slow hashes are computed to their ends")
			}
			t.Parallel()
			if out, err := run(t, name, name); err == nil || !strings.Contains(out, "--- FAIL: TestBroken/"+strings.ReplaceAll(name, " ", "_")) {
				t.Errorf("its fault is not seen: %v: %s", err, out)
			}
			if out, err := run(t, name, ""); err != nil || strings.Contains(out, "no tests to run") {
				t.Errorf("without a fault: %v: %s", err, out)
			}
		})
	}
}
