// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Every peer fills what it is given and does not repeat itself or another goroutine. Whether its
// values are random is not for this test to say.

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"testing"

	"fount/cmd/internal/lab/measure"
)

func TestPeers(t *testing.T) {
	for _, k := range kinds {
		names := map[string]bool{}
		for _, m := range k.methods() {
			if names[m.Name] {
				t.Errorf("%s: %s comes twice", k.name, m.Name)
			}
			names[m.Name] = true
			if _, err := (measure.Plan{Workers: 1}).Measure(m); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrNotExist) {
				continue
			}
			src, err := m.Open()
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

// check has 4 goroutines draw 100 values each, which no two share; of those that fill no values of
// a kind that is known, or small integers, it only sees that they draw.
func check(src measure.Source) error {
	const goroutines, each = 4, 100
	drawn := make([][]any, goroutines)
	var ended sync.WaitGroup
	for k := range drawn {
		ended.Go(func() {
			w := src.Worker(k)
			defer w.Close()
			w.Draw(3)
			switch w := w.(type) {
			case *measure.Filler[[16]byte]:
				drawn[k] = filled(w.Fill, each)
			case *measure.Filler[uint64]:
				drawn[k] = filled(w.Fill, each)
			case *measure.Filler[string]:
				drawn[k] = filled(w.Fill, each)
			}
		})
	}
	ended.Wait()
	seen := map[any]bool{[16]byte{}: true, uint64(0): true, "": true}
	for _, v := range slices.Concat(drawn...) {
		if seen[v] {
			return fmt.Errorf("%v is zero or another's", v)
		}
		seen[v] = true
	}
	return nil
}

func filled[T any](fill func([]T), n int) (list []any) {
	dst := make([]T, n)
	fill(dst)
	for _, v := range dst {
		list = append(list, v)
	}
	return list
}
