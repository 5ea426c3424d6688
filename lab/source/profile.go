// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package source

// Where the convenience's time goes, by a CPU profile of a run of its own: the runs that are timed have none.

import (
	"bytes"
	"fmt"
	"math"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"fount/lab/measure"
	"fount/lab/why"
)

// fewest is how many samples shares are told from: with 100 each is known to 10 points.
const fewest = 100

// parts are what a sample of Crypto may be in, by the starts of its functions' names. A sample belongs to the innermost
// function that a part names, so what a part allocates is its own.
var parts = []struct {
	name   string
	starts []string
}{
	{"crypto/rand", []string{"crypto/"}},
	{"encoding/binary", []string{"encoding/binary."}},
	{"math/rand's Intn", []string{"math/rand.", "fount/lab/source.cryptoSource."}},
}

// Profile draws by Crypto for a turn under the CPU profiler and adds to the table's conclusion which part of the time each
// package took. Nothing else in the process may be profiling.
func Profile(t *measure.Table, turn time.Duration) error {
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return err
	}
	p := measure.Plan{Rounds: 1, Turn: turn, Warmup: turn / 50, Procs: []int{t.GOMAXPROCS}, Workers: []int{1}}
	drawn := p.Run([]measure.Method{method("Crypto", "", crypto)}, nil)[0]
	pprof.StopCPUProfile()
	if drawn.Err != nil {
		return drawn.Err
	}
	read, err := why.ReadPprof(&profile)
	if err != nil {
		return err
	}
	t.Conclusion.Say(shares(read.Stacks))
	return nil
}

// shares says which part of the samples each package has.
func shares(stacks []why.Stack) string {
	all, of := int64(0), make([]int64, len(parts)+1)
	for _, s := range stacks {
		all += s.Samples
		of[partOf(s.Frames)] += s.Samples
	}
	if all < fewest {
		return fmt.Sprintf("A profile of Crypto has %d samples, too few to tell shares from; %d are enough.", all, fewest)
	}
	var said []string
	for i, n := range of {
		name := "elsewhere"
		if i < len(parts) {
			name = parts[i].name
		}
		said = append(said, fmt.Sprintf("%s %.0f %%", name, 100*float64(n)/float64(all)))
	}
	return fmt.Sprintf("By a profile of Crypto its time is in: %s (%d samples, each share within %.0f points); in the post crypto/rand took %s.",
		strings.Join(said, ", "), all, math.Ceil(196*math.Sqrt(0.25/float64(all))), share(thenOfRead()))
}

// partOf is the index of the part that a stack, innermost function first, is in; len(parts) for none.
func partOf(frames []why.Frame) int {
	for _, f := range frames {
		for i, p := range parts {
			if slices.ContainsFunc(p.starts, func(start string) bool { return strings.HasPrefix(f.Func, start) }) {
				return i
			}
		}
	}
	return len(parts)
}

// thenOfRead is which part of Crypto CryptoRead took in the post.
func thenOfRead() float64 {
	read, _ := then("CryptoRead")
	all, _ := then("Crypto")
	return read / all
}

func share(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
