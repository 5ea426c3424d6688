// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"testing"

	"fount/internal/test/mutant"
)

// No two nodes ever hold equal keys, and none a key that any node held before, also with a kernel
// that always says the same, to all of them at once.
func TestNoTwoNodesHoldEqualKeys(t *testing.T) {
	random := dice()
	for _, nodes := range []int{1, 2, 4, 7} {
		p := somePools(nodes)
		seen := map[[keySize]byte]int{} // to the step, and the node
		last := map[int][keySize]byte{}

		for step := range 3000 {
			var out [keySize]byte
			switch random.IntN(3) {
			case 0: // all take in one secret
				for k := range p.nodes {
					p.nodes[k].absorb(k, new([keySize]byte))
				}
			case 1:
				for k := range p.nodes {
					p.feed(k, new([keySize]byte))
				}
			}

			for k := range p.nodes {
				p.nodes[k].draw(&out)
				key := p.nodes[k].key
				if key == last[k] {
					continue
				}

				last[k] = key
				if where, found := seen[key]; found {
					t.Fatalf("%d nodes: node %d has in step %d the key of step and node %d", nodes, k, step, where)
				}
				seen[key] = step*10 + k
			}
		}

		if len(seen) < 3000 {
			t.Errorf("%d nodes: %d different keys in 3000 steps", nodes, len(seen))
		}
	}
}

// What keeps two nodes apart is their index.
func TestControlNodeIndexRemoved(t *testing.T) {
	mutant.Fails(t, "mix.go", "uint32(index)", "uint32(0*index)", "TestNoTwoNodesHoldEqualKeys$")
}
