// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount serve files: the files of package randfs over 9P.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/ninep"

	"github.com/spf13/cobra"
)

// listenExample is quoted because an interactive bash expands ! to an earlier command.
const listenExample = "--listen 'unix!/run/fount.sock'"

func newServe() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "serve files [flags]",
		Short: "serve random bytes to other programs, as files over 9P",
		Example: `  fount serve files --listen 'unix!/run/fount.sock'     until Ctrl-C
  fount rand 32 --hex --from 'unix!/run/fount.sock'     from another terminal`,
	}, "service", newServeFiles())
}

const serveFilesLong = `fount serve files serves random bytes over 9P2000, as files, to programs that can't import
fount:

  random   endless
  urandom  endless
  seed     mixes in what is written, and credits it no entropy
  stats    calls, bytes and mean time of each file
  ctl      takes the word reseed, and says the state when read

The attach name dev shows random and urandom only.

ADDRESS is unix!PATH or tcp!127.0.0.1!PORT. 9P has no encryption, so tcp beyond this machine is refused; from another
machine use ssh -L. The server runs in the foreground. It reports on standard error and to systemd when it is ready,
and ends at SIGINT or SIGTERM with status 0. It replaces a socket that a killed server left behind. docs/files.md says
how to mount the files on Linux and Plan 9, and has a systemd unit.`

// serveFlags are the flags of fount serve files.
type serveFlags struct {
	listen []string
	post   string
	mode   fs.FileMode
}

func newServeFiles() *cobra.Command {
	f := serveFlags{mode: 0o600}
	cmd := &cobra.Command{
		Use:   "files --listen ADDRESS [--listen ADDRESS] [--post NAME] [flags]",
		Short: "serve random, urandom, seed, stats and ctl over 9P",
		Long:  serveFilesLong,
		Example: `  fount serve files --listen 'unix!/run/fount.sock'
  fount rand 32 --hex --from 'unix!/run/fount.sock'`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd.ErrOrStderr()) },
	}

	flags := cmd.Flags()
	flags.StringArrayVar(&f.listen, "listen", nil, "serve at `ADDRESS`; may be repeated")
	flags.StringVar(&f.post, "post", "", "on Plan 9, serve at /srv/`NAME`")

	parsedFlag(flags, &f.mode, "mode", "", "create Unix sockets with mode `OCTAL` (0600)", func(s string) (fs.FileMode, bool) {
		n, err := strconv.ParseUint(s, 8, 32)
		return fs.FileMode(n), err == nil && n&^0o666 == 0
	}, "an octal mode of a socket, read and write only, from 0 to 0666; use for example 0600 or 0660")
	return cmd
}

// check returns a usage error for flags that are missing or impossible here.
func (f *serveFlags) check(cmd *cobra.Command) error {
	posts := cmd.Flags().Changed("post")
	switch {
	case len(f.listen) == 0 && !posts:
		return usagef("nowhere to serve; use for example %s, or on Plan 9 --post fount", listenExample)
	case posts && runtime.GOOS != "plan9":
		return usagef("--post needs Plan 9; use for example %s", listenExample)
	case posts && (f.post == "" || strings.Contains(f.post, "/")):
		return usagef("--post %q is not a name for /srv; use for example fount", f.post)
	}
	return nil
}

// run serves until a signal comes or a listener fails.
func (f *serveFlags) run(ctx context.Context, stderr io.Writer) error {
	ctx, stop := interruptible(ctx)
	defer stop()

	listeners, err := f.open()
	if err != nil {
		return err
	}

	journal := ninep.NewJournal(stderr)
	defer journal.Close()
	server := &ninep.Server{Tree: randfs.New(randfs.Source{}), Log: logger(journal)}
	ended := f.serve(server, listeners, stderr)

	notifyReady(stderr, "fount serve files")
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	return errors.Join(err, server.Close())
}

// logger returns a function that writes a line to journal. It writes none if the client just left.
func logger(journal *ninep.Journal) func(string, ...any) {
	return func(format string, args ...any) {
		for _, a := range args {
			if err, ok := a.(error); ok && (isReaderGone(err) || isReset(err)) {
				return
			}
		}
		journal.Printf("fount serve files: "+format, args...)
	}
}

// serve starts to serve at all listeners, and prints their addresses. The channel receives the
// error of each that ends.
func (f *serveFlags) serve(server *ninep.Server, listeners []net.Listener, stderr io.Writer) <-chan error {
	ended := make(chan error, len(listeners)+1)
	for _, l := range listeners {
		go func() { ended <- server.Serve(l) }()
		fmt.Fprintf(stderr, "fount serve files: serving at %s\n", dialString(l.Addr()))
	}

	if f.post != "" {
		posted := func() { fmt.Fprintf(stderr, "fount serve files: posted as /srv/%s\n", f.post) }
		go func() { ended <- ninep.Post(f.post, server, posted) }()
	}

	return ended
}

// open opens the listeners: all of them or, with an error, none.
func (f *serveFlags) open() (listeners []net.Listener, err error) {
	for _, addr := range f.listen {
		l, err := ninep.Listen(addr, f.mode)
		if err != nil {
			for _, l := range listeners {
				l.Close()
			}
			return nil, addressError("--listen", err)
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}

// addressError returns err, as a usage error if package ninep refused the address.
func addressError(flag string, err error) error {
	if strings.HasPrefix(err.Error(), "address ") {
		return usagef("%s: %v", flag, err)
	}
	return err
}

// dialString returns a in the notation of Plan 9's dial(2).
func dialString(a net.Addr) string {
	if host, port, err := net.SplitHostPort(a.String()); err == nil && a.Network() == "tcp" {
		return "tcp!" + host + "!" + port
	}
	return a.Network() + "!" + a.String()
}

// notifyReady tells systemd that the service is ready, if systemd set NOTIFY_SOCKET: see
// sd_notify(3). If that fails, it prints a warning and the service goes on.
func notifyReady(stderr io.Writer, service string) {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return
	}

	c, err := net.Dial("unixgram", name)
	if err == nil {
		_, err = c.Write([]byte("READY=1"))
		c.Close()
	}

	if err != nil {
		fmt.Fprintf(stderr, "%s: the service manager was not told: NOTIFY_SOCKET: %v\n", service, err)
	}
}
