// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// Running the studies.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fount/lab/doctor"
)

// A Runner runs a step and returns its result as JSON. What it returns with an error is kept too, if it is anything: the
// doctor reports what is wrong and fails.
type Runner func(context.Context, Step) ([]byte, error)

// Progress is told what runs now, how much of the whole is done, from 0 to 1, and how long the rest takes.
type Progress func(name string, done float64, left time.Duration)

// A Failure is a step that did not end well.
type Failure struct {
	Step string
	Err  error
}

// made says when and by what the other files were made.
type made struct {
	Time    time.Time `json:"time"`
	Version string    `json:"version"` // of the program
	Failed  []string  `json:"failed"`  // steps
}

// Run runs all steps and writes a file for each into dir, and one that says when and by what version of the program. A step
// that fails leaves a file with its error and does not keep the others from running; an end of ctx does.
func Run(ctx context.Context, dir, version string, run Runner, progress Progress) (failures []Failure, err error) {
	if err := remove(dir); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sign(dir, version, failures)) }()
	steps := machineSteps()
	whole := total(steps) + total(loginSteps(1))
	var done time.Duration
	all := func(steps []Step) error {
		for _, s := range steps {
			progress(s.Name, done.Seconds()/whole.Seconds(), whole-done)
			if err := s.run(ctx, dir, run); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				failures = append(failures, Failure{s.Name, err})
			}
			done += s.Time
		}
		return nil
	}
	if err := all(steps); err != nil {
		return failures, err
	}
	var d doctor.Result
	if err := decode(filepath.Join(dir, doctorFile), &d); err != nil || d.Capacity() == 0 {
		return append(failures, Failure{"logins", errors.New("the doctor did not say how many this machine bears")}), nil
	}
	return failures, all(loginSteps(d.Capacity()))
}

// remove removes the files of an earlier report, so that none of them comes into this one.
func remove(dir string) error {
	var errs []error
	for _, name := range names() {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// sign writes the file madeFile.
func sign(dir, version string, failures []Failure) error {
	m := made{Time: time.Now().UTC().Truncate(time.Second), Version: version, Failed: []string{}}
	for _, f := range failures {
		m.Failed = append(m.Failed, f.Step)
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, madeFile), append(b, '\n'), 0o644)
}

func total(steps []Step) (sum time.Duration) {
	for _, s := range steps {
		sum += s.Time
	}
	return sum
}

// run runs one step. Its file is a JSON object either way.
func (s Step) run(ctx context.Context, dir string, run Runner) error {
	out, err := run(ctx, s)
	if len(bytes.TrimSpace(out)) == 0 && err != nil {
		out = fmt.Appendf(nil, "{%q: %q}\n", "error", err.Error())
	}
	return errors.Join(err, os.WriteFile(filepath.Join(dir, s.File), out, 0o644))
}
