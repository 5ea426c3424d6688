// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// The methods that are compared, and how a turn draws from one.

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	insecure "math/rand/v2"
	"os"
	"runtime"
	"sync"

	"fount"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
)

// A Setting is what methods are opened for.
type Setting struct {
	Size  int   // bytes of a value
	Cores int   // that draw at most
	Nodes int   // synthetic nodes, at most as many as Cores
	On    []int // the index of each worker's node; nil: the cores are dealt to the nodes in blocks
}

// node is the node of the k-th worker.
func (s Setting) node(k int) int {
	if s.On != nil {
		return s.On[k%len(s.On)]
	}
	return k % s.Cores * s.Nodes / s.Cores
}

// The methods of the kernel: each value is a call of its code, which knows no goroutines.
const (
	byVDSO    = "getrandom, vDSO"
	bySyscall = "getrandom(2)"
	byFile    = "/dev/urandom"
)

// Methods are those that are measured, in the order of the tables.
func Methods(s Setting) []measure.Method {
	vdso := s.larger(nonce.AsGo(), kernel(machine.Getrandom))
	vdso.Name = byVDSO
	return []measure.Method{
		{Name: Arithmetic, Open: s.arithmetic},
		vdso,
		s.larger(nonce.Getrandom(), kernel(machine.RawGetrandom)),
		s.larger(nonce.Urandom(), urandom),
		s.larger(nonce.CryptoRand(), shared(cryptoRead)),
		{Name: "one mutex", Open: Setting{Size: s.Size, Cores: s.Cores, Nodes: 1}.mutexes},
		{Name: "mutex per node", Open: s.mutexes},
		s.larger(nonce.MathRand(), shared(mathRead)),
		{Name: "sync.Pool", Open: s.pool},
		s.larger(nonce.Fount(), shared(fountRead)),
	}
}

// Arithmetic is the method that shares nothing and touches no memory. Where it does not double on two cores, nothing
// can: the cores are threads of one, or the host gives them to others.
const Arithmetic = "arithmetic"

// arithmetic adds and XORs in eight registers that do not wait for each other, as many a cycle as the core can: what
// waits for itself would double on two threads of one core too.
func (s Setting) arithmetic() (measure.Source, error) {
	steps := s.Size / 2
	return measure.Workers(func(k int) measure.Worker {
		x, y := [8]uint64{}, uint64(k)*2+1
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

// A reader makes a function that fills a value, for one worker. close may be nil.
type reader func() (read func([]byte), close func(), err error)

// larger is a method of nonces, and for values of another size the reader, where a call through a function value is no part of
// the cost: 1 ns of 900 or more.
func (s Setting) larger(nonces measure.Method, r reader) measure.Method {
	if s.Size != len(nonce.Nonce{}) {
		nonces.Open = func() (measure.Source, error) { return reads(r, s.Size) }
	}
	return nonces
}

// reads draws by a reader.
func reads(r reader, size int) (measure.Source, error) {
	_, done, err := r()
	if err != nil {
		return nil, err
	}
	measure.Loop{End: done}.Close()
	return measure.Workers(func(int) measure.Worker {
		read, done, err := r()
		if err != nil {
			panic(err)
		}
		value := make([]byte, size)
		return measure.Loop{Do: func(n int) {
			for range n {
				read(value)
			}
		}, End: done}
	}), nil
}

// shared is a reader without a state of its own.
func shared(read func([]byte)) reader {
	return func() (func([]byte), func(), error) { return read, nil, nil }
}

func cryptoRead(b []byte) { rand.Read(b) }

func fountRead(b []byte) { fount.Read(b) }

func mathRead(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, insecure.Uint64())
	}
}

// kernel reads with one call a value. Linux looks for signals after each whole page, so that it does not shorten a call
// for one page or less.
func kernel(call func([]byte) error) reader {
	return func() (func([]byte), func(), error) {
		read := func(b []byte) {
			if err := call(b); err != nil {
				panic(err)
			}
		}
		return read, nil, call(make([]byte, 16))
	}
}

func urandom() (func([]byte), func(), error) {
	f, err := os.Open("/dev/urandom")
	if errors.Is(err, os.ErrNotExist) && runtime.GOOS == "windows" {
		return nil, nil, fmt.Errorf("/dev/urandom on windows: %w", errors.ErrUnsupported)
	}
	if err != nil {
		return nil, nil, err
	}
	read := func(b []byte) {
		if _, err := io.ReadFull(f, b); err != nil {
			panic(err)
		}
	}
	return read, func() { f.Close() }, nil
}

// locked is a generator behind a mutex, two cache lines from the next: processors fetch lines in pairs.
type locked struct {
	mu sync.Mutex
	g  *insecure.ChaCha8
	_  [128 - 16]byte
}

// mutexes has one for each node. The generator is ChaCha8 of math/rand/v2, whose draw costs less than fount's, so that the lock is what differs.
func (s Setting) mutexes() (measure.Source, error) {
	l := locks{s, make([]*locked, s.Nodes)}
	for i := range l.nodes {
		l.nodes[i] = &locked{g: insecure.NewChaCha8(fount.Key())}
	}
	return l, nil
}

// locks are the generators of all nodes.
type locks struct {
	Setting
	nodes []*locked
}

func (l locks) Worker(k int) measure.Worker {
	node := l.nodes[l.node(k)]
	if l.Size == len(nonce.Nonce{}) {
		value := new(nonce.Nonce)
		return measure.Loop{Do: func(n int) {
			for range n {
				node.mu.Lock()
				node.g.Read(value[:])
				node.mu.Unlock()
			}
		}}
	}
	value := make([]byte, l.Size)
	return measure.Loop{Do: func(n int) {
		for range n {
			node.mu.Lock()
			node.g.Read(value)
			node.mu.Unlock()
		}
	}}
}

func (l locks) Close() {}

// pool takes a generator from a pool and puts it back for each value, frand's way in this package's own words.
func (s Setting) pool() (measure.Source, error) {
	pool := &sync.Pool{New: func() any {
		var seed [32]byte
		rand.Read(seed[:])
		return insecure.NewChaCha8(seed)
	}}
	return measure.Workers(func(int) measure.Worker {
		value := make([]byte, s.Size)
		return measure.Loop{Do: func(n int) {
			for range n {
				g := pool.Get().(*insecure.ChaCha8)
				g.Read(value)
				pool.Put(g)
			}
		}}
	}), nil
}
