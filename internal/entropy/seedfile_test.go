// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package entropy

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// seedDir returns a directory of this user's alone.
func seedDir(t *testing.T) string {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// regular returns what is in a file, and nothing of a pipe, which would wait for a writer.
func regular(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	b, _ := os.ReadFile(path)
	return b
}

// names returns what there is in a directory, with sizes, and nothing of one that can't be read.
func names(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, fmt.Sprint(e.Name(), " ", info.Mode(), " ", info.Size()))
	}
	return found
}

func contentsOf(t *testing.T, path string) *contents {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseSeed(b)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

// A file is created, used, replaced before it is used, and saved. It credits nothing.
func TestSeedFileLife(t *testing.T) {
	path := filepath.Join(seedDir(t), "seed")
	first := somePools(4)
	want(t, "state before", first.status().SeedFile.State, "none")
	if err := first.load(systemDisk{}, path); err != nil {
		t.Fatal(err)
	}
	want(t, "state of the first", first.status().SeedFile.State, "created")
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	old := contentsOf(t, path)
	want(t, "nodes in the file", old.nodes(), 4)

	second := somePools(2) // another machine's worth of nodes
	if err := second.load(systemDisk{}, path); err != nil {
		t.Fatal(err)
	}
	r := second.status().SeedFile
	want(t, "report of the second", r, SeedFileReport{Path: path, State: "mixed", Nodes: 4, Saved: old.saved})
	next := contentsOf(t, path)
	want(t, "nodes in the next file", next.nodes(), 2)

	third := somePools(1)
	third.refresh(1)
	before := third.status()
	if err := third.save(systemDisk{}, path); err != nil {
		t.Fatal(err)
	}
	after := third.status()
	want(t, "state of the third", after.SeedFile.State, "saved")
	want(t, "inputs while it saved", after.Mixed-before.Mixed, 0)
	want(t, "extractions while it saved", after.Extractions-before.Extractions, 0)
	last := contentsOf(t, path)
	seen := map[string]bool{}
	for _, s := range []*contents{old, next, last} {
		for k := range s.nodes() {
			seen[string(s.entries[k*entrySize:][:entrySize])] = true
		}
	}
	want(t, "different entries", len(seen), 4+2+1)
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

// Nothing that has another name is removed or replaced, and a file needs a name.
func TestSeedFileNames(t *testing.T) {
	dir := seedDir(t)
	path := filepath.Join(dir, "seed")
	others := []string{"seed.new", ".new", "seed.0123456789abcdef.new"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for what, use := range map[string]func(string) error{
		"Load": Load, "Save": Save,
	} {
		want(t, what+" of no name", use(""), "seed file : its name is empty, want a path")
	}
	if err := errors.Join(Load(path), Save(path), Load("seed")); err != nil {
		t.Error(err)
	}
	for _, name := range others {
		want(t, name, string(regular(name)), "precious")
	}
	want(t, "files", len(names(t, dir)), len(others)+1)
}

// What is in the file reaches every node's pool, and every node's pool is in the next file.
// (TestInputIsItsReference and TestEntryIsItsReference say how.)
func TestSeedFileReachesEveryNode(t *testing.T) {
	p := somePools(3)
	var b [keySize]byte
	p.mix(&b, 1)
	fed, mixed := p.feeds(), p.input.mixed
	p.useSeed(someSeed(2))
	want(t, "inputs", p.input.mixed, mixed+1)
	for k, n := range p.feeds() {
		want(t, fmt.Sprintf("node %d: fed", k), n, fed[k]+1)
		draws := p.nodes[k].draws
		p.newSeed(&contents{})
		want(t, fmt.Sprintf("node %d: draws for the next file", k), p.nodes[k].draws, draws+1)
	}
}

// What others can read, write or replace is refused, used by nobody and left as it is.
func TestSeedFileRefuses(t *testing.T) {
	check := func(t *testing.T, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	rootOnly := func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a file away")
		}
	}

	seed := func(dir string) string { return filepath.Join(dir, "seed") }
	good := func(t *testing.T, dir string) string {
		check(t, somePools(2).load(systemDisk{}, seed(dir)))
		return seed(dir)
	}
	chmod := func(t *testing.T, path string, mode os.FileMode) string {
		check(t, os.Chmod(path, mode))
		return path
	}
	write := func(b []byte) func(*testing.T, string) string {
		return func(t *testing.T, dir string) string {
			check(t, os.WriteFile(seed(dir), b, 0o600))
			return seed(dir)
		}
	}
	mode := func(m os.FileMode) func(*testing.T, string) string {
		return func(t *testing.T, dir string) string { return chmod(t, good(t, dir), m) }
	}

	for name, c := range map[string]struct {
		make func(t *testing.T, dir string) (path string)
		want string
	}{
		"group may read":   {mode(0o640), "others have access to it: its mode is 0640, want 0600"},
		"others may write": {mode(0o602), "others have access to it: its mode is 0602, want 0600"},
		"foreign":          {write([]byte("[ssh]\n")), "it is no seed file"},
		"empty":            {write(nil), "it is no seed file"},
		"large":            {write(make([]byte, maxSeed+1)), "it is no seed file: it has 65594 bytes"},
		"cut off":          {write(someSeed(2).encode()[:100]), "it was cut off"},

		"directory is open": {func(t *testing.T, dir string) string {
			path := good(t, dir)
			chmod(t, dir, 0o770)
			return path
		}, "others may replace files in"},
		"directory is a file": {func(t *testing.T, dir string) string {
			return seed(good(t, dir))
		}, "is not a directory"},
		"no directory": {func(t *testing.T, dir string) string {
			return seed(filepath.Join(dir, "a"))
		}, "no such file"},

		"symbolic link": {func(t *testing.T, dir string) string {
			check(t, os.Symlink(good(t, dir), dir+"/link"))
			return dir + "/link"
		}, "it is a symbolic link"},
		"dangling link": {func(t *testing.T, dir string) string {
			check(t, os.Symlink("nowhere", dir+"/link"))
			return dir + "/link"
		}, "it is a symbolic link"},
		"second name": {func(t *testing.T, dir string) string {
			check(t, os.Link(good(t, dir), dir+"/other"))
			return seed(dir)
		}, "it has 2 names"},
		"directory": {func(t *testing.T, dir string) string {
			check(t, os.Mkdir(seed(dir), 0o700))
			return seed(dir)
		}, "it is a directory; name a file in it"},
		"pipe": {func(t *testing.T, dir string) string {
			check(t, unix.Mkfifo(seed(dir), 0o600))
			return seed(dir)
		}, "it is a pipe, a socket or a device, want a regular file"},

		"another user's": {func(t *testing.T, dir string) string {
			rootOnly(t)
			check(t, os.Chown(good(t, dir), 65534, -1))
			return seed(dir)
		}, "it belongs to user 65534, want 0"},
		"another user's place": {func(t *testing.T, dir string) string {
			rootOnly(t)
			path := good(t, dir)
			check(t, os.Chown(dir, 65534, -1))
			return path
		}, "it belongs to user 65534, want 0 or 0"},
	} {
		t.Run(name, func(t *testing.T) {
			path := c.make(t, seedDir(t))
			before := regular(path)
			around := names(t, filepath.Dir(path))
			p := somePools(2)
			p.refresh(1)
			mixed := p.input.mixed
			fed := p.feeds()

			err := p.load(systemDisk{}, path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "seed file "+path+": ") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			want(t, "state", p.status().SeedFile.State, "failed")
			if p.input.mixed != mixed || fmt.Sprint(p.feeds()) != fmt.Sprint(fed) {
				t.Error("something was mixed in")
			}

			if !bytes.Equal(before, regular(path)) {
				t.Error("the file was changed")
			}
			want(t, "names in the directory", names(t, filepath.Dir(path)), around)

			if err := p.save(systemDisk{}, path); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("save: error %v, want %q", err, c.want)
			}
		})
	}
}

// A watch is a disk that tells what happens on it.
type watch struct {
	systemDisk
	step func(name string) error // before each; an error is the step's failure
	used []byte                  // what read returned
	lazy bool                    // nothing waits for the disk itself: a test saves the time
}

func (d *watch) lock(path string) (func(), error) {
	if err := d.step("lock"); err != nil {
		return nil, err
	}
	return d.systemDisk.lock(path)
}

func (d *watch) read(path string) ([]byte, error) {
	if err := d.step("read"); err != nil {
		return nil, err
	}
	b, err := d.systemDisk.read(path)
	d.used = bytes.Clone(b)
	return b, err
}

func (d *watch) create(path string) (file, error) {
	if err := d.step("create"); err != nil {
		return nil, err
	}
	f, err := d.systemDisk.create(path)
	return watchedFile{f, d}, err
}

func (d *watch) rename(from, to string) error {
	if err := d.step("rename"); err != nil {
		return err
	}
	return d.systemDisk.rename(from, to)
}

func (d *watch) syncDir(dir string) error {
	if err := d.step("syncDir"); err != nil {
		return err
	}
	if d.lazy {
		return d.step("use")
	}
	return errors.Join(d.systemDisk.syncDir(dir), d.step("use"))
}

type watchedFile struct {
	file
	d *watch
}

// Write is cut in two: a disk that fills up takes a part.
func (f watchedFile) Write(b []byte) (n int, err error) {
	for i, step := range []string{"write", "write more"} {
		if err := f.d.step(step); err != nil {
			return n, err
		}
		part, err := f.file.Write(b[i*len(b)/2 : (i+1)*len(b)/2])
		if n += part; err != nil {
			return n, err
		}
	}
	return n, nil
}

func (f watchedFile) Sync() error {
	if err := f.d.step("sync"); err != nil || f.d.lazy {
		return err
	}
	return f.file.Sync()
}

func (f watchedFile) Close() error {
	return errors.Join(f.d.step("close"), f.file.Close())
}

// steps are all of them, in their order. After the last the old contents are used.
var steps = []string{
	"lock", "read", "create", "write", "write more", "sync", "close", "rename", "syncDir", "use",
}

// replaced reports whether the file has its new contents when a step begins.
func replaced(step string) bool { return step == "syncDir" || step == "use" }

// failingDisk returns a disk that does not wait for the disk itself, and on which a step fails with
// err.
func failingDisk(step string, err error) *watch {
	return &watch{lazy: true, step: func(name string) error {
		if name == step {
			return err
		}
		return nil
	}}
}

// Whatever step fails: the error is the disk's, nothing is used, and the file is the old one or the
// new one, whole; and the next process uses it.
func TestSeedFileFaults(t *testing.T) {
	for _, fault := range []error{unix.ENOSPC, unix.EIO} {
		for _, step := range steps {
			t.Run(fmt.Sprint(step, ": ", fault), func(t *testing.T) {
				path := filepath.Join(seedDir(t), "seed")
				if err := somePools(2).load(failingDisk("", nil), path); err != nil {
					t.Fatal(err)
				}
				old := regular(path)
				p := somePools(2)
				p.refresh(1)
				mixed, fed := p.input.mixed, p.feeds()

				if err := p.load(failingDisk(step, fault), path); !errors.Is(err, fault) {
					t.Errorf("error %v", err)
				}
				want(t, "inputs", p.input.mixed, mixed)
				want(t, "feeds", p.feeds(), fed)

				contentsOf(t, path) // whole
				want(t, "the file is replaced", !bytes.Equal(regular(path), old), replaced(step))
				want(t, "files", len(names(t, filepath.Dir(path))), 1)
				if err := somePools(2).load(failingDisk("", nil), path); err != nil {
					t.Errorf("the next process: %v", err)
				}
			})
		}
	}
}

// Processes that start together each use other contents.
func TestSeedFileTakesTurns(t *testing.T) {
	path := filepath.Join(seedDir(t), "seed")
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	const users, times = 6, 10
	for range users {
		wg.Go(func() {
			p := somePools(1)
			for range times {
				d := failingDisk("", nil)
				if err := p.load(d, path); err != nil {
					t.Error(err)
				}
				mu.Lock()
				seen[string(d.used)] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	want(t, "different contents used", len(seen), users*times)
}
