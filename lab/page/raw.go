// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The files of a report.

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fount/lab/doctor"
	"fount/lab/files"
	"fount/lab/logins"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/scale"
)

// Raw is what the commands found. What was not measured is nil, and in Missing, by its file, with the reason.
type Raw struct {
	Made    *made
	Doctor  *doctor.Result
	Nonce   *nonce.Report
	Source  *measure.Report
	Scale   *scale.Result
	Tail    *scale.TailResult
	Files   *files.Result
	Logins  []login
	Missing map[string]string
	Names   []string // of the files that were read
}

// A login is a run of logins, and its load in multiples of what the machine bears.
type login struct {
	logins.Report
	Multiple float64
}

// Read reads the files in dir. What is not there, or says that it failed, is missing; what can't be read is an error.
func Read(dir string) (*Raw, error) {
	r := &Raw{Missing: map[string]string{}}
	errs := []error{
		r.read(dir, doctorFile, into(&r.Doctor)),
		r.read(dir, nonceFile, into(&r.Nonce)),
		r.read(dir, sourceFile, into(&r.Source)),
		r.read(dir, scaleFile, into(&r.Scale)),
		r.read(dir, tailFile, into(&r.Tail)),
		r.read(dir, filesFile, into(&r.Files)),
		r.read(dir, madeFile, into(&r.Made)),
	}
	for _, m := range mechanisms {
		for _, x := range multiples {
			var rep *logins.Report
			errs = append(errs, r.read(dir, fmt.Sprintf(loginsFile, m, trim(x)), into(&rep)))
			if rep != nil {
				r.Logins = append(r.Logins, login{*rep, x})
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if r.Nonce != nil {
		r.Nonce.Restore()
	}
	if r.Made == nil {
		return nil, fmt.Errorf("%s holds no %s; name a directory that holds a report", dir, madeFile)
	}
	if r.Doctor == nil {
		return nil, fmt.Errorf("%s: %s; a report needs it", filepath.Join(dir, doctorFile), r.Missing[doctorFile])
	}
	return r, nil
}

// into decodes an object to a new T.
func into[T any](to **T) func([]byte) error {
	return func(b []byte) error {
		v := new(T)
		if err := json.Unmarshal(b, v); err != nil {
			return err
		}
		*to = v
		return nil
	}
}

// read reads one file.
func (r *Raw) read(dir, name string, into func([]byte) error) error {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		r.Missing[name] = "it was not measured"
		return nil
	}
	if err != nil {
		return err
	}
	var failed struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(b, &failed); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	r.Names = append(r.Names, name)
	if failed.Error != "" {
		r.Missing[name] = failed.Error
		return nil
	}
	if err := into(b); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return nil
}

func decode(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}
