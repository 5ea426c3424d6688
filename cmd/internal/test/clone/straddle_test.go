// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// Draws that straddle refills, compared by windows of 8 bytes. A comparison of whole values would
// miss a draw of which only the part before the refill is in both clones.

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"testing"

	"fount/cmd/internal/test/internal/machine"
	"fount/cmd/internal/test/internal/wire"
)

const window = 8 // bytes

// A callerDraw is a draw of a caller after the snapshot. Each 64 KiB of a bulk read are one.
type callerDraw struct {
	way           int
	before, after uint64
	value         []byte
	id            [2]uint64 // its caller and number, in both clones if under way at the snapshot
}

// A tally is what became of one way's draws in both clones.
type tally struct {
	across int // draws that were under way when the word moved
	whole  int // of these, common whole: complete when it moved
	part   int // of these, with other windows in common at the same places: two generations in one
	moved  int // of these, with windows in common elsewhere
	later  int // draws that began when it had moved
	shared int // of these, with windows in common
}

// TestStraddling draws in many ways while the machine is cloned. A draw that ends after the word
// has moved must share no 8 bytes with the other clone. The control's two joined draws do share
// some.
func TestStraddling(t *testing.T) {
	machine.Need(t)
	kernel, _ := machine.Kernel(t, machine.Linux612)
	initrd := machine.Initrd(t)
	const most = 8   // snapshots; each takes half a minute on two idle CPUs
	const enough = 3 // of those that tell something

	telling := 0
	for range most {
		tallies, why := straddle(t, kernel, initrd)
		if why != "" {
			t.Logf("once more: %s", why)
			continue
		}
		telling++

		moved := 0
		for way, n := range tallies[:wire.Joined] {
			if n.part > 0 || n.shared > 0 {
				t.Errorf("%s: %d draws under way when the word moved and %d later ones share windows", wire.Ways[way].Name, n.part, n.shared)
			}
			moved += n.moved
		}

		// Where Go's scheduler gave a caller another P in one clone, the bytes of one state lie in
		// other draws, and such windows don't tell whether a draw joins two generations. One that
		// does also shares windows at their own places, as the control does, in one of some
		// snapshots.
		if moved > 0 && telling < enough && !t.Failed() {
			t.Logf("once more: %d draws share windows elsewhere", moved)
			continue
		}

		for way, n := range tallies {
			t.Logf("%s: %+v", wire.Ways[way].Name, n)
		}
		return
	}
	t.Fatalf("only %d of %d snapshots tell anything", telling, most)
}

// straddle clones a machine whose callers draw in all ways. It returns what became of each way's
// draws, and why that tells nothing, if so.
func straddle(t *testing.T, kernel, initrd string) (tallies [len(wire.Ways)]tally, why string) {
	s := save(t, kernel, initrd, original, "straddle")
	if got := mode(t, s.Status).Mode; got != verified {
		t.Fatalf("mode is %q, want %q", got, verified)
	}

	var marks wire.CallerMarks
	s.read(t, &marks)
	var order wire.Resume
	for i := range marks {
		order.Since[i] = marks[i].Done
	}

	var dumps [2]wire.StraddlingDump
	for i := range dumps {
		if !s.finish(t, own, &order, &dumps[i]) {
			t.Errorf("clone %d: the kernel did not notice", i)
		}
	}

	first := callerDraws(&dumps[0])
	second := callerDraws(&dumps[1])
	compareWindows(t, first, second, s.Word, &tallies)
	compareWindows(t, second, first, s.Word, &tallies)
	return tallies, unfit(&tallies, lost(&order, &dumps), movedEarly(s.Word, &marks, &dumps[0]))
}

// unfit says why a snapshot tells nothing, if so: its machine was busy at the wrong moment.
func unfit(tallies *[len(wire.Ways)]tally, lost uint64, movedEarly bool) string {
	if movedEarly {
		return "the kernel moved the word by itself before the snapshot"
	}
	if lost > 0 {
		return fmt.Sprintf("the word moved late: %d draws since the snapshot were not kept", lost)
	}
	for way, n := range tallies {
		if n.across == 0 || n.later == 0 {
			return fmt.Sprintf("%s: %d draws under way when the word moved, %d begun later; want both", wire.Ways[way].Name, n.across, n.later)
		}
	}
	if n := tallies[wire.Joined]; n.part == 0 { // none was between its two reads
		return fmt.Sprintf("control: no two joined draws of %d share a window", n.across)
	}
	return ""
}

// movedEarly reports whether a draw that was under way at the snapshot began with a later word than the
// guest named.
func movedEarly(word uint64, marks *wire.CallerMarks, d *wire.StraddlingDump) bool {
	for i, m := range marks {
		if m.Begun > m.Done && len(d.Callers[i].Words) > 0 && d.Callers[i].Words[0][0] > word {
			return true
		}
	}
	return false
}

// lost returns how many draws since the snapshot the callers have not kept.
func lost(order *wire.Resume, dumps *[2]wire.StraddlingDump) (n uint64) {
	for i := range order.Since {
		for _, d := range dumps {
			n += d.Callers[i].First - order.Since[i]
		}
	}
	return n
}

// callerDraws returns what a clone drew that was not complete at the snapshot.
func callerDraws(d *wire.StraddlingDump) (all []*callerDraw) {
	for i, c := range d.Callers {
		size := wire.Ways[c.Way].Size
		for k, words := range c.Words {
			part := uint64(0)
			for value := range slices.Chunk(c.Values[k*size:][:size], wire.Chunk) {
				id := [2]uint64{uint64(i), (c.First+uint64(k))*wire.Bulk + part}
				all = append(all, &callerDraw{c.Way, words[0], words[1], value, id})
				part++
			}
		}
	}
	return all
}

// compareWindows counts a clone's draws that ended after the word had moved, and what of them the
// other clone drew anywhere.
func compareWindows(t *testing.T, clone, other []*callerDraw, word uint64, tallies *[len(wire.Ways)]tally) {
	type place struct {
		d  *callerDraw
		at int
	}
	places := map[uint64]place{}
	common := map[*callerDraw]map[int]bool{} // the places of common windows
	same := map[*callerDraw]bool{}           // some are at the same place of the same draw
	for _, d := range clone {
		if d.after <= word {
			continue
		}

		common[d] = map[int]bool{}
		step := 1
		if len(d.value) == wire.Chunk {
			step = window // a common run of 15 bytes has one of these
		}
		for at := 0; at+window <= len(d.value); at += step {
			places[binary.LittleEndian.Uint64(d.value[at:])] = place{d, at}
		}
	}

	for _, d := range other {
		for at := 0; at+window <= len(d.value); at++ {
			if p, ok := places[binary.LittleEndian.Uint64(d.value[at:])]; ok {
				common[p.d][p.at] = true
				same[p.d] = same[p.d] || p.d.id == d.id && p.at == at
			}
		}
	}

	for d, at := range common {
		n := covered(at)
		if n > 0 {
			t.Logf("%s, words %d and %d: %d of %d bytes, windows from %d to %d, are common", wire.Ways[d.way].Name, d.before, d.after, n, len(d.value),
				slices.Min(slices.Collect(maps.Keys(at))), slices.Max(slices.Collect(maps.Keys(at))))
		}
		tallies[d.way].add(len(d.value), d.before > word, n, same[d])
	}
}

// covered returns how many bytes lie in windows at these places.
func covered(at map[int]bool) (n int) {
	end := 0 // of the last window
	for _, i := range slices.Sorted(maps.Keys(at)) {
		n += i + window - max(i, end)
		end = i + window
	}
	return n
}

// add counts a draw that ended after the word had moved.
func (n *tally) add(size int, later bool, common int, same bool) {
	switch {
	case later:
		n.later++
		if common > 0 {
			n.shared++
		}
		return
	case common == size:
		n.whole++
	case common > 0 && same:
		n.part++
	case common > 0:
		n.moved++
	}
	n.across++
}

func TestCompareWindows(t *testing.T) {
	const size = 16
	value := func(s string) []byte { return []byte(s)[:size] }
	for other, want := range map[string]tally{
		"0123456789abcdef": {across: 1, whole: 1},
		"01234567--------": {across: 1, part: 1},
		"--01234567------": {across: 1, moved: 1}, // at another place: the same draw, behind others
		"--------89abcdef": {across: 1, part: 1},
		"0123456-89abcde-": {across: 1},
	} {
		first := [2]uint64{0, 1} // caller 0, number 1
		second := [2]uint64{0, 2}
		straddling := callerDraw{0, 1, 2, value("0123456789abcdef"), first}
		early := callerDraw{0, 1, 1, value("fedcba9876543210"), [2]uint64{}} // not counted
		clone := []*callerDraw{&straddling, &early}

		var tallies [len(wire.Ways)]tally
		compareWindows(t, clone, []*callerDraw{{1, 1, 1, value(other), first}, &early}, 1, &tallies)
		if tallies[0] != want {
			t.Errorf("%s: %+v, want %+v", other, tallies[0], want)
		}

		tallies = [len(wire.Ways)]tally{}
		compareWindows(t, clone, []*callerDraw{{1, 1, 1, value(other), second}}, 1, &tallies)
		want.moved += want.part
		want.part = 0
		if tallies[0] != want {
			t.Errorf("%s in another draw: %+v, want %+v", other, tallies[0], want)
		}
	}
}

// Each chunk of a bulk read is a draw of its own: another draw may have one's subkey in the other
// clone, before the word moves.
func TestDrawsOfABulkRead(t *testing.T) {
	var d wire.StraddlingDump
	d.Callers[0] = wire.CallerDump{Way: wire.Joined - 1, First: 7, Words: [][2]uint64{{1, 2}}, Values: make([]byte, wire.Bulk)}
	ids := map[[2]uint64]int{}
	for _, l := range callerDraws(&d) {
		ids[l.id] += len(l.value)
	}
	if len(ids) != wire.Bulk/wire.Chunk || slices.Max(slices.Collect(maps.Values(ids))) != wire.Chunk {
		t.Errorf("%v", ids)
	}
}
