// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// The generation of the kernel's own random generator: a u64 in the process's [vvar] pages that
// counts reseeds. A clone's kernel reseeds when it handles the interrupt of the VMGENID device.
// Until then the generation does not change. Its address is not part of the ABI. So it is searched
// by its value, which a call of the vDSO's getrandom stores, and compared with that value at each
// Check.

import (
	"errors"
	"slices"
	"strconv"
	"sync/atomic"
)

// A kernel has what the search needs of the kernel.
type kernel interface {
	// generation calls the vDSO's getrandom and returns the generation that it stores. That is 0 if
	// the kernel took the state's memory back meanwhile, or is not seeded yet.
	generation() (uint64, error)
	// vvar returns the addresses of the pieces to search, each of pieceSize bytes.
	vvar() []uintptr
	// peek copies the piece at addr and reports whether it could be read. It does not fault. An
	// error means that it could not try.
	peek(piece []byte, addr uintptr) (bool, error)
	// release closes the descriptors that peek opened.
	release()
	// pointer returns a pointer to a word of a piece that peek has read.
	pointer(addr uintptr) *uint64
}

// pieceSize is how many bytes peek copies: the smallest page, which fits into a pipe.
const pieceSize = 4096

// maxReadings bounds how often a reading is repeated because the kernel reseeded during it, which
// it does once in 60 s, or took the state's memory.
const maxReadings = 8

var (
	errUnsettled error = tryLater("the kernel's generation kept changing during " + strconv.Itoa(maxReadings) + " readings")
	errUnseeded  error = tryLater("the vDSO's getrandom shows no generation: the kernel's generator is not seeded yet, or it takes the state's memory back each time")
	errSeveral   error = shortage("several words in [vvar] equal the kernel's generation; it is searched for again when it has changed")
	errNone            = errors.New("no readable word in [vvar] equals the kernel's generation and is followed by is_ready = 1: this kernel keeps it elsewhere")
)

// A search looks for the word that holds the generation. If several words equal it, all but one do
// so by chance and differ after its next change: another search then decides.
type search struct {
	kernel
	piece [pieceSize]byte
}

// find returns the address of the only word that equals the generation. Its error is a tryLater or
// a shortage if another call may find it.
func (s *search) find() (uintptr, error) {
	found, err := s.read()
	for tries := 1; tries < maxReadings && (err == errUnsettled || err == errUnseeded); tries++ {
		found, err = s.read()
	}
	if err != nil {
		return 0, err
	}

	switch len(found) {
	case 0:
		return 0, errNone
	case 1:
		return found[0], verify(s.kernel, s.pointer(found[0]))
	}
	return 0, errSeveral
}

// read returns the words that equal the generation in each of two scans. The generation must be the
// same before, between and after them.
func (s *search) read() (found []uintptr, err error) {
	generation, err := s.seeded()
	if err != nil {
		return nil, err
	}

	for i := range 2 {
		words, err := s.scan(generation)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			found = words
		}
		found = slices.DeleteFunc(found, func(a uintptr) bool { return !slices.Contains(words, a) })

		now, err := s.seeded()
		if err != nil {
			return nil, err
		}
		if now != generation {
			return nil, errUnsettled
		}
	}
	return found, nil
}

// seeded returns the generation, or errUnseeded if there is none.
func (s *search) seeded() (uint64, error) {
	g, err := s.generation()
	if err == nil && g == 0 {
		err = errUnseeded
	}
	return g, err
}

// scan returns the addresses of all words that equal g and are followed by is_ready = 1, a byte
// with seven bytes of padding.
func (s *search) scan(g uint64) ([]uintptr, error) {
	var found []uintptr
	for _, addr := range s.vvar() {
		switch ok, err := s.peek(s.piece[:], addr); {
		case err != nil:
			return nil, err
		case !ok:
			continue
		}

		for off := 0; off+16 <= pieceSize; off += 8 {
			if le64(s.piece[off:]) == g && le64(s.piece[off+8:]) == 1 {
				found = append(found, addr+uintptr(off))
			}
		}
	}
	return found, nil
}

// verify returns nil if the word equals the generation that the vDSO stores. A comparison counts
// only if the word was the same before and after the call. One that finds both equal decides;
// otherwise the error is the last mismatch or failed call, or errUnsettled.
func verify(k kernel, word *uint64) error {
	err := errUnsettled
	for range maxReadings {
		before := atomic.LoadUint64(word)
		g, callErr := k.generation()
		after := atomic.LoadUint64(word)

		switch {
		case callErr != nil:
			err = callErr
		case g == 0 || before != after:
		case before == g:
			return nil
		default:
			err = mismatch{after, g}
		}
	}
	return err
}

// A mismatch is the error of a word that did not change and was not the generation.
type mismatch struct{ word, generation uint64 }

func (m mismatch) Error() string {
	return "the counter is " + strconv.FormatUint(m.word, 10) + ", but the kernel's generation is " + strconv.FormatUint(m.generation, 10)
}

// A generationMethod finds the kernel's generation as a counter for the finder.
type generationMethod struct {
	search // its kernel is nil until it was opened
}

func (r *generationMethod) find() (source, error) {
	if r.kernel == nil {
		k, err := openKernel()
		if err != nil {
			return source{}, err
		}
		r.kernel = k
	}
	defer r.release()

	addr, err := r.search.find()
	if err != nil {
		return source{}, err
	}

	word := r.pointer(addr)
	check := func() error {
		err := verify(r.kernel, word)
		if _, unsettled := err.(tryLater); unsettled {
			return nil // it could not be compared
		}
		return err
	}
	notifier := func() (string, error) { return findNotifier(notifierDirs) }

	return source{
		why:     "the generation of the kernel's generator was found in [vvar] and equals the one its vDSO uses",
		counter: word, check: check, notifier: notifier,
	}, nil
}
