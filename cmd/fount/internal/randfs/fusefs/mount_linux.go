// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// A mount from its beginning to its end.

import (
	"errors"
	"fmt"
	"runtime"

	"fount/cmd/fount/internal/randfs"

	"golang.org/x/sys/unix"
)

// A Server serves a mounted tree. Its methods may be called from any goroutine.
type Server struct {
	place   *place // not closed before the Server is garbage, so that its number stays its own
	cleared bool
	device  *device
	files   *files
	done    chan struct{}
}

// Mount mounts the tree in an empty directory, and serves it until it is unmounted. Root mounts
// directly, others through fusermount3 in directories of their own. The dead mount of a fount that
// was killed is cleared first, so that a service restarts by itself. An error is one line, with
// what would be right.
func Mount(t *randfs.Tree, dir string, o Options) (*Server, error) {
	s := &Server{files: newFiles(t), done: make(chan struct{})}
	p, cleared, err := prepare(dir)
	if err != nil {
		return nil, err
	}

	s.place = p
	s.cleared = cleared

	mount := mountWithHelper
	if isRoot() {
		mount = mountDirectly
	}
	if s.device, err = mount(p, &o); err != nil {
		p.close()
		return nil, err
	}

	err = p.confirm()
	if err == nil {
		err = s.serve()
	}

	if err != nil {
		if _, covered := s.place.uncovered(); covered == nil {
			_ = p.detach()
		}
		p.close()
		s.device.close()
		return nil, err
	}
	return s, nil
}

// serve answers the first request, INIT, and starts the loops.
func (s *Server) serve() error {
	w := newWire(s.device.fd, s.files)
	first, err := w.newLoop()
	if err != nil {
		return err
	}

	if err := first.once(); err != nil {
		first.close()
		return fmt.Errorf("the kernel's first request: %w", err)
	}

	// As many threads wait for requests as can run, but at least two, so that the next request is
	// fetched while an answer is copied.
	loops := []*loop{first}
	for range max(2, runtime.GOMAXPROCS(0)) - 1 {
		l, err := w.newLoop()
		if err != nil {
			break // the first is enough to serve
		}
		loops = append(loops, l)
	}

	ended := make(chan struct{})
	for _, l := range loops {
		go func() {
			l.run()
			ended <- struct{}{}
		}()
	}

	go func() {
		for range loops {
			<-ended
		}
		s.device.close()
		close(s.done)
	}()
	return nil
}

// Dir is where the tree is mounted: an absolute path without symbolic links, as it is now.
func (s *Server) Dir() string { return s.place.where() }

// Cleared reports whether a dead mount was cleared from the directory.
func (s *Server) Cleared() bool { return s.cleared }

// Wait waits until nothing is served any more: the tree was unmounted, here or by umount(8), and no
// file is open. An error says that it was aborted, as by umount -f, and is in its directory still.
func (s *Server) Wait() error {
	<-s.done
	if there, _ := s.place.uncovered(); there {
		return fmt.Errorf("%s was aborted, as by umount -f, and its files give errors: umount %[1]s", s.Dir())
	}
	return nil
}

// Unmount takes the tree from its directory; copies of the mount elsewhere, as in a container, are
// served until this process ends. It returns ErrBusy, and changes nothing, if files are open or a
// process has its working directory there. An error names what is mounted on top, which is not
// touched.
func (s *Server) Unmount() error {
	if there, err := s.place.uncovered(); err != nil || !there { // unmounted by another
		return err
	}
	if err := s.place.unmount(); err != nil {
		if errors.Is(err, unix.EBUSY) {
			return ErrBusy
		}
		return fmt.Errorf("unmounting %s: %w", s.Dir(), err)
	}
	return nil
}

// Abandon takes the tree from its directory although files are open. Who has one open gets errors
// from then on: at once if root mounted, else when this process ends.
func (s *Server) Abandon() error {
	if there, err := s.place.uncovered(); err != nil || !there {
		return err
	}
	if err := s.place.detach(); err != nil {
		return fmt.Errorf("unmounting %s: %w", s.Dir(), err)
	}
	return nil
}
