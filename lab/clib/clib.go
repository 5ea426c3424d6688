// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package clib computes argon2id with the C libraries of this machine, to measure them beside fount: libargon2 and
// libsodium, of the system and of Python's packages. They run in a Python process that times its calls itself: this
// needs no cgo, and a library that crashes takes only that process down.
package clib

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

//go:embed clib.py
var program string

// The names of the libraries that Start looks for.
const (
	Libargon2  = "libargon2"
	Argon2CFFI = "argon2-cffi" // the libargon2 in the wheel of argon2-cffi-bindings
	Libsodium  = "libsodium"
	PyNaCl     = "PyNaCl" // the libsodium in its wheel
)

// Names are all of them, in the order of tables.
var Names = []string{Libargon2, Argon2CFFI, Libsodium, PyNaCl}

// howToGet says where a library comes from.
var howToGet = map[string]string{
	Libargon2:  "Debian's package libargon2-1",
	Argon2CFFI: "pip install argon2-cffi",
	Libsodium:  "Debian's package libsodium23",
	PyNaCl:     "pip install pynacl",
}

// Keeps reports whether the library of that name can keep its memory from one hash to the next.
func Keeps(name string) bool { return name != Libsodium && name != PyNaCl }

// All hash Password with Salt to a tag of TagSize bytes.
const (
	Password = "correct horse battery staple"
	Salt     = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
	TagSize  = 32
)

// A Library was found on this machine.
type Library struct {
	Name string `json:"name"`           // one of Names, or a file that Start was given
	File string `json:"file"`           // that has its code
	SIMD string `json:"simd,omitempty"` // the widest multiplications of argon2 in it (see SIMD)
}

// Params are those of argon2id.
type Params struct {
	Memory      int `json:"m"` // KiB
	Iterations  int `json:"t"`
	Parallelism int `json:"p"` // lanes, of a thread each
}

// A Run is what a request took, in the library's process.
type Run struct {
	Hashes  int
	Elapsed time.Duration // in the library's function
	CPU     time.Duration // of the process's threads
	Tag     []byte        // the last hash
}

// A Process runs the libraries, one request at a time. Any goroutine may call its methods.
type Process struct {
	mu     sync.Mutex
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	found  []Library
	failed map[string]string // why, "" if it is not installed
}

// Start starts the process: the Python that FOUNT_PYTHON names, or python3. files are further builds of libargon2,
// as shared libraries. The error is an ErrMissing if there is no Python.
func Start(files ...string) (*Process, error) {
	name := cmp.Or(os.Getenv("FOUNT_PYTHON"), "python3")
	python, err := exec.LookPath(name)
	if err != nil {
		return nil, missing("needs " + name + ", which calls and times it; FOUNT_PYTHON names another")
	}
	p := &Process{cmd: exec.Command(python, append([]string{"-c", program}, files...)...)}
	stderr := new(strings.Builder)
	p.cmd.Stderr = stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", python, err)
	}
	p.out = bufio.NewReader(out)
	var first struct {
		Libraries []Library
		Failed    map[string]string
	}
	if err := p.read(&first); err != nil {
		p.Close()
		if line := lastLine(stderr.String()); line != "" {
			return nil, fmt.Errorf("%s can't load libraries: %s", python, line)
		}
		return nil, fmt.Errorf("%s can't load libraries: it answered no request: %w", python, err)
	}
	p.found, p.failed = first.Libraries, first.Failed
	for i := range p.found {
		p.found[i].SIMD = SIMD(p.found[i].File)
	}
	return p, nil
}

// ErrMissing is the error for what is not installed.
var ErrMissing = errors.New("not installed")

type missing string

func (e missing) Error() string     { return string(e) }
func (missing) Is(other error) bool { return other == ErrMissing }

// Libraries are those that were found.
func (p *Process) Libraries() []Library { return p.found }

// Missing returns nil if the library of that name was found, else why it was not and how to get it: an ErrMissing if it
// is not installed.
func (p *Process) Missing(name string) error {
	for _, l := range p.found {
		if l.Name == name {
			return nil
		}
	}
	if why := p.failed[name]; why != "" {
		return errors.New(why)
	}
	return missing("not installed; to be had by " + howToGet[name])
}

// Argon2id computes that many hashes with the library, and more until they took least. If keep is set, all use the same
// memory, in huge pages where the system has them; else the library allocates its own.
func (p *Process) Argon2id(name string, params Params, keep bool, hashes int, least time.Duration) (Run, error) {
	if err := p.Missing(name); err != nil {
		return Run{}, err
	}
	request := struct {
		Library string `json:"library"`
		Params
		Keep   bool  `json:"keep"`
		Hashes int   `json:"hashes"`
		NS     int64 `json:"ns"`
	}{name, params, keep, max(hashes, 1), int64(least)}
	line, err := json.Marshal(request)
	if err != nil {
		return Run{}, err
	}
	var answer struct {
		NS     int64
		CPUNS  int64 `json:"cpu_ns"`
		Hashes int
		Tag    string
		Error  string
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return Run{}, fmt.Errorf("the process of the C libraries has ended: %w", err)
	}
	if err := p.read(&answer); err != nil {
		return Run{}, fmt.Errorf("the process of the C libraries ended in %s: %w", name, err)
	}
	if answer.Error != "" {
		return Run{}, errors.New(answer.Error)
	}
	tag, err := hex.DecodeString(answer.Tag)
	return Run{answer.Hashes, time.Duration(answer.NS), time.Duration(answer.CPUNS), tag}, err
}

// read reads a line of output.
func (p *Process) read(v any) error {
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

// Close ends the process.
func (p *Process) Close() error {
	p.in.Close()
	return p.cmd.Wait()
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
