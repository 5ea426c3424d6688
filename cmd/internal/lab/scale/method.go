// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// The methods that are compared.

import (
	cryptorand "crypto/rand"
	"io"
	"math/rand/v2"
	"os"
	"sync"

	"fount"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
)

// A Setting is what methods are opened for.
type Setting struct {
	Size  int   // bytes of a value
	Nodes []int // the index of each worker's node
}

// Names of methods.
const (
	cryptoRand = "crypto/rand"
	oneMutex   = "one mutex"
	own        = "fount"
)

// Methods returns the methods in the order of the tables. The kernel's, a call for each value, come
// second and third.
func Methods(s Setting) []measure.Method {
	return []measure.Method{
		{Name: arithmetic, Open: s.arithmetic},
		s.reads("getrandom(2)", shared(kernel)),
		s.reads("/dev/urandom", func() reader { return urandom }),
		s.reads(cryptoRand, shared(func(b []byte) { cryptorand.Read(b) })),
		s.reads(oneMutex, func() reader { return mutexes(make([]int, len(s.Nodes))) }),
		s.reads("mutex per node", func() reader { return mutexes(s.Nodes) }),
		s.reads(own, shared(func(b []byte) { fount.Read(b) })),
	}
}

// arithmetic is the method that shares nothing and touches no memory. Where it does not double on
// two cores, nothing can: the cores are threads of one, or the host gives them to others.
const arithmetic = "arithmetic"

// arithmetic adds and XORs in eight registers that do not wait for each other, as many a cycle as
// the core can: what waits for itself would double on two threads of one core too.
func (s Setting) arithmetic() (measure.Source, error) {
	steps := s.Size / 2
	return measure.Workers(func(k int) measure.Worker {
		x := [8]uint64{}
		y := uint64(k)*2 + 1
		return measure.Loop{Do: func(n int) {
			a, b, c, d, e, f, g, h := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
			for range n * steps {
				a, b, c, d = a+y, b^y, c+y, d^y
				e, f, g, h = e+y, f^y, g+y, h^y
			}
			x = [8]uint64{a, b, c, d, e, f, g, h}
		}}
	}), nil
}

// A reader makes a function that fills a value, for the k-th worker. close may be nil.
type reader func(k int) (read func([]byte), close func())

// reads draws by a reader. The call through a function value, 1 ns, is in the cost of all.
func (s Setting) reads(name string, open func() reader) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) {
		r := open()
		return measure.Workers(func(k int) measure.Worker {
			read, done := r(k)
			value := make([]byte, s.Size)
			return measure.Loop{Do: func(n int) {
				for range n {
					read(value)
				}
			}, End: done}
		}), nil
	}}
}

// shared opens a reader without a state of its own.
func shared(read func([]byte)) func() reader {
	return func() reader { return func(int) (func([]byte), func()) { return read, nil } }
}

// kernel reads with one system call a value. Linux looks for signals after each whole page, so that
// it does not shorten a call for one page or less.
func kernel(b []byte) {
	if err := machine.RawGetrandom(b); err != nil {
		panic(err)
	}
}

// urandom is a reader with a file open for each worker.
func urandom(int) (read func([]byte), close func()) {
	f, err := os.Open("/dev/urandom")
	if err != nil {
		panic(err)
	}
	return func(b []byte) {
		if _, err := io.ReadFull(f, b); err != nil {
			panic(err)
		}
	}, func() { f.Close() }
}

// locked is a generator behind a mutex. It is two cache lines from the next, as processors fetch
// pairs. ChaCha8 draws faster than fount, so that the lock makes the difference.
type locked struct {
	mu sync.Mutex
	g  *rand.ChaCha8
	_  [128 - 16]byte
}

// mutexes has one for each node.
func mutexes(on []int) reader {
	nodes := make(map[int]*locked)
	for _, node := range on {
		if nodes[node] == nil {
			nodes[node] = &locked{g: rand.NewChaCha8(fount.Key())}
		}
	}

	return func(k int) (func([]byte), func()) {
		node := nodes[on[k]]
		return func(b []byte) {
			node.mu.Lock()
			node.g.Read(b)
			node.mu.Unlock()
		}, nil
	}
}
