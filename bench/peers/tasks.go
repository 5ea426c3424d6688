// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

// What the peers are compared at.

import (
	"fmt"
	"strings"

	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/source"
)

// A Task is one thing that several peers can do.
type Task struct {
	Name  string // of its benchmark without "Benchmark": Go's name, and parameters for benchstat
	Title string // in tables and plots
	Base  string // the Peer whose cost is 1
	lab   func() []measure.Method
	loop  func(w Worker) func(n int) // nil if w can't
}

// Method is p's way to do the task. ok is false if p can't do it, as far as this build can tell. What a study of the lab
// measures too is that study's method, so that one thing has one price.
func (t Task) Method(p Peer) (m measure.Method, ok bool) {
	if p.Open == nil {
		return m, false
	}
	if t.lab != nil {
		for _, m := range t.lab() {
			if m.Name == strings.TrimSuffix(p.Name, inFIPSMode) {
				m.Name = p.Name
				return m, true
			}
		}
	}
	w := p.Open()
	if w.Close != nil {
		defer w.Close()
	}
	if t.loop(w) == nil {
		return m, false
	}
	return measure.Method{Name: p.Name, Open: func() (measure.Source, error) { return open(t, p), nil }}, true
}

// A peerAtWork is the source of a peer's method.
type peerAtWork struct {
	task Task
	peer Peer
	stop func()
}

func open(t Task, p Peer) peerAtWork {
	stop := func() {}
	if p.Start != nil {
		stop = p.Start()
	}
	return peerAtWork{t, p, stop}
}

// Worker opens the peer for a goroutine.
func (a peerAtWork) Worker(int) measure.Worker {
	w := a.peer.Open()
	return measure.Loop{Do: a.task.loop(w), End: w.Close}
}

// Close undoes the peer's Start.
func (a peerAtWork) Close() { a.stop() }

// Sizes are the sizes of Read, in bytes.
var Sizes = []int{8, 16, 32, 256, 4 << 10, 64 << 10, 1 << 20}

// Values are the tasks that make one value at a time.
var Values = []Task{Nonce, Uint64, IntN, UUID, UUIDString, UUIDv7, Text}

// The tasks of Values.
var (
	Nonce = Task{"Nonce", "Nonce: 16 bytes as an array", "crypto/rand", nonce.Standard,
		func(w Worker) func(int) { return loop(w.Nonce) }}
	Uint64 = Task{"Uint64", "Uint64: a 64-bit integer", "crypto/rand", nil,
		func(w Worker) func(int) { return loop(w.Uint64) }}
	IntN = Task{"IntN", fmt.Sprintf("IntN: an integer below %d", Bound), "crypto/rand", integers,
		func(w Worker) func(int) { return loop(w.IntN) }}
	UUID = Task{"UUID", "UUID: version 4, a value", "google/uuid", nil,
		func(w Worker) func(int) { return loop(w.UUID) }}
	UUIDString = Task{"UUIDString", "UUIDString: version 4, as text", "google/uuid", nil,
		func(w Worker) func(int) { return loop(w.UUIDString) }}
	UUIDv7 = Task{"UUIDv7", "UUIDv7: version 7, a value", "google/uuid", nil,
		func(w Worker) func(int) { return loop(w.UUIDv7) }}
	Text = Task{"Text", "Text: 26 characters of base32", "crypto/rand", nil,
		func(w Worker) func(int) { return loop(w.Text) }}
)

// Read is the task to read size bytes at once.
func Read(size int) Task {
	return Task{fmt.Sprintf("Read/size=%d", size), "Read: " + Bytes(size) + " at once", "crypto/rand", nil,
		func(w Worker) func(int) { return readLoop(w.Read, size) }}
}

// integers are the lab's under the peers' names.
func integers() (list []measure.Method) {
	for _, m := range source.Methods() {
		if m.Name == "fount.IntN" {
			m.Name = "fount"
		}
		list = append(list, m)
	}
	return list
}

// Tasks returns all tasks: the reads by size, then Values.
func Tasks() (tasks []Task) {
	for _, size := range Sizes {
		tasks = append(tasks, Read(size))
	}
	return append(tasks, Values...)
}

// Bytes is a size as text: "16 B", "4 KiB".
func Bytes(size int) string {
	switch {
	case size >= 1<<20 && size%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", size>>20)
	case size >= 1<<10 && size%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", size>>10)
	}
	return fmt.Sprintf("%d B", size)
}

// loop draws n values into a small array again and again, which keeps the compiler from leaving
// a draw out.
func loop[T any](draw func(dst []T)) func(n int) {
	if draw == nil {
		return nil
	}
	dst := make([]T, 64)
	return func(n int) {
		for ; n > len(dst); n -= len(dst) {
			draw(dst)
		}
		draw(dst[:n])
	}
}

// readLoop reads into 4 KiB again and again, or into one read's bytes if they are more.
func readLoop(read func(dst []byte, size int), size int) func(n int) {
	if read == nil {
		return nil
	}
	fit := max(1, 4096/size)
	dst := make([]byte, fit*size)
	return func(n int) {
		for ; n > fit; n -= fit {
			read(dst, size)
		}
		read(dst[:n*size], size)
	}
}
