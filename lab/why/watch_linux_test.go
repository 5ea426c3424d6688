// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Tests that watch real processes, and of what the kernel's files hold.

import (
	"bufio"
	"context"
	"debug/buildinfo"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/internal/test/otheruser"

	"golang.org/x/sys/unix"
)

// build builds testdata/draws, and skips the test where there is no Go or no perf event.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	if w, err := newWatcher(os.Getpid(), nil); err != nil {
		t.Skip(err)
	} else {
		w.close()
	}
	path := filepath.Join(otheruser.Dir(t), "draws")
	out, err := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), "./testdata/draws")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// startDraws runs the program until the test ends, and returns its pid once it draws.
func startDraws(t *testing.T, path string) int {
	t.Helper()
	cmd := exec.Command(path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// until watches a process in longer and longer times, until it has been seen often.
func until(t *testing.T, pid int) *Report {
	t.Helper()
	for d := 200 * time.Millisecond; ; d *= 2 {
		p, err := Watch(context.Background(), pid, d)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Of(p); err == nil && (r.Samples >= 50 || d > 10*time.Second) {
			return r
		}
	}
}

// The line is known to DWARF alone: rand.Read is called by a function that is inlined. Without it, the function is.
func TestWatch(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("Go keeps no frame pointers here")
	}
	source, err := os.ReadFile("testdata/draws/main.go")
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(string(source[:strings.Index(string(source), "// the line that draws")]), "\n")
	for name, flags := range map[string][]string{"whole": nil, "stripped": {"-ldflags=-s -w"}, "PIE": {"-buildmode=pie"}} {
		t.Run(name, func(t *testing.T) {
			if name == "PIE" && os.Getenv("FOUNT_LONG") == "" {
				t.Skip("set FOUNT_LONG=1: this builds the standard library")
			}
			r := until(t, startDraws(t, build(t, flags...)))
			var u Use
			for _, one := range r.Uses {
				if one.Share > u.Share {
					u = one
				}
			}
			if u.Family != CryptoRand || u.Share < 0.5 || !u.Site.Own || !strings.HasSuffix(u.Site.File, "draws/main.go") {
				t.Fatalf("%+v\n%+v", u, r)
			}
			if r.Program != "draws" || !strings.HasPrefix(r.Go, "go1.") && !strings.HasPrefix(r.Go, "devel") || r.Cores <= 0 {
				t.Errorf("%+v", r)
			}
			stripped := name == "stripped"
			if !stripped && (u.Site.Func != "main.draw" || u.Site.Line != line) || stripped && u.Site.Func != "main.main" {
				t.Errorf("%+v, want main.draw, line %d", u.Site, line)
			}
			if said := slices.ContainsFunc(r.Notes, func(s string) bool { return strings.Contains(s, "DWARF is stripped") }); said != stripped {
				t.Errorf("notes %q", r.Notes)
			}
			if stripped && r.Lateness != nil {
				t.Errorf("lateness %+v of a program without DWARF", r.Lateness)
			}
		})
	}
}

// A command is watched from its start, and is asked to end after the time.
func TestRun(t *testing.T) {
	path := build(t)
	p, err := Run(context.Background(), Command{Program: []string{path}, Stdout: io.Discard, Stderr: os.Stderr}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if p.Program != "draws" || len(p.Stacks) == 0 {
		t.Errorf("%+v", p)
	}
	p, err = Run(context.Background(), Command{Program: []string{"sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 3"}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if p.Go != "" || !slices.ContainsFunc(p.Notes, func(s string) bool { return strings.HasPrefix(s, "It is no Go program") }) ||
		!slices.ContainsFunc(p.Notes, func(s string) bool { return s == "sh ended with exit status 3." }) {
		t.Errorf("notes %q", p.Notes)
	}
	if _, err := Run(context.Background(), Command{Program: []string{"/no/such"}}, 0); err == nil || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// What COMMAND becomes (execve(2)) is what is watched.
func TestRunAnother(t *testing.T) {
	path := build(t)
	for d := time.Second; ; d *= 2 {
		p, err := Run(context.Background(), Command{Program: []string{"sh", "-c", `sleep 0.3; exec "$0"`, path}, Stdout: io.Discard, Stderr: os.Stderr}, d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Of(p)
		if err != nil || r.Samples < 50 && d < 10*time.Second {
			continue
		}
		if r.Program != "draws" || r.Go == "" || len(r.Uses) == 0 || !r.Uses[0].Site.Own {
			t.Errorf("%+v", r)
		}
		return
	}
}

// The files that a process has mapped are opened while it shows them.
func TestObjectsAreHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "exe")
	exe, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, exe, 0o700); err != nil {
		t.Fatal(err)
	}
	w := &watcher{dir: "/proc/self", objects: make(map[string]*object)}
	o := newObject(path, path)
	w.objects[path] = o
	if o.hold(); os.Remove(path) != nil || !o.hasLines() && o.table == nil {
		t.Error("nothing is read of a file that was there when it was held")
	}
	if w.readMaps(); len(w.maps) == 0 || len(w.objects) < 2 {
		t.Fatalf("%d maps, %d objects", len(w.maps), len(w.objects))
	}
	for _, o := range w.objects {
		if o.held == nil {
			t.Errorf("%s is not held", o.name)
		}
	}
	if another := w.object("/proc/self/exe (deleted)"); another.held != nil {
		t.Error("another file is read for one that is deleted")
	}
}

func TestWatchErrors(t *testing.T) {
	if _, err := Watch(context.Background(), 1<<22-1, time.Second); !errors.Is(err, errGone) {
		t.Errorf("%v, want that there is no such process", err)
	}
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	for w := (&watcher{dir: "/proc/" + strconv.Itoa(cmd.Process.Pid)}); !w.isGone(); {
		runtime.Gosched()
	}
	if _, err := Watch(context.Background(), cmd.Process.Pid, time.Second); !errors.Is(err, errGone) || !strings.Contains(err.Error(), "it has ended") {
		t.Errorf("%v of a zombie", err)
	}
	threads, _ := filepath.Glob("/proc/self/task/*")
	for _, path := range threads {
		if tid, _ := strconv.Atoi(filepath.Base(path)); tid != os.Getpid() {
			if _, err := Watch(context.Background(), tid, time.Second); err == nil || !strings.Contains(err.Error(), "is a thread of another process") {
				t.Errorf("%v of a thread", err)
			}
			return
		}
	}
}

func TestMain(m *testing.M) {
	if pid, _ := strconv.Atoi(os.Getenv(otheruser.Variable)); pid > 0 { // the other user
		_, err := Watch(context.Background(), pid, time.Second)
		if err != nil {
			io.WriteString(os.Stdout, err.Error())
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Another user's process is not watched, and its user is named.
func TestAnotherUser(t *testing.T) {
	otheruser.Need(t)
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(otheruser.Dir(t), "test")
	if err := os.WriteFile(path, self, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	otheruser.Become(cmd)
	cmd.Env = append(os.Environ(), otheruser.Variable+"="+strconv.Itoa(os.Getpid()))
	out, err := cmd.CombinedOutput()
	want := "process " + strconv.Itoa(os.Getpid()) + " belongs to the user 0, and this is the user 65534: only its own user or root may watch it"
	if err != nil || string(out) != want {
		t.Errorf("%v, %q; want %q", err, out, want)
	}
}

// What the runtime's memory holds is what runtime/metrics says, of a process that can be asked both.
func TestLatencies(t *testing.T) {
	path := build(t)
	pid := startDraws(t, path)
	w, err := newWatcher(pid, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	for { // the runtime counts one wait of eight: a process may be too young to have one
		h, why := w.latencies()
		if h == nil {
			if strings.Contains(why, "ptrace_scope") || strings.Contains(why, "form that is not known") {
				t.Skip(why)
			}
			t.Fatal(why)
		}
		l := h.lateness("")
		if l != nil && (l.Count > 1e6 || l.MaxMS > 1e5) { // a few goroutines of a young process
			t.Errorf("%+v: this is no histogram of a young process", l)
		}
		if l != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestParseStat(t *testing.T) {
	const text = "12 (a) b (c)) R 1 1 1 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 100 1 1"
	got, state, err := parseStat(text)
	if err != nil || state != "R" || got.user != 2500*time.Millisecond || got.system != 500*time.Millisecond {
		t.Errorf("%v, %q, %v", got, state, err)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("12 (a) b (c)) R 1 1 1 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 100 1 1")
	f.Add(")")
	f.Fuzz(func(t *testing.T, s string) {
		if got, state, err := parseStat(s); err == nil && state == "" {
			t.Errorf("%v and no state", got)
		}
	})
}

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string][]int{"0": {0}, "0-2,5": {0, 1, 2, 5}, "": nil, "3-1": nil, "a": nil, "0-99999": nil} {
		got, err := parseCPUs(text)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

// Records of any form are taken or left, and none is read beyond its end.
func FuzzRecords(f *testing.F) {
	f.Add([]byte{9, 0, 0, 0, 0, 0, 32, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{9, 0, 0, 0, 0, 0, 24, 0, 1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		s := newStacks()
		records(b, s.add)
		for pid := range s.counts {
			for chain, n := range s.of(int(pid)) {
				if n <= 0 || len(chain) > len(b)/8 {
					t.Errorf("%d samples of %d addresses from %d bytes", n, len(chain), len(b))
				}
			}
		}
	})
}

func FuzzKernelSymbols(f *testing.F) {
	f.Add("ffffffff81000000 T _text\nffffffff81000010 t urandom_read_iter\t[m]\n0 T none\n", uint64(0xffffffff81000011))
	f.Fuzz(func(t *testing.T, text string, pc uint64) {
		s := symbols{kernel: readKernel(strings.NewReader(text))}
		if s.kernelName(pc) == "" {
			t.Error("no name")
		}
	})
}

// What DWARF says of another form of histogram is not read.
func TestHistogramOfNothing(t *testing.T) {
	exe := &object{opened: true, fields: map[string]place{scheduler + "." + timeToRun: {address: 1}}}
	w := &watcher{pid: os.Getpid(), exe: exe, info: new(buildinfo.BuildInfo)}
	if h, why := w.latencies(); h != nil || why != errHistogram.Error() {
		t.Errorf("%v, %q", h, why)
	}
}

// A pipe that stands where a file was mapped is not waited for.
func TestObjectIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	o := newObject(path, path)
	o.open()
	if o.file != nil {
		t.Error("a pipe was read as ELF")
	}
}
