// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The studies of fount bench and fount report.

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/fusefs"
	"fount/cmd/fount/internal/randfs/ninep"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/counter"
	"fount/cmd/internal/lab/files"
	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/model"
	"fount/cmd/internal/lab/nonce"
	"fount/cmd/internal/lab/password"
	"fount/cmd/internal/lab/scale"
	"fount/cmd/internal/lab/seeds"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/lab/source"
	"fount/cmd/internal/version"

	"github.com/spf13/cobra"
)

// studies are the studies of fount bench and fount report, in their order.
var studies = []lab.Study{
	nonce.Study,
	source.Study,
	seeds.Study,
	scale.Study,
	model.Study,
	password.Study,
	logins.Study,
	files.Study(files.Servers{NineP: serveFor9P, Open9P: openFor9P, FUSE: mountFor}),
	counter.Study,
}

// namesOf returns the names of the studies in list.
func namesOf(list []lab.Study) (names []string) {
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// studiesNamed returns the studies of these names, or all studies if there are no names.
func studiesNamed(names []string) (list []lab.Study, err error) {
	if len(names) == 0 {
		return studies, nil
	}

	all := namesOf(studies)
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, usagef("unknown study %q; use %s", name, show.Choice(all))
		}
		list = append(list, studies[i])
	}
	return list, nil
}

// measureStudies measures the studies in list one after the other, and calls done with each result.
// At an interrupt it returns the results so far, and of each other study one that says so.
func measureStudies(cmd *cobra.Command, list []lab.Study, o lab.Options, done func(lab.Result) error) (results []lab.Result, err error) {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	line := progressOn(cmd, false)
	defer line.Clear()

	b := version.This()
	o.Version = fmt.Sprintf("fount %s, commit %.12s", b.Version, cmp.Or(b.Commit, "unknown"))
	o.Progress = line.Show

	for i, s := range list {
		if ctx.Err() != nil {
			return addMissing(results, list[i:], o)
		}

		o.Command = benchCommand(s, o)
		r, err := s.Measure(ctx, o)
		line.Clear()

		hasResult := len(r.Groups)+len(r.Notes) > 0
		if hasResult {
			results = append(results, r)
			err = errors.Join(err, done(r))
		}
		if err != nil && ctx.Err() == nil {
			return results, err
		}
	}

	if ctx.Err() != nil {
		return addMissing(results, nil, o)
	}
	return results, nil
}

// addMissing adds to the results of an interrupted run one for each missing study, and returns them
// with the error that names these.
func addMissing(results []lab.Result, missing []lab.Study, o lab.Options) ([]lab.Result, error) {
	for _, s := range missing {
		notes := []string{"Not measured: the run was interrupted."}
		results = append(results, lab.Result{Study: s.Name, Command: benchCommand(s, o), Notes: notes})
	}

	text := "interrupted"
	if len(missing) > 0 {
		text += ", and nothing measured of " + show.Choice(namesOf(missing))
	}
	return results, &exitError{statusInterrupted, text}
}

// benchCommand returns the command that runs a study by these options.
func benchCommand(s lab.Study, o lab.Options) string {
	text := "fount bench " + s.Name
	if o.Quick {
		text += " --quick"
	}
	if o.Only != nil {
		text += " --only '" + strings.ReplaceAll(o.Only.String(), "'", `'\''`) + "'"
	}
	if o.Count > 0 {
		text += fmt.Sprintf(" --count %d", o.Count)
	}
	return text
}

// serveFor9P serves 9P on a Unix socket in dir, or on loopback where there are no Unix sockets. It
// returns the address, and a function that ends the server.
func serveFor9P(dir string, read func([]byte), conns int, stall time.Duration) (at string, stop func() error, err error) {
	l, err := ninep.Listen("unix!"+filepath.Join(dir, "9p"), 0o600)
	if err != nil {
		if l, err = ninep.Listen("tcp!127.0.0.1!0", 0); err != nil {
			return "", nil, err
		}
	}

	server := &ninep.Server{Tree: randfs.New(randfs.Source{Read: read}), Limits: ninep.Limits{Conns: conns, Stall: stall}}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()

	return dialString(l.Addr()), func() error {
		err := server.Close()
		<-served
		return err
	}, nil
}

// openFor9P opens the file random of a server, as fount rand --from does.
func openFor9P(address string) (io.ReadCloser, error) { return dialRandom(address, false) }

// mountFor mounts the files at mountpoint by FUSE, and returns a function that unmounts them.
func mountFor(mountpoint string) (func() error, error) {
	m, err := fusefs.Mount(randfs.New(randfs.Source{}), mountpoint, fusefs.Options{})
	if err != nil {
		return nil, err
	}
	return m.Unmount, nil
}
