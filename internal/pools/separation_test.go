// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"testing"

	"fount/internal/test/mutant"
)

// No two nodes ever hold equal keys, and none a key that any node held before, also with a
// kernel that always says the same and sources that say nothing new.
func TestNoTwoNodesHoldEqualKeys(t *testing.T) {
	random := dice()
	for _, nodes := range []int{1, 2, 4, 7} {
		w := newWorld()
		p := w.pools(nodes)
		seen := map[[keySize]byte]int{} // to the step, and the node
		last := map[int][keySize]byte{}
		for step := range 3000 {
			w.credit = random.IntN(300)
			w.node = random.IntN(nodes)
			switch random.IntN(8) {
			case 0:
				w.tick()
				w.asked = 0 // the source repeats itself
			case 1:
				w.clone++
			case 2:
				p.feeder.stale.Store(true)
			case 3:
				w.settles = !w.settles
			case 4:
				p.feedAll()
			case 5:
				p.useSeed(&seed{entries: make([]byte, entrySize)}, 0)
			}
			p.draw()
			for k, key := range p.keys() {
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
	mutant.Fails(t, "node.go", "uint32(index)", "uint32(0*index)", "TestNoTwoNodesHoldEqualKeys$")
}
