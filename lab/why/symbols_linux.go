// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// From addresses in a process to names.

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
	"golang.org/x/sys/unix"
)

// symbols are those of the objects that a process has mapped, and of the kernel.
type symbols struct {
	w      *watcher
	known  map[uint64][]Frame
	kernel []kernelSymbol // nil until wanted
}

func newSymbols(w *watcher) *symbols { return &symbols{w: w, known: make(map[uint64][]Frame)} }

// The kernel writes -128 before its own addresses and -512 before the process's (enum perf_callchain_context).
const (
	contextMax    = ^uint64(4095) + 1 // all above are marks
	contextKernel = ^uint64(128) + 1
)

// frames are the functions of a stack, innermost first.
func (s *symbols) frames(chain []uint64) (frames []Frame) {
	kernel, first := false, true
	for _, pc := range chain {
		if pc >= contextMax {
			kernel, first = pc == contextKernel, true
			continue
		}
		if !first {
			pc-- // it is where the call returns to
		}
		first = false
		switch {
		case kernel:
			frames = append(frames, Frame{Func: s.kernelName(pc)})
		case s.known[pc] != nil:
			frames = append(frames, s.known[pc]...)
		default:
			at := s.at(pc)
			s.known[pc] = at
			frames = append(frames, at...)
		}
	}
	return frames
}

// at are the functions at an address.
func (s *symbols) at(pc uint64) []Frame {
	i := slices.IndexFunc(s.w.maps, func(m *profile.Mapping) bool { return m.Start <= pc && pc < m.Limit })
	if i < 0 {
		return []Frame{{Func: "[unknown]"}}
	}
	m := s.w.maps[i]
	if !strings.HasPrefix(m.File, "/") {
		return []Frame{{Func: "[" + strings.Trim(m.File, "[]") + "]"}}
	}
	o := s.w.object(m.File)
	o.open()
	at, ok := o.address(pc - m.Start + m.Offset)
	if !ok {
		return []Frame{{Func: "[" + base(o.name) + "]"}}
	}
	return o.frames(at)
}

// object is the file of that name in the process's maps. In the place of one that is deleted there may be another.
func (w *watcher) object(file string) *object {
	name, deleted := strings.CutSuffix(file, " (deleted)")
	o := w.objects[name]
	if o == nil {
		o = newObject(filepath.Join(w.dir, "root", name), name)
		if deleted {
			o.path = ""
		}
		o.hold()
		w.objects[name] = o
	}
	return o
}

type kernelSymbol struct {
	at   uint64
	name string
}

// kernelName is a function of the kernel, of which few users may know the addresses.
func (s *symbols) kernelName(pc uint64) string {
	if s.kernel == nil {
		s.kernel = []kernelSymbol{}
		if f, err := os.Open("/proc/kallsyms"); err == nil {
			s.kernel = readKernel(f)
			f.Close()
		}
	}
	i, found := slices.BinarySearchFunc(s.kernel, pc, func(k kernelSymbol, pc uint64) int { return compare(k.at, pc) })
	if !found {
		i--
	}
	if i < 0 || i >= len(s.kernel) {
		return "[kernel]"
	}
	return s.kernel[i].name
}

// readKernel reads the functions of /proc/kallsyms; none where their addresses are hidden.
func readKernel(r io.Reader) []kernelSymbol {
	all := []kernelSymbol{}
	in := bufio.NewScanner(r)
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) < 3 || !strings.ContainsAny(fields[1], "tTwW") {
			continue
		}
		if at, err := strconv.ParseUint(fields[0], 16, 64); err == nil && at != 0 {
			all = append(all, kernelSymbol{at, fields[2]})
		}
	}
	slices.SortStableFunc(all, func(a, b kernelSymbol) int { return compare(a.at, b.at) })
	return all
}

// Where the runtime keeps its histogram.
const (
	scheduler = "runtime.sched"
	timeToRun = "timeToRun"
)

// latencies reads the runtime's histogram, or says why not.
func (w *watcher) latencies() (*histogram, string) {
	if w.info == nil || w.exe == nil {
		return nil, "it is no Go program"
	}
	at, size, err := w.exe.runtimeField(scheduler, timeToRun)
	if err != nil {
		return nil, err.Error()
	}
	if size != histSize {
		return nil, errHistogram.Error()
	}
	at += w.bias()
	b := make([]byte, histSize)
	n, err := unix.ProcessVMReadv(w.pid, []unix.Iovec{iovec(b)}, []unix.RemoteIovec{{Base: uintptr(at), Len: len(b)}}, 0)
	switch {
	case errors.Is(err, unix.EPERM):
		return nil, "the kernel keeps its memory from others (kernel.yama.ptrace_scope)"
	case err != nil || n != len(b):
		return nil, "its memory can't be read"
	}
	h, err := readHistogram(b)
	if err != nil {
		return nil, err.Error()
	}
	return h, ""
}

func iovec(b []byte) unix.Iovec {
	v := unix.Iovec{Base: &b[0]}
	v.SetLen(len(b))
	return v
}

// bias is how far from where it was linked the executable is loaded.
func (w *watcher) bias() uint64 {
	for _, m := range w.maps {
		if strings.TrimSuffix(m.File, " (deleted)") == w.exe.name {
			const page = 4096 - 1 // a segment may begin within the page that is mapped
			if at, ok := w.exe.address(m.Offset + page); ok {
				return m.Start + page - at
			}
		}
	}
	return 0
}
