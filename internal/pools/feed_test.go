// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"os"
	"testing"
)

// The first Mix of a process: node 0 gets the kernel's 256 bits, and the others keys from
// it. The other sources are asked a second later, until no node is needy, and then once a
// minute.
func TestBeginning(t *testing.T) {
	w := newWorld()
	w.credit = 256
	p := w.pools(4)
	_, generation, _ := p.figures()
	want(t, "generations before", generation, []int{0, 0, 0, 0})
	p.draw()
	credit, generation, draws := p.figures()
	want(t, "credits", credit, []int{256, 0, 0, 0})
	want(t, "generations", generation, []int{1, 1, 1, 1})
	want(t, "draws, one of them for the others' keys", draws, []int{2, 0, 0, 0})
	want(t, "times that the sources were asked", w.asked, 0)

	for i := range 3 {
		w.time += often - 1
		p.draw()
		want(t, "times asked before a second has passed", w.asked, i)
		w.time++
		p.draw()
		want(t, "times asked after a second", w.asked, i+1)
	}
	credit, _, _ = p.figures()
	want(t, "credits when each had its share", credit, []int{256, 256, 256, 256})
	w.time += seldom - 1
	p.draw()
	want(t, "times asked before a minute has passed", w.asked, 3)
	w.time++
	p.draw()
	want(t, "times asked after a minute", w.asked, 4)
}

// Who expires the credits more often than once a second, as a loop around fount.Reseed does,
// does not keep the other sources from being asked.
func TestExpiryDoesNotPutSourcesOff(t *testing.T) {
	w := newWorld()
	p := w.pools(2)
	for i := range 10 {
		p.feeder.stale.Store(true)
		p.draw()
		want(t, "times asked", w.asked, i/2)
		w.time += often / 2
	}
}

// While node 0 holds less than 256 bits everybody draws from it, and it alone is fed.
func TestNode0First(t *testing.T) {
	w := newWorld()
	w.settles = true // so that nothing counts
	p := w.pools(3)
	w.node = 2
	p.draw()
	credit, generation, draws := p.figures()
	want(t, "credits", credit, []int{0, 0, 0})
	want(t, "generations", generation, []int{1, 0, 0})
	want(t, "draws", draws, []int{1, 0, 0})

	w.settles, w.credit = false, 64
	for i := 1; i <= 3; i++ {
		w.tick()
		p.draw()
		credit, generation, draws = p.figures()
		want(t, "credits", credit, []int{64 * i, 0, 0})
		want(t, "generations", generation, []int{1 + i, 0, 0})
		want(t, "draws", draws, []int{1 + i, 0, 0})
	}
	w.tick()
	p.draw()
	credit, generation, draws = p.figures()
	want(t, "credits when node 0 is full", credit, []int{256, 0, 0})
	want(t, "generations when node 0 is full", generation, []int{5, 1, 1})
	want(t, "draws when node 0 is full", draws, []int{5, 0, 1})
}

// What is credited in small pieces waits until it is worth 64 bits, and a node is fed all
// the same: mixing does not wait for credit.
func TestMixingDoesNotWaitForCredit(t *testing.T) {
	w := newWorld()
	w.credit = 63
	p := w.pools(1)
	p.draw()
	before := p.keys()[0]
	w.tick()
	p.draw()
	_, generation, _ := p.figures()
	want(t, "generation", generation, []int{2})
	want(t, "times asked", w.asked, 1)
	want(t, "bits received, all of them the kernel's", p.nodes[0].received, full)
	want(t, "bits that wait", p.input.credit, 63)
	if p.keys()[0] == before {
		t.Error("the key is the old one")
	}
	w.credit = 0
	for i := range 3 {
		w.tick()
		p.draw()
		_, generation, _ := p.figures()
		want(t, "generation", generation, []int{3 + i})
	}
	w.credit = 1
	w.tick()
	p.draw()
	want(t, "bits received when 64 had come together", p.nodes[0].received, full+64)
	want(t, "bits that wait then", p.input.credit, 0)
}

// fed returns which node was fed since the last time, if it was one.
func fed(t *testing.T, p *pools, last []int) int {
	t.Helper()
	_, generation, _ := p.figures()
	one := -1
	for k, g := range generation {
		if g == last[k] {
			continue
		}
		if g != last[k]+1 || one >= 0 {
			t.Fatalf("generations went from %v to %v, want one more of one node", last, generation)
		}
		one = k
	}
	copy(last, generation)
	return one
}

// Nobody is fed twice while a needier one waits: whatever credit the nodes begin with and
// however little comes, the next is always the one with the least of those below 75 %; and when
// there are none, between two feeds of one all others are fed.
func TestNoneStarves(t *testing.T) {
	random := dice()
	for range 300 {
		w := newWorld()
		nodes := 2 + random.IntN(7)
		p := w.pools(nodes)
		p.draw()
		for k := 1; k < nodes; k++ {
			p.nodes[k].credit = random.Uint64N(full + 1)
		}
		p.nodes[0].credit = full
		_, last, _ := p.figures()
		w.credit = least
		var since [16]int // feeds of all since this node was fed, in turn
		for range 60 {
			credit, _, _ := p.figures()
			lowest := needy
			for _, c := range credit {
				lowest = min(lowest, c)
			}
			w.tick()
			p.draw()
			k := fed(t, p, last)
			if lowest < needy {
				if credit[k] != lowest {
					t.Fatalf("node %d was fed; credits were %v", k, credit)
				}
				clear(since[:])
				continue
			}
			for i := range nodes {
				if since[i]++; since[i] > nodes {
					t.Fatalf("node %d of %d was not fed in %d feeds", i, nodes, since[i])
				}
			}
			since[k] = 0
		}
	}
}

// Credits of 1 to 127 bits end up on the nodes in equal parts, within 1 %.
func TestCreditsAreSpreadEvenly(t *testing.T) {
	credits := 200_000
	switch {
	case os.Getenv("FOUNT_LONG") != "":
		credits = 1_000_000 // 3 s of a core
	case raceEnabled:
		credits = 50_000 // one goroutine: the detector has nothing to find
	}
	random := dice()
	w := newWorld()
	p := w.pools(4)
	p.draw()
	sum := uint64(0)
	for range credits {
		c := 1 + random.IntN(2*least-1)
		sum += uint64(c)
		p.sink("test", nil, c)
		p.spread()
	}
	low, high, all := ^uint64(0), uint64(0), uint64(0)
	for _, n := range p.status().Nodes {
		low, high, all = min(low, n.Received), max(high, n.Received), all+n.Received
	}
	if high-low > low/100 {
		t.Errorf("the nodes received %d to %d bits, more than 1 %% apart", low, high)
	}
	if left := uint64(p.input.credit); all+left != sum+full || left >= least {
		t.Errorf("%d bits were received and %d are left of %d", all, left, sum+full)
	}
}

// A moved word and Expire take all credit away, and the next Mix takes in the kernel's
// bytes at once; keys stay, and everybody goes on drawing from his own node.
func TestClone(t *testing.T) {
	for name, event := range map[string]func(*world, *pools){
		"word":   func(w *world, p *pools) { w.clone++ },
		"Expire": func(w *world, p *pools) { p.feeder.stale.Store(true) },
	} {
		w := newWorld()
		w.credit, w.node = 256, 1
		p := w.pools(2)
		for range 3 {
			p.draw()
			w.tick()
		}
		p.draw()
		credit, before, _ := p.figures()
		want(t, name+": credits before", credit, []int{256, 256})
		keys, asked := p.keys(), w.asked
		event(w, p)
		p.draw()
		credit, after, draws := p.figures()
		want(t, name+": credits after", credit, []int{256, 0})
		want(t, name+": generations after", after, []int{before[0] + 1, before[1] + 1})
		want(t, name+": times asked", w.asked, asked)
		want(t, name+": draws", draws, []int{2, 5})
		for k, key := range p.keys() {
			if key == keys[k] {
				t.Errorf("%s: node %d has the key it had", name, k)
			}
		}
		p.draw()
		credit, again, _ := p.figures()
		want(t, name+": credits of the next Mix", credit, []int{256, 0})
		want(t, name+": generations of the next Mix", again, after)
	}
}

// In the moment after a clone was noticed the kernel may answer all clones alike: what it
// says is mixed in, and counts for nothing.
func TestSettling(t *testing.T) {
	w := newWorld()
	w.credit = 256
	p := w.pools(2)
	p.draw()
	w.clone, w.settles = 1, true
	p.draw()
	w.time += often
	p.draw()
	credit, generation, _ := p.figures()
	want(t, "credits", credit, []int{0, 0})
	want(t, "generations", generation, []int{3, 1})
	w.settles = false
	w.time += often
	p.draw()
	credit, _, _ = p.figures()
	want(t, "credits when it has settled", credit, []int{256, 0})
}

// What a fork leaves in the child is zero. The child takes keys from the kernel and asks no
// other source, whose lock another thread may have held.
func TestWipedByFork(t *testing.T) {
	w := newWorld()
	w.credit = 256
	w.constant[0] = 1
	p := w.pools(2)
	p.draw()
	w.tick()
	p.draw()
	p.feeder.mu.Lock() // somebody is asking
	p.nodes[0].mu.Lock()
	before := p.keys()
	asked := w.asked
	*p.arena = arena{}
	clear(p.nodes)
	w.constant[0] = 2
	if p.draw() == ([keySize]byte{}) {
		t.Error("the child drew nothing")
	}
	credit, generation, _ := p.figures()
	want(t, "credits", credit, []int{256, 0})
	want(t, "generations", generation, []int{1, 1})
	want(t, "times asked", w.asked, asked)
	for k, key := range p.keys() {
		if key == before[k] || key == ([keySize]byte{}) {
			t.Errorf("node %d has key %x, before %x", k, key, before[k])
		}
	}
}

// While one Mix asks the sources another does not wait for it, not even if it is the second
// ever; and a Mix that finds no key at all makes one.
func TestNobodyWaitsForTheSources(t *testing.T) {
	w := newWorld()
	w.blocking = make(chan struct{})
	p := w.pools(2)
	p.draw()
	w.tick()
	done := make(chan struct{})
	go func() {
		p.draw()
		close(done)
	}()
	<-w.blocking // it asks
	p.draw()
	clear(p.nodes) // a fork would not leave the lock, but this is about the keys
	if p.draw() == ([keySize]byte{}) {
		t.Error("nothing was drawn")
	}
	w.blocking <- struct{}{}
	<-done
}

// Feed brings what the sources say into every node at once.
func TestFeed(t *testing.T) {
	var keys [2]map[int][keySize]byte
	for i := range keys {
		w := newWorld()
		w.says[0] = byte(i)
		p := w.pools(3)
		p.feedAll()
		want(t, "times asked", w.asked, 1)
		keys[i] = p.keys()
	}
	for k := range keys[0] {
		if keys[0][k] == keys[1][k] {
			t.Errorf("node %d does not depend on what the source said", k)
		}
	}
}
