// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The emulated device, which is as slow as Plan 9's.

import (
	"errors"
	"sync"
	"time"
)

const (
	ringHolds  = 1023
	ticksAByte = 4 // 2 bits a tick
	plan9Tick  = 13 * time.Millisecond
)

// A device is test equipment: the classic /dev/random of Plan 9 (port/random.c) with its timing. A
// clock makes 2 bits a tick, and up to 1023 bytes wait for readers. Readers are served in order,
// each until it has all its bytes. The bytes are zeros, and used for nothing.
//
// In the kernel a tick makes nothing if the loop that counts has not run since the last. Here late
// ticks are made up for: else, on a machine with a load of 9, the device gave 7.9 B/s in place of
// 19.2, which would flatter what it is compared with.
//
// Any goroutine may call its methods.
type device struct {
	turn  chan struct{} // held by the reader being served; a channel serves waiters in order
	made  chan struct{} // a value for each byte that waits
	done  chan struct{} // closed by close
	end   sync.Once
	clock sync.WaitGroup
}

var errDeviceClosed = errors.New("the emulated device is closed")

// newDevice is a device that does not run, and holds nothing.
func newDevice() *device {
	return &device{turn: make(chan struct{}, 1), made: make(chan struct{}, ringHolds), done: make(chan struct{})}
}

// start starts the clock.
func (d *device) start(tick time.Duration) {
	d.clock.Go(func() {
		ticker := time.NewTicker(tick)
		defer ticker.Stop()

		begin := time.Now()
		for n := time.Duration(0); ; {
			select {
			case <-ticker.C:
			case <-d.done:
				return
			}

			for ; n < time.Since(begin)/(ticksAByte*tick); n++ {
				select {
				case d.made <- struct{}{}:
				default: // it holds all that it can
				}
			}
		}
	})
}

// close ends the reads, which fail, and stops the clock.
func (d *device) close() {
	d.end.Do(func() { close(d.done) })
	d.clock.Wait()
}

// Read waits for its turn and fills b. It fails only when the device is closed.
func (d *device) Read(b []byte) (n int, err error) {
	select {
	case d.turn <- struct{}{}:
	case <-d.done:
		return 0, errDeviceClosed
	}

	defer func() { <-d.turn }()

	for n < len(b) {
		select {
		case <-d.made:
			b[n] = 0
			n++
		case <-d.done:
			return n, errDeviceClosed
		}
	}
	return n, nil
}
