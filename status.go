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

// A StatusReport describes the generators of this process. It can be printed with %+v or as JSON.
// Fields may be added.
type StatusReport struct {
	// Mode is how clones of the machine are detected: "vmclock" or "kernel generation, verified".
	// In mode "window" they are not, so buffers are small and each is keyed by the kernel.
	Mode string `json:"mode"`
	// Why says in a sentence why this mode is in force. If it says that the search goes on, the
	// mode may still change.
	Why string `json:"why"`
	// WindowBytes is how many buffered bytes of a P each clone can serve again in mode "window". A
	// read in progress may be repeated too. It is 0 in the other modes. In mode "kernel generation,
	// verified" clones can repeat what they draw until their kernels have reseeded.
	WindowBytes int `json:"window_bytes"`
	// Kernel is where seeds come from.
	Kernel string `json:"kernel"`
	// Cipher is the keystream code in use: "ChaCha20, " and AVX-512, AVX2, NEON or portable.
	// All make the same bytes.
	Cipher string `json:"cipher"`
	// PerP is how a draw finds its generator: "procPin" or "sync.Pool".
	PerP string `json:"per_p"`
	// Memory is where the generators are, and how they are protected.
	Memory MemoryReport `json:"memory"`
	// Shards is the number of generators in use, one for each P that has drawn.
	Shards int `json:"shards"`
	// Reseeds is the number of seeds that these generators took. Each has 32 fresh bytes of the
	// kernel.
	Reseeds uint64 `json:"reseeds"`
	// Redone is the number of reads that were repeated because the machine was cloned or Reseed was
	// called during them. Values of fixed size, such as a Nonce, are not counted.
	Redone uint64 `json:"redone"`
	// Epoch is 1 plus the number of calls of Reseed.
	Epoch uint64 `json:"epoch"`

	// Topology is how the NUMA nodes are known: "sysfs" or "one node". TopologyNote says what was
	// ignored or could not be read.
	Topology     string `json:"topology"`
	TopologyNote string `json:"topology_note,omitempty"`
	// Nodes has the entropy pool of each NUMA node. A seed has 32 bytes of its node's pool, except
	// in mode "window", where no pool reaches the output.
	Nodes []NodeReport `json:"nodes"`
	// Mixed is the number of inputs to the input pool, which feeds the nodes. Extractions is how
	// often it did so. Each extraction mixes in 32 fresh bytes of the kernel.
	Mixed       uint64         `json:"mixed"`
	Extractions uint64         `json:"extractions"`
	SeedFile    SeedFileReport `json:"seed_file"`
}

// A MemoryReport says where the generators are in memory. A protection is true only if the system
// granted it for all of them.
type MemoryReport struct {
	Place       string `json:"place"`         // "mmap" (off the heap) or "heap"
	WipedOnFork bool   `json:"wiped_on_fork"` // a forked child finds zeros in it
	NotDumped   bool   `json:"not_dumped"`    // core dumps leave it out
	Locked      bool   `json:"locked"`        // it is never swapped out
}

// A NodeReport describes the entropy pool of one NUMA node.
type NodeReport struct {
	Node       int    `json:"node"`       // the system's number
	Generation uint64 `json:"generation"` // how often it was fed; 0 means that it has no key yet
	Draws      uint64 `json:"draws"`      // how often 32 bytes were drawn from it
}

// A SeedFileReport describes the last [LoadSeed] or [SaveSeed]. It holds nothing secret.
type SeedFileReport struct {
	Path string `json:"path,omitempty"`
	// State is "none", "created" (there was no file), "mixed" (its contents were mixed in), "saved"
	// or "failed".
	State string `json:"state"`
	// Nodes is how many nodes the old contents were for, 0 if there was no file.
	Nodes int `json:"nodes"`
	// Saved is when the old contents were written.
	Saved time.Time `json:"saved,omitzero"`
	// Note is the error's text.
	Note string `json:"note,omitempty"`
}

// Status returns a report of this process's generators. It may be called from any goroutine. It
// delays no draw but a P's first, and for microseconds one that takes a seed.
func Status() StatusReport {
	clone.Check() // so that the mode is known even before the first draw
	st, mode, pools := shard.ReadStats(), clone.Status(), entropy.Status()
	memory := MemoryReport{
		Place:       erase.Place,
		WipedOnFork: erase.WipedOnFork(),
		NotDumped:   erase.NotDumped(),
		Locked:      erase.Locked(),
	}

	r := StatusReport{
		Mode:         mode.Mode,
		Why:          mode.Why,
		Kernel:       kernel.Name(),
		Cipher:       "ChaCha20, " + chacha.Name(),
		PerP:         shard.PerP,
		Memory:       memory,
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
