// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// Draws in rounds: each worker draws from every stream once, into rings that hold the latest.

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"fount"
	"fount/cmd/internal/test/internal/wire"
	"fount/internal/clone"
)

const (
	kept = 1 << 16 // draws in a ring: a second's, where a clone is told to go on within some 10 ms
	warm = 1000    // rounds before the machine may be stopped
)

// A draw is one value and the words around it.
type draw struct {
	before, after uint64
	value         [16]byte
}

type worker struct {
	begun, done *[wire.Streams]uint64
	word        *uint64
	naive       *rand.ChaCha8
	last        atomic.Uint64 // the round before which it ends
	rings       [wire.Streams][kept]draw
}

// rounds draws until the clone has made the draws that it is told to make.
func rounds() {
	seek()
	tray := openTray()
	settle()
	marks := (*wire.Marks)(unsafe.Pointer(unsafe.SliceData(tray))) // page-aligned, never unmapped
	var workers [wire.Workers]*worker
	var all sync.WaitGroup
	for i := range workers {
		var seed [32]byte
		cryptorand.Read(seed[:])
		w := &worker{begun: &marks[i].Begun, done: &marks[i].Done, word: &marks[i].Word, naive: rand.NewChaCha8(seed)}
		w.last.Store(1 << 63)
		workers[i] = w
		all.Go(w.run)
	}
	for _, w := range workers {
		for atomic.LoadUint64(&w.done[wire.Streams-1]) < warm {
			runtime.Gosched()
		}
	}
	order := offer(clone.Load())
	// From here on there are clones.
	for order.Await && clone.Load() == order.Word {
		runtime.Gosched()
	}
	for _, w := range workers {
		w.last.Store(atomic.LoadUint64(&w.begun[0]) + order.More)
	}
	all.Wait()
	d := wire.Dump{Status: status(), Word: clone.Load()}
	for k, w := range workers {
		w.collect(&d.Worker[k], order.From[k])
	}
	leave(tray, d)
}

func (w *worker) run() {
	for i := uint64(0); i < w.last.Load(); i++ {
		for s := range w.rings {
			d := &w.rings[s][i%kept]
			atomic.StoreUint64(&w.begun[s], i+1)
			d.before = clone.Load()
			w.draw(s, &d.value)
			d.after = clone.Load()
			atomic.StoreUint64(&w.done[s], i+1)
			atomic.StoreUint64(w.word, d.after)
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

// collect puts the worker's draws since the snapshot into d.
func (w *worker) collect(d *[wire.Streams]wire.Records, from uint64) {
	end := w.last.Load()
	if end-from > kept {
		must(fmt.Errorf("%d draws since the snapshot, only %d are kept", end-from, kept))
	}
	for i := from; i < end; i++ {
		for s := range w.rings {
			x := &w.rings[s][i%kept]
			d[s].Add(x.before, x.after, x.value[:wire.Sizes[s]])
		}
	}
}
