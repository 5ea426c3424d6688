// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"fount/internal/chacha"
	"fount/internal/erase"
	"fount/internal/kernel"
	"fount/internal/shard"
	"fount/pool"
	"fount/uniqueness"
)

// A StatusReport is what is in force in this process, fit for %+v and JSON.
// Fields may be added.
type StatusReport struct {
	// Mode is what tells clones of the machine apart: "vmclock" or
	// "kernel generation, verified"; or "window": nothing does, so buffers are
	// kept small and each is keyed by the kernel.
	Mode string `json:"mode"`
	// Why says in a sentence why this mode is in force. While it speaks of a
	// search that goes on, the mode may still change.
	Why string `json:"why"`
	// WindowBytes is the most that one P can serve again in a clone, 0 if clones
	// are detected. A read in flight comes on top.
	WindowBytes int `json:"window_bytes"`
	// Kernel is where seeds come from.
	Kernel string `json:"kernel"`
	// Cipher is the keystream code in use: "ChaCha20, AVX-512", or AVX2, NEON
	// or portable. All make the same bytes.
	Cipher string `json:"cipher"`
	// PerP is how a draw finds its state: "procPin" or "sync.Pool".
	PerP string `json:"per_p"`
	// Memory is where states live, and what protects them there.
	Memory erase.Memory `json:"memory"`
	// Shards counts states in use: one for each P that has drawn.
	Shards int `json:"shards"`
	// Reseeds counts refills of these states so far. Each mixes 32 fresh
	// bytes of the kernel.
	Reseeds uint64 `json:"reseeds"`
	// Redone counts reads that were wiped and made again because the word
	// moved, or Reseed was called, during them. (A Nonce or an integer that
	// is made again is not counted.)
	Redone uint64 `json:"redone"`
	// Epoch is 1 plus the number of calls of Reseed.
	Epoch uint64 `json:"epoch"`
	// Pools are the input pool and a pool for each NUMA node. A reseed mixes 32
	// bytes of its node's pool in, except in mode "window", where nothing of
	// the pools reaches output.
	Pools pool.Report `json:"pools"`
}

// Status reports what is in force in this process. It may be called from any
// goroutine and delays no draw. (Its result is called StatusReport because Go has
// one namespace for types and functions.)
func Status() StatusReport {
	uniqueness.Check() // so that the mode is known before the first draw too
	st, word := shard.ReadStats(), uniqueness.Status()
	window := 0
	if !uniqueness.Held() {
		window = shard.Window
	}
	return StatusReport{
		Mode:        word.Mode,
		Why:         word.Why,
		WindowBytes: window,
		Kernel:      kernel.Name(),
		Cipher:      "ChaCha20, " + chacha.Name(),
		PerP:        shard.PerP,
		Memory:      erase.Granted(),
		Shards:      st.States,
		Reseeds:     st.Reseeds,
		Redone:      st.Redone,
		Epoch:       st.Epoch,
		Pools:       pool.Status(),
	}
}
