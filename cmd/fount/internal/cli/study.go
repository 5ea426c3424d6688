// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What studies have in common: runs in processes of their own, a directory, and the files in it.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// thisProgram is this program with other arguments.
func thisProgram(ctx context.Context, args ...string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, program, args...)
	child.Args[0] = os.Args[0]
	return child, nil
}

// interruptible ends at SIGTERM, and at Ctrl-C unless that is ignored, as in a shell's background job.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(os.Interrupt) {
		signals = append(signals, os.Interrupt)
	}
	return notifyContext(ctx, signals...)
}

// withProcesses makes a result with processes of this program, each of which runs a hidden command, and shows how far it is. An interrupt ends them.
func withProcesses[Result any](cmd *cobra.Command, json bool, command string,
	run func(ctx context.Context, program []string, progress func(string)) (Result, error)) (r Result, err error) {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	line := progressOn(cmd, json)
	r, err = run(ctx, append([]string{program}, strings.Fields(command)...), line.Show)
	line.Clear()
	if ctx.Err() != nil {
		return r, &exitError{statusInterrupted, "interrupted; its processes are stopped"}
	}
	return r, err
}

// runElsewhere makes one run in a process of this program, which reads its config as JSON and prints its result. An interrupt ends
// that process too, which else would go on hashing.
func runElsewhere[Result any](ctx context.Context, config any, args ...string) (r Result, err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	input, err := json.Marshal(config)
	if err != nil {
		return r, err
	}
	child, err := thisProgram(ctx, args...)
	if err != nil {
		return r, err
	}
	var stdout, stderr bytes.Buffer
	child.Stdin, child.Stdout, child.Stderr = bytes.NewReader(input), &stdout, &stderr
	if err := child.Run(); err != nil {
		if ctx.Err() != nil {
			return r, &exitError{statusInterrupted, "interrupted; its process is stopped"}
		}
		if said := strings.TrimSpace(stderr.String()); said != "" {
			err = errors.New(said)
		}
		return r, err
	}
	return r, json.Unmarshal(stdout.Bytes(), &r)
}

// readRun reads the config of a run, in the process that is to make it.
func readRun(cmd *cobra.Command, config any) error {
	dec := json.NewDecoder(cmd.InOrStdin())
	dec.DisallowUnknownFields() // of another version of this program
	if err := dec.Decode(config); err != nil {
		return fmt.Errorf("a run: %w", err)
	}
	return nil
}

// checkDirectory refuses a directory that is not there, before anything is measured; "" is none.
func checkDirectory(dir string) error {
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return &exitError{statusFailed, dir + " is not a directory; make it first"}
	}
	return nil
}

// writeStudy writes a study's files, name with .txt and .json, into a directory; "" is none.
func writeStudy(dir, name, text string, study any) error {
	if dir == "" {
		return nil
	}
	var object bytes.Buffer
	if err := printJSON(&object, study); err != nil {
		return err
	}
	base := filepath.Join(dir, name)
	return errors.Join(replace(base+".json", object.Bytes()), os.WriteFile(base+".txt", []byte(text), 0o666))
}

// replace writes a file whole or not at all: one that a study goes on with keeps its runs on a full disk and through an interrupt.
func replace(name string, content []byte) error {
	fresh := name + ".new"
	err := os.WriteFile(fresh, content, 0o666)
	if err == nil {
		err = os.Rename(fresh, name)
	}
	if err != nil {
		_ = os.Remove(fresh) // it may not be there
	}
	return err
}
