// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// testTick is a thousandth of the real one.
const testTick = 13 * time.Microsecond

// With Plan 9's clock 128 bytes of an empty device take 6.656 s, and the last of 16 processes waits
// 16 times as long, 106.5 s, each in its turn. What nobody reads waits, 1023 bytes of it.
func TestDeviceIsAsSlowAsPlan9(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const procs, size = 16, 128
		d := newDevice()
		defer d.close()
		begin := time.Now()
		d.start(plan9Tick)
		read := func(size int) {
			if n, err := d.Read(make([]byte, size)); n != size || err != nil {
				t.Errorf("read %d, %v", n, err)
			}
		}
		took := make([]chan time.Duration, procs)
		for k := range took {
			took[k] = make(chan time.Duration, 1)
			go func() {
				read(size)
				took[k] <- time.Since(begin)
			}()
			synctest.Wait()
		}
		for k := range took {
			if got, want := <-took[k], time.Duration(k+1)*6656*time.Millisecond; got != want {
				t.Errorf("process %d had its bytes after %v, want %v", k+1, got, want)
			}
		}
		time.Sleep(time.Hour)
		begin = time.Now()
		read(ringHolds)
		if took := time.Since(begin); took != 0 {
			t.Errorf("%d bytes after an hour took %v", ringHolds, took)
		}
		read(1)
		if took := time.Since(begin); took == 0 || took > ticksAByte*plan9Tick {
			t.Errorf("the next one took %v, want up to %v", took, ticksAByte*plan9Tick)
		}
	})
}

func TestClose(t *testing.T) {
	d := newDevice()
	d.start(time.Hour) // no tick will come
	failed := make(chan error, 3)
	for range 3 {
		go func() {
			_, err := d.Read(make([]byte, 1))
			failed <- err
		}()
	}
	d.close()
	for range 3 {
		if err := <-failed; !errors.Is(err, errDeviceClosed) {
			t.Errorf("%v, want %v", err, errDeviceClosed)
		}
	}
	d.close() // again
}
