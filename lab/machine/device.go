// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// How fast Plan 9's /dev/random is. The classic kernel's holds 1023 bytes; once they are gone it makes 19 a second, and
// whoever reads it waits. To look takes bytes from others, so few are taken.

import (
	"context"
	"fmt"
	"io"
	"time"
)

const (
	// sip is how many bytes are read at most: less than a hundredth of what the device holds, and 0.4 s of one that is
	// drained.
	sip = 8
	// patience is how long they are waited for, from before the device is opened: where a server is mounted that hangs,
	// nothing has an end. Other programs may stand in line, each for 1.7 s.
	patience = time.Second
	// slow is the longest time for a byte of a device that is not drained. A drained one makes a byte in 52 ms.
	slow = 10 * time.Millisecond
)

// A Device is Plan 9's /dev/random.
type Device struct {
	Served bool    `json:"served"`          // a file server's, as fount's is, and not the kernel's
	Bytes  int     `json:"bytes"`           // read to find out, at most 8
	MS     float64 `json:"ms"`              // in which they came, or did not
	Error  string  `json:"error,omitempty"` // why it can't be read, as after the end of a server that is still mounted
}

// lookAt opens the device and tastes it, all within patience. What is late is left behind, one call at most, where apart has
// started it.
func lookAt(apart func(func()), open func() (r io.ReadCloser, served bool, err error)) *Device {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	type news struct {
		opened, served bool
		err            error
	}
	came := make(chan news, 1+sip)
	apart(func() {
		r, served, err := open()
		if came <- (news{true, served, err}); err != nil {
			return
		}
		defer r.Close()
		for n := 0; n < sip && err == nil && ctx.Err() == nil; n++ {
			_, err = io.ReadFull(r, make([]byte, 1))
			came <- news{err: err}
		}
	})
	d, opened, start := &Device{}, false, time.Now()
	for d.Bytes < sip && d.Error == "" {
		select {
		case n := <-came:
			switch {
			case n.err != nil:
				d.Error = n.err.Error()
			case n.opened:
				opened, d.Served, start = true, n.served, time.Now()
			default:
				d.Bytes++
			}
			continue
		case <-ctx.Done():
		}
		if !opened {
			d.Error = fmt.Sprintf("not opened within %v: the file server mounted there hangs", patience)
		}
		break
	}
	d.MS = float64(time.Since(start)) / float64(time.Millisecond)
	return d
}

// answers reports whether a program that wants 32 bytes will have them within a minute or so.
func (d *Device) answers() bool { return d.Error == "" && d.Bytes > 1 }

// drained reports whether the device's readers wait.
func (d *Device) drained() bool {
	return d.Bytes < sip || d.MS > float64(sip*slow/time.Millisecond)
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
	case !d.answers():
		x.Level = Problem
		x.Value += ", others wait for it"
		x.Means = "So does every program at its first use of crypto/rand: with " + cure + " none does."
	case d.drained():
		wait := seedBytes * d.MS / 1000 / float64(d.Bytes)
		x.Value += ", drained"
		x.Means = fmt.Sprintf("A program's first use of crypto/rand waits %.2g s for %d bytes, %d programs at once %.2g s: with %s those took 0.8 s.",
			wait, seedBytes, starts, starts*wait, cure)
	case d.Served:
		x.Level, x.Means = OK, "Programs that use crypto/rand do not wait for the kernel's."
	default:
		x.Means = "A classic kernel's holds 1023 and then makes 19 a second, of which a program that uses crypto/rand takes 32: " +
			cure + " don't run dry."
	}
	return x
}
