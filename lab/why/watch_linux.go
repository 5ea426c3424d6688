// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Watching a process through the kernel's perf events, which a user may have of their own processes.

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/pprof/profile"
	"golang.org/x/sys/unix"
)

// nonblocking has open(2) not wait for the other end of a pipe.
const nonblocking = unix.O_NONBLOCK

// drainEach is how often the rings are read: 256 KiB hold ten times the samples of that time.
const drainEach = 100 * time.Millisecond

// Watch watches a process of the same user for that time, or until it ends or ctx is done.
func Watch(ctx context.Context, pid int, d time.Duration) (*Profile, error) {
	w, err := newWatcher(pid, nil)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.before, w.late = w.latencies()
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	w.watch(ctx, w.isGone)
	return w.profile()
}

// Run starts a program and watches it until it ends. After that time, if it is not 0, or when ctx is done, it is asked to
// end, and is killed 10 s later.
func Run(ctx context.Context, c Command, d time.Duration) (*Profile, error) {
	program := c.Program
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	exe := newObject(cmd.Path, cmd.Path)
	exe.runtimeField(scheduler, timeToRun) // before it runs, which it could disturb
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w, err := newWatcher(cmd.Process.Pid, exe)
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		if errors.Is(err, errGone) {
			err = fmt.Errorf("%s ended before it could be watched", program[0])
		}
		return nil, err
	}
	defer w.close()
	w.before = new(histogram)
	if d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	w.watch(ctx, w.isGone) // a zombie until Wait, so that its pid stays its own
	p, err := w.profile()
	if !w.isGone() {
		cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		defer kill.Stop()
	}
	end := cmd.Wait()
	if err == nil && end != nil && ctx.Err() == nil {
		p.Notes = append(p.Notes, fmt.Sprintf("%s ended with %v.", program[0], end))
	}
	return p, err
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// errGone is the error of a process that there is not.
var errGone = errors.New("there is no such process")

// A watcher is a process being watched.
type watcher struct {
	pid    int
	dir    string // in /proc
	rings  []*ring
	events []int
	kernel bool // samples hold the kernel's part
	stacks *stacks

	start, ended time.Time
	used, left   ticks // at start and end
	maps         []*profile.Mapping
	objects      map[string]*object // by name in the maps
	exe          *object
	info         *buildinfo.BuildInfo // nil if it is not of Go
	before       *histogram
	after        *histogram
	late         string // why there is no histogram
	urandom      bool
}

// newWatcher opens the events of all threads of a process. If its executable is the known object, that is used.
func newWatcher(pid int, known *object) (*watcher, error) {
	w := &watcher{pid: pid, dir: filepath.Join("/proc", strconv.Itoa(pid)), stacks: newStacks(), objects: make(map[string]*object)}
	if _, err := os.Stat(w.dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("process %d: %w", pid, errGone)
	}
	if w.isThread() {
		return nil, fmt.Errorf("%d is a thread of another process; name the process", pid)
	}
	if w.isGone() {
		return nil, fmt.Errorf("process %d: %w; it has ended", pid, errGone)
	}
	if err := w.open(); err != nil {
		w.close()
		return nil, w.explain(err)
	}
	w.readExe(known)
	w.readMaps()
	return w, nil
}

// readExe reads what the process runs, and reports whether that is another file than before.
func (w *watcher) readExe(known *object) bool {
	path := filepath.Join(w.dir, "exe")
	name, err := os.Readlink(path)
	name = strings.TrimSuffix(name, " (deleted)")
	if err != nil || w.exe != nil && w.exe.name == name {
		return false
	}
	w.exe, w.info = newObject(path, name), nil
	if known != nil && sameFile(known.path, path) {
		known.name = name
		w.exe = known
	}
	w.objects[name] = w.exe
	if w.exe.hold(); w.exe.held != nil {
		w.info, _ = buildinfo.Read(w.exe.held)
	}
	return true
}

// restart forgets what ran before the process became another program (execve(2)), whose addresses mean something else.
func (w *watcher) restart() {
	w.drain()
	w.stacks, w.maps, w.urandom = newStacks(), nil, false
	w.before, w.after = new(histogram), nil
	w.used, _, _ = readTicks(w.dir)
	w.start = time.Now()
}

// open opens the events: with the kernel's part, or without it where the kernel keeps that from users.
func (w *watcher) open() error {
	cpus, err := onlineCPUs()
	if err != nil {
		return err
	}
	for _, kernel := range []bool{true, false} {
		w.kernel = kernel
		if err = w.openAll(cpus); err == nil || !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EPERM) {
			return err
		}
		w.close()
	}
	return err
}

// openAll opens an event for each thread and CPU: only so do threads that are started later inherit one that has a ring.
func (w *watcher) openAll(cpus []int) error {
	opened := make(map[string]bool)
	for fresh := true; fresh; { // until no thread was started meanwhile
		threads, err := filepath.Glob(filepath.Join(w.dir, "task", "*"))
		if err != nil || len(threads) == 0 {
			return errGone
		}
		fresh = false
		for _, path := range threads {
			tid, _ := strconv.Atoi(filepath.Base(path))
			if opened[path] {
				continue
			}
			opened[path], fresh = true, true
			if err := w.openThread(tid, cpus); errors.Is(err, unix.ESRCH) {
				continue // it has ended
			} else if err != nil {
				return err
			}
		}
	}
	if len(w.events) == 0 {
		return errGone
	}
	return nil
}

func (w *watcher) openThread(tid int, cpus []int) error {
	attr := eventAttr(w.kernel)
	for i, cpu := range cpus {
		fd, err := unix.PerfEventOpen(&attr, tid, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if err != nil {
			return err
		}
		w.events = append(w.events, fd)
		if i < len(w.rings) {
			err = unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_OUTPUT, w.rings[i].fd)
		} else {
			var r *ring
			if r, err = newRing(fd); err == nil {
				w.rings = append(w.rings, r)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// close closes all.
func (w *watcher) close() {
	for _, r := range w.rings {
		r.close()
	}
	for _, fd := range w.events {
		unix.Close(fd)
	}
	w.rings, w.events = nil, nil
}

// explain says why a process can't be watched.
func (w *watcher) explain(err error) error {
	switch {
	case errors.Is(err, errGone), errors.Is(err, unix.ESRCH):
		return fmt.Errorf("process %d: %w", w.pid, errGone)
	case errors.Is(err, unix.EMFILE):
		return fmt.Errorf("process %d has too many threads for the limit of open files: %w", w.pid, err)
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		var st unix.Stat_t
		if unix.Stat(w.dir, &st) == nil && int(st.Uid) != os.Getuid() && os.Getuid() != 0 {
			return fmt.Errorf("process %d belongs to the user %d, and this is the user %d: only its own user or root may watch it",
				w.pid, st.Uid, os.Getuid())
		}
		text, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
		return fmt.Errorf("the kernel refuses perf events of process %d: kernel.perf_event_paranoid is %s and must be 2 or less, "+
			"and a container must allow perf_event_open", w.pid, strings.TrimSpace(string(text)))
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOSYS):
		return fmt.Errorf("this kernel has no perf events: %w", err)
	}
	return fmt.Errorf("perf events of process %d: %w", w.pid, err)
}

// isThread reports whether the pid is that of a thread and not of a process.
func (w *watcher) isThread() bool {
	status, _ := os.ReadFile(filepath.Join(w.dir, "status"))
	for line := range strings.Lines(string(status)) {
		if group, ok := strings.CutPrefix(line, "Tgid:"); ok {
			return strings.TrimSpace(group) != strconv.Itoa(w.pid)
		}
	}
	return false
}

// isGone reports whether the process has ended.
func (w *watcher) isGone() bool {
	_, state, err := readTicks(w.dir)
	return err != nil || state == "Z" || state == "X"
}

// watch takes samples until ctx is done or the process is gone.
func (w *watcher) watch(ctx context.Context, gone func() bool) {
	w.used, _, _ = readTicks(w.dir)
	w.start = time.Now()
	for _, fd := range w.events {
		unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0)
	}
	tick := time.NewTicker(drainEach)
	defer tick.Stop()
	for n := 0; ctx.Err() == nil && !gone(); n++ {
		select {
		case <-ctx.Done():
		case <-tick.C:
			if w.readExe(nil) {
				w.restart()
				n = 0
			}
			w.drain()
			w.look(n)
		}
	}
	for _, fd := range w.events {
		unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_DISABLE, 0)
	}
	w.ended = time.Now()
	if left, _, err := readTicks(w.dir); err == nil {
		w.left = left
	}
	w.drain()
	w.look(0)
}

// look reads what a process that has ended doesn't show any more, each second.
func (w *watcher) look(n int) {
	if n%10 != 0 {
		return
	}
	w.readMaps()
	if w.before != nil {
		h, why := w.latencies()
		if h != nil {
			w.after = h
		} else if w.after == nil {
			w.late = why
		}
	}
	if !w.urandom {
		files, _ := filepath.Glob(filepath.Join(w.dir, "fd", "*"))
		for _, f := range files {
			if to, err := os.Readlink(f); err == nil && (to == "/dev/urandom" || to == "/dev/random") {
				w.urandom = true
			}
		}
	}
}

func (w *watcher) drain() {
	for _, r := range w.rings {
		r.drain(w.stacks.add)
	}
}

// readMaps keeps the last maps that were to be had: a process that ends has none.
func (w *watcher) readMaps() {
	f, err := os.Open(filepath.Join(w.dir, "maps"))
	if err != nil {
		return
	}
	defer f.Close()
	if maps, err := profile.ParseProcMaps(f); err == nil && len(maps) > 0 {
		w.maps = maps
		for _, m := range maps {
			if strings.HasPrefix(m.File, "/") {
				w.object(m.File)
			}
		}
	}
}

// profile makes a Profile of what was seen.
func (w *watcher) profile() (*Profile, error) {
	p := &Profile{Program: w.name(), Source: "perf events of the kernel", Elapsed: w.ended.Sub(w.start)}
	if w.info != nil {
		p.Go, p.Module = w.info.GoVersion, w.info.Main.Path
		if p.Module == "command-line-arguments" {
			p.Module = ""
		}
	}
	s := newSymbols(w)
	for chain, n := range w.stacks.of(w.pid) {
		p.Stacks = append(p.Stacks, Stack{Frames: s.frames(chain), Seconds: float64(n) * samplePeriod.Seconds(), Samples: n})
	}
	w.addKernel(p)
	w.addNotes(p)
	if w.after != nil && w.before != nil {
		p.Lateness = w.after.minus(w.before).lateness("goroutines that could run were")
	} else {
		p.Notes = append(p.Notes, "How late goroutines run is not known: "+w.late+".")
	}
	return p, nil
}

// name is that of the executable.
func (w *watcher) name() string {
	if w.exe != nil {
		return base(w.exe.name)
	}
	comm, _ := os.ReadFile(filepath.Join(w.dir, "comm"))
	return strings.TrimSpace(string(comm))
}

// addKernel adds the time in the kernel where the samples leave it out.
func (w *watcher) addKernel(p *Profile) {
	if w.kernel {
		return
	}
	p.Kernel = max(0, (w.left.system - w.used.system).Seconds())
	p.Notes = append(p.Notes, "Time in the kernel is counted, and not by line: kernel.perf_event_paranoid is above 1 for this user. "+
		"A getrandom that is no vDSO's is part of it.")
}

func (w *watcher) addNotes(p *Profile) {
	if w.info == nil {
		p.Notes = append(p.Notes, "It is no Go program, or hides that: functions are known by the names that its files have left, and lines are not.")
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		p.Notes = append(p.Notes, "Go keeps no frame pointers on "+runtime.GOARCH+": callers are not known.")
	}
	if w.info != nil && w.exe != nil && !w.exe.hasLines() {
		p.Notes = append(p.Notes, "Its DWARF is stripped: where calls were inlined, lines are those before them in the same function.")
	}
	if w.urandom {
		p.Notes = append(p.Notes, "It has /dev/urandom or /dev/random open. Reads of them are part of the kernel's time.")
	}
	if lost := w.stacks.lost; lost > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d samples were lost.", lost))
	}
	if others := w.stacks.others(w.pid); others > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d samples were of processes that it started; watch them by themselves.", others))
	}
}

// ticks is CPU time used.
type ticks struct{ user, system time.Duration }

// readTicks reads /proc/PID/stat: what was used, and the state.
func readTicks(dir string) (t ticks, state string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return t, "", err
	}
	return parseStat(string(text))
}

// parseStat reads the state and the fields 14 and 15, which are in hundredths of seconds on every Linux.
func parseStat(text string) (t ticks, state string, err error) {
	end := strings.LastIndexByte(text, ')') // the name may hold anything
	fields := strings.Fields(text[end+1:])
	if end < 0 || len(fields) < 13 {
		return t, "", errors.New("no stat of a process")
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 48)
	system, err2 := strconv.ParseInt(fields[12], 10, 48)
	if err := errors.Join(err1, err2); err != nil {
		return t, "", err
	}
	const tick = 10 * time.Millisecond
	return ticks{time.Duration(user) * tick, time.Duration(system) * tick}, fields[0], nil
}

// onlineCPUs are the CPUs that there are.
func onlineCPUs() ([]int, error) {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return nil, err
	}
	return parseCPUs(strings.TrimSpace(string(text)))
}

// parseCPUs reads a list such as 0-3,8.
func parseCPUs(text string) (cpus []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		first, err1 := strconv.ParseUint(from, 10, 16)
		last, err2 := strconv.ParseUint(to, 10, 16)
		if err := errors.Join(err1, err2); err != nil || last < first {
			return nil, fmt.Errorf("%q is no list of CPUs", text)
		}
		for cpu := first; cpu <= last; cpu++ {
			cpus = append(cpus, int(cpu))
		}
	}
	return cpus, nil
}
