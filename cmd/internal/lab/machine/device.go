// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// How fast Plan 9's /dev/random is. The classic kernel's holds 1023 bytes; once they are gone it
// makes 19 a second, and whoever reads it waits. To look takes bytes from others, so few are taken.

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// sip is how many bytes are read at most: less than a hundredth of what the device holds, and
	// 0.4 s of one that is drained.
	sip = 8
	// patience is how long they are waited for, from before the device is opened: where a server is
	// mounted that hangs, nothing has an end. Other programs may stand in line, each for 1.7 s.
	patience = time.Second
	// slow is the longest time for a byte of a device that is not drained: else it is 52 ms.
	slow = 10 * time.Millisecond
)

// A Device is Plan 9's /dev/random.
type Device struct {
	Served bool    `json:"served"`          // a file server's, as fount's is, and not the kernel's
	Bytes  int     `json:"bytes"`           // read to find out, at most 8
	MS     float64 `json:"ms"`              // in which they came, or did not
	Error  string  `json:"error,omitempty"` // as of a server that has ended and is mounted
}

// lookAt opens the device and tastes it, all within patience. What is late is left behind, one call
// at most, where apart has started it.
func lookAt(apart func(func()), open func() (r io.ReadCloser, served bool, err error)) *Device {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()

	var mu sync.Mutex
	d := Device{Error: fmt.Sprintf("not opened within %v: the file server mounted there hangs", patience)}
	start := time.Now()

	note := func(f func()) {
		mu.Lock()
		defer mu.Unlock()
		f()
	}

	apart(func() {
		defer cancel()
		r, served, err := open()
		note(func() {
			d = Device{Served: served}
			start = time.Now()
		})
		if err == nil {
			defer r.Close()
		}

		for n := 0; n < sip && err == nil && ctx.Err() == nil; n++ {
			if _, err = io.ReadFull(r, make([]byte, 1)); err == nil {
				note(func() { d.Bytes++ })
			}
		}

		if err != nil {
			note(func() { d.Error = err.Error() })
		}
	})

	<-ctx.Done()
	mu.Lock()
	defer mu.Unlock()
	seen := d
	seen.MS = time.Since(start).Seconds() * 1000
	return &seen
}

// answers reports whether a program that wants 32 bytes will have them within a minute or so.
func (d *Device) answers() bool { return d.Error == "" && d.Bytes > 1 }

// drained reports whether the device's readers wait.
func (d *Device) drained() bool {
	return d.Bytes < sip || d.MS > float64(sip*slow/time.Millisecond)
}

// device is the finding about Plan 9's /dev/random.
func (f Facts) device() Finding {
	d := f.Random.Device
	x := Finding{Note, "/dev/random", fmt.Sprintf("%d bytes in %.0f ms", d.Bytes, d.MS), ""}

	const cure = "fount's files bound over it (docs/files.md, Plan 9) don't run dry."

	if d.Served {
		x.Value = "a file server's, " + x.Value
	}

	switch {
	case d.Error != "":
		x.Level = Problem
		x.Value = d.Error
		x.Means = "Go programs stop at their first random byte, or wait for it: if the server mounted there has ended, type unmount /dev/random; " +
			"if it hangs, kill it first (docs/files.md, Plan 9)."
	case !d.answers():
		x.Level = Problem
		x.Means = "Every program waits at its first use of crypto/rand: " + cure
	case d.drained():
		x.Means = fmt.Sprintf("A program's first use of crypto/rand waits %.2g s for 32 bytes: %s", 32*d.MS/1000/float64(d.Bytes), cure)
	case d.Served:
		x.Level = OK
		x.Means = "Programs that use crypto/rand do not wait for the kernel's."
	default:
		x.Means = "A classic kernel's holds 1023 and then makes 19 a second, of which a program that uses crypto/rand takes 32: " + cure
	}
	return x
}
