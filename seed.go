// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import "fount/internal/entropy"

// AddSeed mixes bytes of the program's own into the input pool: from a hardware generator, a file,
// anything. They count for nothing and do no harm, because what was there stays in the mix. The
// name tells sources apart that give the same bytes. AddSeed hashes b at once (SHA-512) and keeps
// nothing of it. It may be called from any goroutine.
//
// The pools take the bytes in within a minute, if anything is drawn then, and each generator does
// with its next seed. [Reseed] makes the next draw do both.
func AddSeed(name string, b []byte) { entropy.Add(name, b) }

// LoadSeed mixes the contents of a seed file, left by an earlier process, into the pools, and
// replaces them with new contents for the next process. Call it once, at the start. The contents
// count for nothing, so a file that others have read or made does no harm; they help where the
// kernel starts with too little entropy.
//
// The new contents are on the disk before the old are used: whenever the process or the machine
// stops, no contents are used twice. LoadSeed creates a missing file. After an error nothing was
// used, and the generators are as strong as the kernel. LoadSeed waits until the kernel's generator
// is seeded.
//
// LoadSeed refuses a file unless it is a regular file of this user's with mode 0600 or less; a
// symbolic link; a directory in which others may replace the file; and a file that is not a whole
// seed file, which it leaves unchanged. It can't tell that a file was copied or restored.
//
// Processes that use the same file take turns by a lock (flock(2)) on path + ".lock", and wait at
// most 30 s for it. One that is killed may leave a file that nobody uses, path + ".*.new". LoadSeed
// works on Linux, macOS and the BSDs; elsewhere its error is an errors.ErrUnsupported. It may be
// called from any goroutine.
func LoadSeed(path string) error { return entropy.Load(path) }

// SaveSeed writes new contents for the next process, made from every node's pool and a hash of the
// old contents. It is for the end of a process that has run for a long time. Files, errors and
// systems are those of [LoadSeed]. It may be called from any goroutine.
func SaveSeed(path string) error { return entropy.Save(path) }
