// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"time"

	"fount/internal/chacha"
	"fount/internal/clone"
	"fount/internal/entropy"
	"fount/internal/erase"
	"fount/internal/kernel"
	"fount/internal/shard"
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
	Memory MemoryReport `json:"memory"`
	// Shards counts states in use: one for each P that has drawn.
	Shards int `json:"shards"`
	// Reseeds counts refills of these states so far. Each mixes 32 fresh
	// bytes of the kernel.
	Reseeds uint64 `json:"reseeds"`
	// Redone counts reads that were wiped and made again because the machine was
	// cloned, or Reseed was called, during them. (A Nonce or an integer that
	// is made again is not counted.)
	Redone uint64 `json:"redone"`
	// Epoch is 1 plus the number of calls of Reseed.
	Epoch uint64 `json:"epoch"`

	// Topology is where the NUMA nodes are known from: "sysfs" or "one node".
	// TopologyNote says what was ignored or could not be read.
	Topology     string `json:"topology"`
	TopologyNote string `json:"topology_note,omitempty"`
	// Nodes has the entropy pool of each NUMA node. A reseed mixes in 32 bytes of
	// its node's pool, except in mode "window", where no pool reaches the output.
	Nodes []NodeReport `json:"nodes"`
	// Mixed counts inputs to the input pool, which feeds the nodes, and Extractions
	// what was taken from it. Each extraction mixes 32 fresh bytes of the kernel.
	Mixed       uint64         `json:"mixed"`
	Extractions uint64         `json:"extractions"`
	SeedFile    SeedFileReport `json:"seed_file"`
}

// A MemoryReport is where the generators' states lie and what the system granted for them. A
// protection counts only if it was granted for all of them.
type MemoryReport struct {
	Place       string `json:"place"`         // "mmap" (off the heap) or "heap"
	WipedOnFork bool   `json:"wiped_on_fork"` // a forked child finds zeros in it
	NotDumped   bool   `json:"not_dumped"`    // core dumps leave it out
	Locked      bool   `json:"locked"`        // it is never swapped out
}

// A NodeReport describes the entropy pool of one NUMA node.
type NodeReport struct {
	Node       int    `json:"node"`       // the system's number
	Generation uint64 `json:"generation"` // how often it was fed; 0: it has no key yet
	Draws      uint64 `json:"draws"`      // 32 bytes each
}

// A SeedFileReport describes the last [LoadSeed] or [SaveSeed]. It holds nothing secret.
type SeedFileReport struct {
	Path string `json:"path,omitempty"`
	// State is "none"; "created", if there was no file; "mixed", if its contents were
	// mixed in; "saved"; or "failed".
	State string `json:"state"`
	// Nodes is how many nodes' states the file held, 0 if there was none.
	Nodes int `json:"nodes"`
	// Saved is when the contents found in the file were written.
	Saved time.Time `json:"saved,omitzero"`
	// Note is the error.
	Note string `json:"note,omitempty"`
}

// Status reports what is in force in this process. It may be called from any
// goroutine and delays no draw. (Its result is called StatusReport because Go has
// one namespace for types and functions.)
func Status() StatusReport {
	clone.Check() // so that the mode is known before the first draw too
	st, word, pools := shard.ReadStats(), clone.Status(), entropy.Status()
	r := StatusReport{
		Mode:         word.Mode,
		Why:          word.Why,
		Kernel:       kernel.Name(),
		Cipher:       "ChaCha20, " + chacha.Name(),
		PerP:         shard.PerP,
		Memory:       MemoryReport(erase.Granted()),
		Shards:       st.States,
		Reseeds:      st.Reseeds,
		Redone:       st.Redone,
		Epoch:        st.Epoch,
		Topology:     pools.Topology,
		TopologyNote: pools.TopologyNote,
		Mixed:        pools.Mixed,
		Extractions:  pools.Extractions,
		SeedFile:     SeedFileReport(pools.SeedFile),
	}
	if !clone.Trusted() {
		r.WindowBytes = shard.Window
	}
	for _, n := range pools.Nodes {
		r.Nodes = append(r.Nodes, NodeReport(n))
	}
	return r
}
