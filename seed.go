// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import "fount/internal/entropy"

// AddSeed mixes b, such as bytes of a hardware generator, into the input pool (see [StatusReport]).
// No promise rests on b, and a bad b does no harm, because the pool keeps what it had. The name
// separates sources that may give the same bytes. AddSeed hashes b before it returns (SHA-512) and
// does not retain it; meanwhile other calls of AddSeed wait, and no draw does. It may be called from
// any goroutine.
//
// The nodes' pools are fed once a minute while values are drawn, and each generator takes b in with
// its next seed after that. After a call of [Reseed] the next draw does both.
func AddSeed(name string, b []byte) { entropy.Add(name, b) }

// LoadSeed mixes the contents of a seed file, which an earlier process left, into the pools, and
// replaces them with new contents for the next process. Call it once, at the start. The contents
// help if the kernel starts with too little entropy. No promise rests on them, so a file that
// others have read or written does no harm.
//
// The new contents are on the disk before the old ones are used: whenever the process or the
// machine stops, no contents are used twice. LoadSeed creates the file if it is missing. If
// LoadSeed returns an error it has used nothing, and the generators are as strong as the kernel.
// LoadSeed waits until the kernel's generator is seeded.
//
// The file must be a whole seed file, a regular file of this user's with mode 0600 or less, and not
// a symbolic link, in a directory in which other users can't replace it. LoadSeed leaves other
// files unchanged and returns an error. It can't tell whether a file was copied or restored.
//
// A process locks path + ".lock" (flock(2)) while it uses the file, and waits at most 30 s for the
// lock. If it is killed it may leave a file path + ".*.new", which is never used. LoadSeed works on
// Linux, macOS and the BSDs; elsewhere its error wraps [errors.ErrUnsupported]. It may be called
// from any goroutine.
func LoadSeed(path string) error { return entropy.Load(path) }

// SaveSeed replaces the contents of a seed file with new ones, made from every node's pool and the
// old contents. Call it at the end of a process that has run for a long time. It accepts the same
// files, returns the same errors and works on the same systems as [LoadSeed]. It may be called from
// any goroutine.
func SaveSeed(path string) error { return entropy.Save(path) }
