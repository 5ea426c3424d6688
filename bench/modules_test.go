// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What each go.mod may say. The library's list of requirements is a promise to its users.

package bench

import (
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// module is the part of "go mod edit -json" that is judged here.
type module struct {
	Module  struct{ Path string }
	Go      string
	Require []struct {
		Path     string
		Indirect bool
	}
	Replace []struct{ Old, New struct{ Path string } }
	Tool    []struct{ Path string }
}

func readModule(t *testing.T, file string) (m module) {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		t.Skipf("go mod edit %s: %v: this test needs the go command and the checkout", file, err)
	}
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// extra returns the requirements of m, direct and indirect, that are not allowed.
func extra(m module, allowed ...string) (paths []string) {
	for _, r := range m.Require {
		if !slices.Contains(allowed, r.Path) {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

func TestLibraryModule(t *testing.T) {
	m := readModule(t, "../go.mod")
	if m.Module.Path != "fount" || m.Go != "1.26.0" {
		t.Errorf("go.mod: module %s, go %s; want fount, 1.26.0 (the older of the two newest Go releases)", m.Module.Path, m.Go)
	}
	if e := extra(m, "golang.org/x/sys", "golang.org/x/crypto"); len(e) != 0 {
		t.Errorf("go.mod requires %s; only golang.org/x/sys and golang.org/x/crypto are allowed", strings.Join(e, ", "))
	}
	if len(m.Tool)+len(m.Replace) != 0 {
		t.Errorf("go.mod has %d tool and %d replace directives; tools are pinned in bench/go.mod", len(m.Tool), len(m.Replace))
	}
}

// Without its replace directives a nested module would not build outside the workspace.
func TestNestedModules(t *testing.T) {
	for file, want := range map[string]map[string]string{
		"go.mod":           {"fount": "../", "fount/lab": "../lab"},
		"../lab/go.mod":    {"fount": "../"},
		"../vet/go.mod":    {"fount": "../"},
		"../test/go.mod":   {"fount": "../"},
		"../remote/go.mod": {"fount": "../"},
		"../cmd/fountd/go.mod": {
			"fount": "../..", "fount/remote": "../../remote", "fount/remote/natsconn": "../../remote/natsconn",
			"fount/telemetry/prometheus": "../../telemetry/prometheus",
		},

		"../remote/natsconn/go.mod":                  {"fount": "../..", "fount/remote": ".."},
		"../examples/login/go.mod":                   {"fount": "../..", "fount/telemetry/prometheus": "../../telemetry/prometheus"},
		"../telemetry/otel/go.mod":                   {"fount": "../../"},
		"../telemetry/prometheus/go.mod":             {"fount": "../../"},
		"../cmd/fount/fountdb/go.mod": {
			"fount": "../../..", "fount/cmd/fount": "..", "fount/lab": "../../../lab", "fount/vet": "../../../vet",
			"fount/telemetry/prometheus": "../../../telemetry/prometheus",
		},
		"../cmd/fount/go.mod": {
			"fount": "../..", "fount/lab": "../../lab", "fount/vet": "../../vet",
			"fount/telemetry/prometheus": "../../telemetry/prometheus",
		},
	} {
		got := make(map[string]string)
		for _, r := range readModule(t, file).Replace {
			got[r.Old.Path] = r.New.Path
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: replace is %v; want %v", file, got, want)
		}
	}
}

// Machines in QEMU need nothing but what the library needs, and the library's module holds none of them.
func TestMachinesAreAModule(t *testing.T) {
	if e := extra(readModule(t, "../test/go.mod"), "fount", "golang.org/x/sys", "golang.org/x/crypto"); len(e) != 0 {
		t.Errorf("test/go.mod requires %s", strings.Join(e, ", "))
	}
	for pattern, want := range map[string]bool{"fount/...": true, "./...": false} { // the second is of the library alone
		cmd := exec.Command("go", "list", pattern)
		cmd.Dir = ".."
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("go list: %v: this test needs the workspace", err)
		}
		if got := strings.Contains(string(out), "fount/test/clone\n"); got != want {
			t.Errorf("go list %s has test/clone: %v, want %v", pattern, got, want)
		}
	}
}

// A test that cannot fail is worth nothing: bench itself breaks the library's rule.
func TestExtraFindsOthers(t *testing.T) {
	if e := extra(readModule(t, "go.mod"), "fount"); !slices.Contains(e, "honnef.co/go/tools") {
		t.Errorf("extra(bench/go.mod) = %v; want honnef.co/go/tools among them", e)
	}
}
