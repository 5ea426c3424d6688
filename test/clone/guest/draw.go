// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// The draws: a few goroutines draw in rounds, from every stream once, into
// rings that hold the latest.

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"fount"
	"fount/test/clone/wire"
	"fount/uniqueness"
)

// kept is how many draws a ring holds: a second's, where a clone that is told
// of its resumption needs some 10 ms to react.
const kept = 1 << 16

// warm is how many rounds each worker makes before the machine may be stopped.
const warm = 1000

// A draw is one value and the words around it.
type draw struct {
	before, after uint64
	value         [16]byte
}

type worker struct {
	mark  *wire.Mark
	naive *rand.ChaCha8
	last  atomic.Uint64 // the round before which it ends
	when  [kept]time.Time
	rings [wire.Streams][kept]draw
}

// A log is all that is drawn.
type log struct {
	marks   *wire.Marks
	workers [wire.Workers]*worker
	wg      sync.WaitGroup
}

func newLog(tray []byte) *log {
	// The tray is page-aligned, and is never unmapped.
	l := &log{marks: (*wire.Marks)(unsafe.Pointer(unsafe.SliceData(tray)))}
	for i := range l.workers {
		var seed [32]byte
		cryptorand.Read(seed[:])
		l.workers[i] = &worker{mark: &l.marks[i], naive: rand.NewChaCha8(seed)}
		l.workers[i].last.Store(1 << 63)
	}
	return l
}

// start returns when every worker is warm.
func (l *log) start() {
	for _, w := range l.workers {
		l.wg.Go(w.run)
	}
	for _, w := range l.workers {
		for atomic.LoadUint64(&w.mark.Done[wire.Streams-1]) < warm {
			runtime.Gosched()
		}
	}
}

// stop returns when every worker has made more rounds and ended.
func (l *log) stop(more uint64) {
	for _, w := range l.workers {
		w.last.Store(atomic.LoadUint64(&w.mark.Begun[0]) + more)
	}
	l.wg.Wait()
}

func (w *worker) run() {
	for i := uint64(0); i < w.last.Load(); i++ {
		w.when[i%kept] = time.Now()
		for s := range w.rings {
			d := &w.rings[s][i%kept]
			atomic.StoreUint64(&w.mark.Begun[s], i+1)
			d.before = uniqueness.Load()
			w.draw(s, &d.value)
			d.after = uniqueness.Load()
			atomic.StoreUint64(&w.mark.Done[s], i+1)
			atomic.StoreUint64(&w.mark.Word, d.after)
		}
	}
}

func (w *worker) draw(stream int, value *[16]byte) {
	switch stream {
	case wire.Fount:
		*value = fount.Nonce()
	case wire.CryptoRand:
		cryptorand.Read(value[:])
	case wire.MathRand:
		binary.LittleEndian.PutUint64(value[:], rand.Uint64())
	case wire.Naive:
		binary.LittleEndian.PutUint64(value[:], w.naive.Uint64())
	}
}

// collect puts what r asks for of the workers' draws into d.
func (l *log) collect(d *wire.Dump, r *wire.Resume) error {
	for k, w := range l.workers {
		end := w.last.Load()
		if end-r.From[k] > kept {
			return fmt.Errorf("%d draws since the snapshot, only %d are kept", end-r.From[k], kept)
		}
		d.Moved[k] = -1
		for i := r.From[k]; i < end; i++ {
			for s := range w.rings {
				x := &w.rings[s][i%kept]
				d.Worker[k][s].Add(x.before, x.after, x.value[:wire.Sizes[s]])
				if d.Moved[k] < 0 && x.after != r.Word {
					d.Moved[k] = max(0, int64(w.when[i%kept].Sub(w.when[(r.From[k]+1)%kept])))
				}
			}
		}
	}
	return nil
}
