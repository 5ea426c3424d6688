// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package bench

import (
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"fount"
)

// The library needs the standard library, golang.org/x/sys and golang.org/x/crypto alone.
func TestLibraryDependencies(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	var stderr strings.Builder
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Module.Path}}{{end}}", "./...")
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		pkg, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch module {
		case reflect.TypeFor[fount.UUID]().PkgPath(), "golang.org/x/sys", "golang.org/x/crypto":
			packages++
		case "":
		default:
			t.Errorf("the library links %s of %s", pkg, module)
		}
	}
	if packages == 0 {
		t.Error("go list names no package")
	}
}
