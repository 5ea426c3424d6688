// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// How fast Plan 9's /dev/random is. The classic kernel's holds 1023 bytes; once they are gone it makes 19 a second, and
// whoever reads it waits. To look takes bytes from others, so few are taken.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

const (
	// sip is how many bytes are read at most: less than a hundredth of what the device holds, and 0.4 s of one that is
	// drained.
	sip = 8
	// patience is how long they are waited for, from before the device is opened: where a server is mounted that hangs,
	// nothing has an end. Other programs may stand in line, each for 1.7 s.
	patience = time.Second
	// slow is the longest wait for a byte of a device that is not drained. A drained one makes a byte in 52 ms.
	slow = 10 * time.Millisecond
)

// A Device is Plan 9's /dev/random.
type Device struct {
	Served  bool    `json:"served"`          // a file server's, as fount's is, and not the kernel's
	Bytes   int     `json:"bytes"`           // read to find out, at most 8
	MS      float64 `json:"ms"`              // in which they came
	Drained bool    `json:"drained"`         // its readers wait
	Rate    float64 `json:"bytes_per_s"`     // of a drained device; 0 if it is not drained or gave less than two bytes
	Error   string  `json:"error,omitempty"` // why it can't be read, as after the end of a server that is still mounted
}

var (
	errLate  = errors.New("late")
	errHangs = fmt.Errorf("not opened within %v: the file server mounted there hangs", patience)
)

// within waits for what f returns, until late. An f that is late is left behind.
func within[T any](late <-chan time.Time, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	came := make(chan result, 1)
	apart(func() {
		value, err := f()
		came <- result{value, err}
	})
	select {
	case r := <-came:
		return r.value, r.err
	case <-late:
		return *new(T), errLate
	}
}

// lookAt opens the device, has served tell whether it is a file server's, and tastes it, all within patience. What is late is
// left behind, one call at most.
func lookAt(path string, served func(*os.File) (bool, error)) *Device {
	late := time.After(patience)
	file, err := within(late, func() (*os.File, error) { return os.Open(path) })
	var isServed bool
	if err == nil {
		defer file.Close() // waits for nothing that is left behind
		isServed, err = within(late, func() (bool, error) { return served(file) })
	}
	if err == errLate {
		err = errHangs
	}
	if err != nil {
		return &Device{Error: err.Error()}
	}
	d := taste(late, file)
	d.Served = isServed
	return &d
}

// taste reads r byte by byte and times the bytes, until late.
func taste(late <-chan time.Time, r io.Reader) (d Device) {
	start := time.Now()
	var waits []time.Duration
	for len(waits) < sip && d.Error == "" && !d.Drained {
		begin := time.Now()
		_, err := within(late, func() (int, error) {
			var b [1]byte
			return io.ReadFull(r, b[:])
		})
		switch err {
		case nil:
			waits = append(waits, time.Since(begin))
		case errLate:
			d.Drained = true
		default:
			d.Error = err.Error()
		}
	}
	d.Bytes, d.MS = len(waits), float64(time.Since(start))/float64(time.Millisecond)
	d.judge(waits)
	return d
}

// answers reports whether a program that wants 32 bytes will have them within a minute or so.
func (d *Device) answers() bool { return d.Error == "" && (!d.Drained || d.Rate > 0) }

// judge takes the median of the last three waits, as any one may be another program's doing, and bytes before may be those
// that the device still held. The first wait does not count: it began within a byte.
func (d *Device) judge(waits []time.Duration) {
	if len(waits) < 2 {
		return
	}
	last := slices.Sorted(slices.Values(waits[max(1, len(waits)-3):]))
	if median := last[len(last)/2]; median > slow {
		d.Drained, d.Rate = true, float64(time.Second)/float64(median)
	}
}

// What a program that uses crypto/rand reads at its first use, and how many such programs the experiment of
// golang/go#10028 starts at once.
const seedBytes, starts = 32, 16

// device is the finding about Plan 9's /dev/random. The last figure is of 9front in QEMU.
func (f Facts) device() Finding {
	d := f.Random.Device
	x := Finding{Note, "/dev/random", fmt.Sprintf("%d bytes in %.0f ms", d.Bytes, d.MS), ""}
	if d.Served {
		x.Value = "a file server's, " + x.Value
	}
	const cure = "fount's files bound over it (docs/files.md, Plan 9)"
	switch {
	case d.Error != "":
		x.Level, x.Value = Problem, d.Error
		x.Means = "Go programs stop at their first random byte, or wait for it: if the server mounted there has ended, type unmount /dev/random; " +
			"if it hangs, kill it first (docs/files.md, Plan 9)."
	case d.Rate > 0:
		wait := seedBytes / d.Rate
		x.Value += fmt.Sprintf(", drained, %.0f B/s", d.Rate)
		x.Means = fmt.Sprintf("A program's first use of crypto/rand waits %.2g s for %d bytes, %d programs at once %.2g s: with %s those took 0.8 s.",
			wait, seedBytes, starts, starts*wait, cure)
	case d.Drained:
		x.Level = Problem
		x.Value += ", others wait for it"
		x.Means = "So does every program at its first use of crypto/rand: with " + cure + " none does."
	case d.Served:
		x.Level, x.Means = OK, "Programs that use crypto/rand do not wait for the kernel's."
	default:
		x.Means = "A classic kernel's holds 1023 and then makes 19 a second, of which a program that uses crypto/rand takes 32: " +
			cure + " don't run dry."
	}
	return x
}
