// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Profiles of runtime/pprof and net/http/pprof.

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"fount/lab/show"

	"github.com/google/pprof/profile"
)

// mostProfile is the largest profile that is read, in bytes, compressed or not.
const mostProfile = 64 << 20

// ReadPprof reads a CPU profile.
func ReadPprof(r io.Reader) (*Profile, error) {
	in, err := parsePprof(r)
	if err != nil {
		return nil, err
	}
	cpu := typed(in, "cpu", "nanoseconds")
	if cpu < 0 {
		return nil, fmt.Errorf("it is a profile of %s; a CPU profile is wanted", kinds(in))
	}
	p := &Profile{Source: "pprof", Elapsed: time.Duration(max(0, in.DurationNanos))}
	if len(in.Mapping) > 0 {
		p.Program = path.Base(in.Mapping[0].File)
	}
	samples := typed(in, "samples", "count")
	frames := 0 // counted before any is made
	for _, s := range in.Sample {
		if s.Value[cpu] <= 0 {
			continue
		}
		if frames += depth(s); frames > mostFrames {
			return nil, fmt.Errorf("its stacks hold more than %d million functions", mostFrames/1_000_000)
		}
	}
	for _, s := range in.Sample {
		if s.Value[cpu] <= 0 {
			continue
		}
		stack := Stack{Frames: framesOf(s), Seconds: float64(s.Value[cpu]) / 1e9, Samples: 1}
		switch {
		case samples >= 0:
			stack.Samples = min(max(0, s.Value[samples]), mostSamples)
		case in.Period > 0:
			stack.Samples = min(s.Value[cpu]/in.Period, mostSamples)
		}
		p.Stacks = append(p.Stacks, stack)
	}
	p.Go = builtWith(p.Stacks)
	return p, nil
}

// mostSamples is more samples than any stack has, and so few that those of all stacks together are an int64.
const mostSamples = 1 << 32

// mostFrames bounds the memory for stacks, in which a small profile may name a location again and again: a server of 64
// cores fills a tenth of it in a minute.
const mostFrames = 16_000_000

// depth is how many functions are in a sample.
func depth(s *profile.Sample) (n int) {
	for _, l := range s.Location {
		n += max(1, len(l.Line))
	}
	return n
}

var errNotPprof = errors.New("it is no profile of pprof")

// parsePprof reads a profile of any kind. It decompresses by itself: the package would for as long as there are bytes.
func parsePprof(r io.Reader) (*profile.Profile, error) {
	data, err := readMost(r)
	if err == nil && isGzip(data) {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err != nil {
			return nil, errNotPprof
		}
		data, err = readMost(z)
	}
	switch {
	case err != nil:
		return nil, err
	case isGzip(data):
		return nil, errNotPprof
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, errNotPprof
	}
	return p, nil
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// readMost reads all, up to mostProfile.
func readMost(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostProfile+1))
	if len(data) > mostProfile {
		return nil, fmt.Errorf("it is larger than %d MiB", mostProfile>>20)
	}
	return data, err
}

// typed is the index of the values of a type, -1 if there are none.
func typed(p *profile.Profile, kind, unit string) int {
	for i, t := range p.SampleType {
		if t.Type == kind && t.Unit == unit {
			return i
		}
	}
	return -1
}

// kinds are the types of a profile's values.
func kinds(p *profile.Profile) string {
	var all []string
	for _, t := range p.SampleType {
		all = append(all, t.Type)
	}
	if len(all) == 0 {
		return "nothing"
	}
	return show.Printable(strings.Join(all, ", "))
}

// framesOf are the functions of a sample, those that were inlined before those that they are in.
func framesOf(s *profile.Sample) (frames []Frame) {
	for _, l := range s.Location {
		if len(l.Line) == 0 {
			name := ""
			if l.Mapping != nil && l.Mapping.File != "" {
				name = "[" + path.Base(l.Mapping.File) + "]"
			}
			frames = append(frames, Frame{Func: name})
		}
		for _, line := range l.Line {
			if line.Function != nil {
				frames = append(frames, Frame{line.Function.Name, line.Function.Filename, int(line.Line)})
			}
		}
	}
	return frames
}

// builtWith tells from the runtime's functions whether a program is of Go.
func builtWith(stacks []Stack) string {
	for _, s := range stacks {
		for _, f := range s.Frames {
			if strings.HasPrefix(f.Func, "runtime.") {
				return "go"
			}
		}
	}
	return ""
}

// waitsOf are the waits in a profile of the kind "mutex" or "block".
func waitsOf(in *profile.Profile, kind string) (waits []Wait) {
	delay := typed(in, "delay", "nanoseconds")
	if delay < 0 {
		return nil
	}
	all := 0.0
	sums := make(map[key]float64)
	var order []key
	for _, s := range in.Sample {
		seconds := float64(s.Value[delay]) / 1e9
		if !(seconds > 0) { // a difference of two profiles may hold these
			continue
		}
		all += seconds
		k, ok := keyOf(framesOf(s))
		if !ok {
			continue
		}
		if _, seen := sums[k]; !seen {
			order = append(order, k)
		}
		sums[k] += seconds
	}
	for _, k := range order {
		waits = append(waits, Wait{Family: k.family, Call: k.call, Site: k.site, Seconds: sums[k], Share: sums[k] / all, Kind: kind})
	}
	return waits
}
