// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// The generation of the kernel's own random generator: a u64 somewhere in the process's [vvar]
// pages, one more after each reseed, and a clone's kernel reseeds as soon as it is told (VMGENID).
// Where it lies is no ABI. So it is searched by its value, which an own call of the vDSO's
// getrandom shows, and compared with that value for as long as it is used.

import (
	"errors"
	"slices"
	"strconv"
	"sync/atomic"
)

// A kernel is what the search needs of it. Tests have their own.
type kernel interface {
	// call makes a call of the vDSO's getrandom and returns the generation that its state has then;
	// 0 if the kernel took the state's memory back meanwhile, or is not seeded yet.
	call() (uint64, error)
	// vvar returns the addresses of the pieces to search, each pieceSize bytes long.
	vvar() []uintptr
	// peek copies a piece without touching it, and reports whether it can be read. An error means
	// that it could not look.
	peek(piece []byte, addr uintptr) (bool, error)
	// done gives back what peek took.
	done()
	// at returns a word of a piece that peek has read.
	at(addr uintptr) *uint64
}

// pieceSize is what is read at a time: the smallest page, and what a pipe takes at once.
const pieceSize = 4096

// readTries bounds how often a reading is repeated because the kernel reseeded during it, or took
// the state's memory. The kernel reseeds once in 60 s.
const readTries = 8

var (
	errUnsettled error = later("the kernel's generation kept changing during " + strconv.Itoa(readTries) + " readings")
	errUnseeded  error = later("the vDSO's getrandom shows no generation: the kernel's generator is not seeded yet, or it takes the state's memory back each time")
	errSeveral   error = shortage("several words in [vvar] equal the kernel's generation; it is searched again when it has changed")
	errNone            = errors.New("no readable word in [vvar] equals the kernel's generation and is followed by is_ready = 1: this kernel keeps it elsewhere")
)

// A search looks for the word that is the generation. Words that equal it by chance part from it at
// its next change, so where there are several another search decides.
type search struct {
	kernel
	piece [pieceSize]byte
}

// find returns the address of the one word that equals the generation, or an error; one that is a
// later or a shortage if another call may find it. A reading counts if the generation is the same
// before, between and after two looks at all pieces; what is taken equals it in both.
func (s *search) find() (uintptr, error) {
	reason := errUnsettled
	for range readTries {
		before, err := s.call()
		if err != nil {
			return 0, err
		}
		if before == 0 {
			reason = errUnseeded
			continue
		}
		first, err := s.look(before)
		if err != nil {
			return 0, err
		}
		between, err := s.call()
		if err != nil {
			return 0, err
		}
		second, err := s.look(before)
		if err != nil {
			return 0, err
		}
		after, err := s.call()
		if err != nil {
			return 0, err
		}
		if between == 0 || after == 0 {
			reason = errUnseeded
			continue
		}
		if before != between || between != after {
			reason = errUnsettled
			continue
		}
		found := slices.DeleteFunc(first, func(a uintptr) bool { return !slices.Contains(second, a) })
		switch len(found) {
		case 0:
			return 0, errNone
		case 1:
			return found[0], verify(s.kernel, s.at(found[0]))
		}
		return 0, errSeveral
	}
	return 0, reason
}

// look returns the addresses of all words that equal g and are followed by is_ready, a byte, in
// seven bytes of padding.
func (s *search) look(g uint64) ([]uintptr, error) {
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

// verify compares a word with the generation of an own call. A look counts only if the word was the
// same before and after the call; one that then equals the generation settles it. A word that
// differs in a look that counts, and equals it in none of the others, is not the generation.
func verify(k kernel, word *uint64) error {
	err := errUnsettled
	for range readTries {
		before := atomic.LoadUint64(word)
		g, callErr := k.call()
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

// A mismatch is a word that stood still and was not the generation.
type mismatch struct{ word, generation uint64 }

func (m mismatch) Error() string {
	return "the word is " + strconv.FormatUint(m.word, 10) + " where the kernel's generation is " + strconv.FormatUint(m.generation, 10)
}

// A generationRung is the search as a rung of the ladder.
type generationRung struct {
	search // its kernel is nil until it could be opened
}

func (r *generationRung) find() (source, error) {
	if r.kernel == nil {
		k, err := openKernel()
		if err != nil {
			return source{}, err
		}
		r.kernel = k
	}
	defer r.done()
	addr, err := r.search.find()
	if err != nil {
		return source{}, err
	}
	word := r.at(addr)
	check := func() error {
		err := verify(r.kernel, word)
		if _, unsettled := err.(later); unsettled {
			return nil // nothing was learned, for or against it
		}
		return err
	}
	told := func() (string, error) { return whoTells(generationDrivers) }
	return source{
		why:  "the generation of the kernel's generator was found in [vvar] and equals the one its vDSO uses",
		word: word, check: check, told: told,
	}, nil
}
