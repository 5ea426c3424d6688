// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Every peer fills what it is given and does not repeat itself or another goroutine. Whether its values are random is not for
// this test to say.

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"fount/lab/measure"
)

func TestPeers(t *testing.T) {
	for _, k := range kinds {
		names := map[string]bool{}
		for _, m := range k.methods() {
			if names[m.Name] {
				t.Errorf("%s: %s comes twice", k.name, m.Name)
			}
			names[m.Name] = true
			src, err := m.Open()
			if errors.Is(err, errors.ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", k.name, m.Name, err)
			}
			if err := check(src); err != nil {
				t.Errorf("%s: %s: %v", k.name, m.Name, err)
			}
			src.Close()
		}
	}
}

// check has 8 goroutines draw 1000 values each.
func check(src measure.Source) error {
	const goroutines, each = 8, 1000
	drawn := make([][]string, goroutines)
	var ended sync.WaitGroup
	for k := range drawn {
		ended.Go(func() {
			w := src.Worker(k)
			defer w.Close()
			drawn[k] = values(w, each)
		})
	}
	ended.Wait()
	seen := map[string]bool{"0": true}
	repeated := 0
	for _, list := range drawn {
		for _, v := range list {
			if seen[v] {
				repeated++
			}
			seen[v] = true
		}
	}
	// Integers below 7919 repeat: of 8000, 2000 to 6000 are new. No others do.
	if repeated > 0 && (repeated < 2000 || repeated > 6000) {
		return fmt.Errorf("%d of %d values are zero or another's", repeated, goroutines*each)
	}
	return nil
}

// values draws from a worker that fills; of one that reads it draws and returns none.
func values(w measure.Worker, n int) (list []string) {
	switch w := w.(type) {
	case *measure.Filler[[16]byte]:
		list = filled(w.Fill, n, func(v [16]byte) string { return string(v[:]) })
	case *measure.Filler[uint64]:
		list = filled(w.Fill, n, func(v uint64) string { return fmt.Sprint(v) })
	case *measure.Filler[int]:
		list = filled(w.Fill, n, func(v int) string { return fmt.Sprint(v) })
	case *measure.Filler[string]:
		list = filled(w.Fill, n, func(v string) string { return v })
	default:
		w.Draw(3)
	}
	return list
}

func filled[T any](fill func([]T), n int, text func(T) string) (list []string) {
	dst := make([]T, n)
	fill(dst)
	for _, v := range dst {
		list = append(list, text(v))
	}
	return list
}
