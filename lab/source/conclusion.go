// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package source

// What the figures of the five cases say, then and now: a pure function of them.

import (
	"fmt"

	"fount/lab/measure"
	"fount/lab/show"
)

// then is what the post measured of a case, in ns, on a laptop of 2017; ok is false for what is not of the post. It
// compares with today by ratios alone.
func then(name string) (ns float64, ok bool) {
	ns, ok = map[string]float64{"Global": 37.7, "Native": 22.7, "Crypto": 867, "CryptoRead": 735, "Seed": 23.9}[name]
	return ns, ok
}

// conclude says what convenience over crypto/rand costs, what seeding saves, and what fount does about it. Sentences
// whose rows were not measured are left out, and ratios of rows that do not differ for sure are none.
func conclude(rows []measure.Row) (c measure.Conclusion) {
	t := tale{rows, measure.EnterCosts(rows, rows)}
	c.Docket = t.docket
	if t.has("Crypto", "Global") {
		c.Say(fmt.Sprintf("The convenience of math/rand over crypto/rand's bytes (Crypto) costs %s ns an integer, %s the top-level function's %s; in the post it was %s.",
			t.ns("Crypto"), t.ratio("Crypto", "Global"), t.ns("Global"), ratioThen("Crypto", "Global")))
	}
	if t.has("CryptoRead", "Global") {
		c.Say(fmt.Sprintf("The read alone (CryptoRead) takes %s ns, %s the top level (%s in the post).",
			t.ns("CryptoRead"), t.ratio("CryptoRead", "Global"), ratioThen("CryptoRead", "Global")))
	}
	if t.has("CryptoRead", "Crypto") {
		c.Say(fmt.Sprintf("That read is %s of Crypto, where it was %s in the post: the rest is what math/rand and encoding/binary make of it.",
			share(t.ns("CryptoRead").Median/t.ns("Crypto").Median), share(thenOfRead())))
	}
	if t.has("Seed", "Global") {
		c.Say(fmt.Sprintf("To seed once (Seed) leaves %s ns, %s the top level (%s in the post), and gives secrecy up.",
			t.ns("Seed"), t.ratio("Seed", "Global"), ratioThen("Seed", "Global")))
	}
	if t.has("fount.IntN", "Crypto", "Global") {
		c.Say(fmt.Sprintf("fount.IntN keeps secrecy and takes %s ns: %s Crypto, and %s the top level.",
			t.ns("fount.IntN"), t.ratio("fount.IntN", "Crypto"), t.ratio("fount.IntN", "Global")))
	}
	if five := measure.Filter(rows, func(name string) bool { _, ok := then(name); return ok }); len(five) == 5 {
		c.Say(fmt.Sprintf("From the cheapest on, the order of the five is %s; the post's was Native, Seed, Global, CryptoRead, Crypto.", t.docket.Ordered(measure.Ranking(five))))
	}
	if c.Sentences == nil {
		c.Say("Too few of the cases were measured: there is nothing to conclude.")
	}
	return c
}

// tale is the rows of the cases, judged.
type tale struct {
	rows   []measure.Row
	docket *measure.Docket
}

func (t tale) has(names ...string) bool {
	for _, name := range names {
		if _, ok := measure.Find(t.rows, name); !ok {
			return false
		}
	}
	return true
}

func (t tale) ns(name string) *measure.Sample {
	r, _ := measure.Find(t.rows, name)
	return r.NS
}

func (t tale) ratio(name, to string) string {
	if !t.docket.Costs(name, to) {
		return "not measurably different from"
	}
	return show.Ratio(t.ns(name).Median/t.ns(to).Median) + "x"
}

// ratioThen is the ratio of two cases in the post.
func ratioThen(name, to string) string {
	a, _ := then(name)
	b, _ := then(to)
	return show.Ratio(a/b) + "x"
}

// thenOfRead is which part of Crypto CryptoRead took in the post.
func thenOfRead() float64 {
	read, _ := then("CryptoRead")
	all, _ := then("Crypto")
	return read / all
}

func share(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
