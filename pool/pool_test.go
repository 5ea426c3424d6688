// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pool_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"fount/entropy"
	"fount/internal/pools"
	"fount/internal/seedfile"
	"fount/pool"
	"fount/uniqueness"
)

// Load credits nothing, LoadCredited what it is told, and every field of a report is that of the pools.
func TestFace(t *testing.T) {
	t.Setenv("FOUNT_NUMA_NODES", "no number") // for a note, if no other test has made the pools
	before := seedfile.Bytes()
	path := filepath.Join(t.TempDir(), "seed")
	if err := pool.Save(path); err != nil {
		t.Fatal(err)
	}
	check(t, "saved", 0)
	if err := pool.Load(path); err != nil {
		t.Fatal(err)
	}
	check(t, "mixed", 0)
	if err := pool.LoadCredited(path, 30); err != nil {
		t.Fatal(err)
	}
	check(t, "mixed", 30)
	mixed := before + uint64(2*64*len(pool.Status().Nodes))
	listed(t, "", mixed)
	got, err := pool.Inspect(path)
	want, _ := pools.Inspect(path)
	if fmt.Sprint(got) != fmt.Sprint(want) || got.State != "read" || err != nil {
		t.Errorf("Inspect: %+v, %v; want %+v", got, err, want)
	}
	for _, bits := range []int{-1, 513} {
		if err := pool.LoadCredited(path, bits); err == nil {
			t.Errorf("LoadCredited took a credit of %d bits", bits)
		}
	}
	err = pool.Load(filepath.Join(path, "none"))
	if err == nil {
		t.Fatal("a file in a file was loaded")
	}
	listed(t, err.Error(), mixed)
}

// listed checks what package entropy, which can't see the pools, says of the seed file.
func listed(t *testing.T, why string, bytes uint64) {
	t.Helper()
	for _, s := range entropy.List() {
		if s.Name == "seed file" && s.Available == (why == "") && s.Why == why && s.Bytes == bytes {
			return
		}
	}
	t.Errorf("%+v lists no seed file with %d bytes, want one that says %q", entropy.List(), bytes, why)
}

func check(t *testing.T, state string, credit int) {
	t.Helper()
	got, want := reflect.ValueOf(pool.Status()), reflect.ValueOf(pools.Status())
	if got.NumField() != want.NumField() {
		t.Errorf("a report has %d fields, want %d", got.NumField(), want.NumField())
	}
	for i := range want.NumField() {
		name := want.Type().Field(i).Name
		if g, w := fmt.Sprint(got.FieldByName(name)), fmt.Sprint(want.Field(i)); g != w {
			t.Errorf("%s: %s is %s, want %s", state, name, g, w)
		}
	}
	if f := pool.Status().SeedFile; f.State != state || f.Credit > credit || f.Credit < credit && !uniqueness.Settling() {
		t.Errorf("seed file: %+v, want %s for %d bits", f, state, credit)
	}
	if r := pool.Status(); credit > 0 && (r.Mixed == 0 || r.Extractions == 0 || len(r.Nodes) == 0 || r.TopologyNote == "" || r.InputCredit == 0 && !uniqueness.Settling()) {
		t.Errorf("control: %+v has a field that is zero, whose absence would not be seen", r)
	}
}
