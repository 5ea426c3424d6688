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
	"slices"
	"strings"
	"sync"

	"fount"
	"fount/lab/machine"
	"fount/lab/nonce"
)

// A Method is one way to draw values. It may be used from any goroutine.
type Method struct {
	Name     string
	About    string // what is shared and what is not, in a few words
	Weakness string // what its values must not be trusted with; "" if nothing is to be said
	Control  bool   // draws nothing: shows what the machine itself allows
	Kernel   bool   // each value is a call of the kernel's code, which knows no goroutines

	// open starts the method. The error is an errors.ErrUnsupported if the operating system lacks what it needs.
	open func(o opening) (source, error)
}

// An opening is what a method is opened for.
type opening struct {
	Size  int // bytes of a value
	Cores int // that draw at most
	Nodes int // synthetic nodes, at most as many as Cores
}

// node is the node of the k-th worker: the cores are dealt to the nodes in blocks, as they are on a real machine.
func (o opening) node(k int) int { return k % o.Cores * o.Nodes / o.Cores }

// A source is a method at work.
type source struct {
	// worker makes what the k-th of those that draw at once has to itself; the one who will draw calls it. draw draws n
	// values, close ends the worker.
	worker func(k int) (draw func(n int), close func())
	close  func()
}

// Slug is the method's name in the names of benchmarks, which keep '/' and ' ' for themselves.
func (m Method) Slug() string {
	return strings.NewReplacer("/dev/", "dev_", "/", "_", ", ", "_", " ", "_", "(", "", ")", "").Replace(m.Name)
}

// Methods are those that Run measures, in the order of the tables.
func Methods() []Method {
	return []Method{
		{Name: Arithmetic, About: "registers alone, no value: what the cores themselves gain", Control: true,
			open: openArithmetic},
		ofKernel("getrandom, vDSO", "the kernel's generator in this process, a state per thread", nonce.AsGo{},
			kernel(machine.Getrandom)),
		ofKernel("getrandom(2)", "a system call for each value", nonce.Getrandom{}, kernel(machine.RawGetrandom)),
		ofKernel("/dev/urandom", "a read of an open file for each value", nonce.Urandom{}, urandom),
		ofLab("crypto/rand", "the vDSO, and a compare-and-swap on one word of all threads", nonce.CryptoRand{},
			shared(cryptoRead)),
		{Name: "one mutex", About: "one generator behind one mutex", open: openMutex},
		{Name: "mutex per node", About: "a generator and a mutex for each synthetic node", open: openNodes},
		ofLab("math/rand/v2", "a ChaCha8 for each thread", nonce.MathRand{}, shared(mathRead)),
		{Name: "sync.Pool", About: "ChaCha8 from a sync.Pool, as frand does it", Weakness: "a clone repeats it without end",
			open: openPool},
		ofLab("fount", "a state for each P", nonce.Fount{}, shared(fountRead)),
		ofLab("fount.Generator", "a state for each worker", nonce.Generator{}, generatorReader),
	}
}

// Named returns the methods of these names, in their order.
func Named(names ...string) (found []Method) {
	for _, m := range Methods() {
		if slices.Contains(names, m.Name) {
			found = append(found, m)
		}
	}
	return found
}

// Arithmetic is the method that shares nothing and touches no memory. Where it does not double on two cores, nothing
// can: the cores are threads of one, or the host gives them to others.
const Arithmetic = "arithmetic"

// openArithmetic adds and XORs in eight registers that do not wait for each other, as many a cycle as the core can: what
// waits for itself would double on two threads of one core too.
func openArithmetic(o opening) (source, error) {
	steps := o.Size / 2
	worker := func(k int) (func(int), func()) {
		x, y := [8]uint64{}, uint64(k)*2+1
		return func(n int) {
			a, b, c, d, e, f, g, h := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
			for range n * steps {
				a, b, c, d = a+y, b^y, c+y, d^y
				e, f, g, h = e+y, f^y, g+y, h^y
			}
			x = [8]uint64{a, b, c, d, e, f, g, h}
		}, nothing
	}
	return source{worker, nothing}, nil
}

// A reader makes a function that fills a value, for one worker.
type reader func() (read func([]byte), close func(), err error)

// ofLab is a method of the lab for values of 16 bytes, and the reader for larger ones, where a call through a function
// value is no part of the cost: 1 ns of 900 or more.
func ofLab(name, about string, small nonce.Method, large reader) Method {
	return Method{Name: name, About: about, Weakness: small.Weakness(), open: func(o opening) (source, error) {
		if o.Size == len(nonce.Nonce{}) {
			return nonces(small)
		}
		return reads(large, o.Size)
	}}
}

// ofKernel is ofLab for one whose values are the kernel's, one call each.
func ofKernel(name, about string, small nonce.Method, large reader) Method {
	m := ofLab(name, about, small, large)
	m.Kernel = true
	return m
}

// nonces draws from a method of the lab.
func nonces(m nonce.Method) (source, error) {
	src, err := m.Open()
	if err != nil {
		return source{}, err
	}
	worker := func(int) (func(int), func()) {
		draw, done := src.Worker()
		dst := make([]nonce.Nonce, 16) // hides the call of draw; 100,000 goroutines have one each
		return func(n int) {
			for ; n > len(dst); n -= len(dst) {
				draw(dst)
			}
			draw(dst[:n])
		}, done
	}
	return source{worker, src.Close}, nil
}

// reads draws by a reader.
func reads(r reader, size int) (source, error) {
	_, done, err := r()
	if err != nil {
		return source{}, err
	}
	done()
	worker := func(int) (func(int), func()) {
		read, done, err := r()
		if err != nil {
			panic(err)
		}
		value := make([]byte, size)
		return func(n int) {
			for range n {
				read(value)
			}
		}, done
	}
	return source{worker, nothing}, nil
}

func nothing() {}

// shared is a reader without a state of its own.
func shared(read func([]byte)) reader {
	return func() (func([]byte), func(), error) { return read, nothing, nil }
}

func cryptoRead(b []byte) { rand.Read(b) }

func fountRead(b []byte) { fount.Read(b) }

func mathRead(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, insecure.Uint64())
	}
}

func generatorReader() (func([]byte), func(), error) {
	g := fount.NewGenerator()
	return func(b []byte) { g.Read(b) }, g.Close, nil
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
		return read, nothing, call(make([]byte, 16))
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
	g  *fount.Generator
	_  [128 - 16]byte
}

// openMutex has one for all.
func openMutex(o opening) (source, error) {
	o.Nodes = 1
	return openNodes(o)
}

// openNodes has one for each node. The generator is fount's own, so that the lock is what differs.
func openNodes(o opening) (source, error) {
	nodes := make([]*locked, o.Nodes)
	for i := range nodes {
		nodes[i] = &locked{g: fount.NewGenerator()}
	}
	worker := func(k int) (func(int), func()) {
		node := nodes[o.node(k)]
		if o.Size == len(nonce.Nonce{}) {
			value := new(nonce.Nonce)
			return func(n int) {
				for range n {
					node.mu.Lock()
					*value = node.g.Nonce()
					node.mu.Unlock()
				}
			}, nothing
		}
		value := make([]byte, o.Size)
		return func(n int) {
			for range n {
				node.mu.Lock()
				node.g.Read(value)
				node.mu.Unlock()
			}
		}, nothing
	}
	return source{worker, func() {
		for _, node := range nodes {
			node.g.Close()
		}
	}}, nil
}

// openPool takes a generator from a pool and puts it back for each value, frand's way in this package's own words.
func openPool(o opening) (source, error) {
	pool := &sync.Pool{New: func() any {
		var seed [32]byte
		rand.Read(seed[:])
		return insecure.NewChaCha8(seed)
	}}
	worker := func(int) (func(int), func()) {
		value := make([]byte, o.Size)
		return func(n int) {
			for range n {
				g := pool.Get().(*insecure.ChaCha8)
				g.Read(value)
				pool.Put(g)
			}
		}, nothing
	}
	return source{worker, nothing}, nil
}
