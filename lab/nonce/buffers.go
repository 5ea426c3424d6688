// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// How large the buffer of a goroutine should be: the post's is 256 bytes, because getrandom is not interrupted up to there.

import (
	"fmt"
	"strings"

	"fount/lab/measure"
	"fount/lab/show"
)

// Buffers asks how many bytes a goroutine should read at a time. The sizes are multiples of 16.
func Buffers(sizes []int) *Question {
	base := bufferName(sizes[0])
	for _, size := range sizes {
		if size == postBuffer {
			base = bufferName(size)
		}
	}
	return &Question{
		name: "NonceBuffers", unit: "ns per nonce", base: base, columns: Which.columns,
		methods: func(p Parameters) (list []measure.Method) {
			for _, size := range sizes {
				p.Buffer = size
				m := amortizedReads(p)
				m.Name = bufferName(size)
				list = append(list, m)
			}
			return list
		},
		beside:   func(Parameters) []measure.Method { return []measure.Method{Fount(), Empty()} },
		conclude: Trial.concludeBuffers,
	}
}

// postBuffer is the post's.
const postBuffer = 256

const bufferPrefix = "Buffer"

// bufferName names a method by its buffer: Buffer256, Buffer4K.
func bufferName(size int) string {
	if size%1024 == 0 {
		return fmt.Sprintf("%s%dK", bufferPrefix, size/1024)
	}
	return fmt.Sprintf("%s%d", bufferPrefix, size)
}

// concludeBuffers says which buffer is the cheapest, and whether the post's is still right.
func (t Trial) concludeBuffers() measure.Conclusion {
	rows := measure.Filter(t.Steady, func(name string) bool { return strings.HasPrefix(name, bufferPrefix) })
	c := measure.Conclusion{Docket: measure.EnterCosts(rows, t.Steady)}
	least, ok := measure.Least(rows, measure.Cost)
	if len(rows) < 2 || !ok {
		c.Sentences = []string{"Fewer than two buffers were measured: there is nothing to conclude."}
		return c
	}
	alike := measure.Filter(rows, func(name string) bool { return name != least.Name && !c.Docket.Costs(name, least.Name) })
	text := fmt.Sprintf("%s has the least median, %s ns a nonce", least.Name, least.NS)
	if len(alike) > 0 {
		text += ", and can't be told apart from " + measure.Names(alike)
	}
	c.Say(text + ".")
	c.Say(stillRight(rows, least, c.Docket))
	if f, ok := measure.Find(t.Steady, "fount"); ok {
		c.Say(fmt.Sprintf("Beside them, fount takes %s.", f.NS))
	}
	return c
}

// stillRight is the sentence about the post's buffer against the least.
func stillRight(rows []measure.Row, least measure.Row, d *measure.Docket) string {
	own, ok := measure.Find(rows, bufferName(postBuffer))
	switch {
	case !ok:
		return ""
	case !d.Costs(own.Name, least.Name):
		return fmt.Sprintf("%d B, %s ns, is still as right as any: no other size is measurably cheaper.", postBuffer, own.NS)
	default:
		return fmt.Sprintf("%d B is no longer the cheapest: %s saves %s ns a nonce of its %s (%sx); a clone of the machine repeats what is left of a buffer.",
			postBuffer, least.Name, show.NS(own.NS.Median-least.NS.Median), own.NS, show.Ratio(least.NS.Median/own.NS.Median))
	}
}
