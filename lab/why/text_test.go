// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Tests of the layout.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fount/lab/show"
	"fount/lab/show/golden"
)

// rich is a report of all kinds of things.
func rich(t *testing.T) *Report {
	t.Helper()
	p := &Profile{
		Program: "shop", Module: "example.com/shop", Go: "go1.26.8", Source: "perf events of the kernel", Elapsed: 30e9, Kernel: 1.5,
		Stacks: []Stack{
			stack(1200, handler),
			stack(900, "golang.org/x/crypto/bcrypt.CompareHashAndPassword", "example.com/shop.login /src/shop/login.go", serve),
			stack(200, "crypto/rand.Read", "github.com/google/uuid.NewString", handler),
			stack(90, "crypto/rand.(*reader).Read", "io.ReadAtLeast", "encoding/binary.Read", "example.com/shop.pick /src/shop/internal/catalogue/pick.go"),
			stack(3, "crypto/internal/fips140/drbg.Read", "crypto/tls.(*Conn).Handshake", serve),
		},
		Waits:    []Wait{{MathRand, "math/rand.(*lockedSource).Int63", Site{"example.com/shop.pick", "/src/shop/pick.go", 5, true}, 1.25, 0.25, "mutex"}},
		Lateness: &Lateness{"goroutines that could run were", 12345, 0.01, 812.5, 1879},
		Notes:    []string{"Time in the kernel is counted, and not by line."},
	}
	r, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(costs(), 2)
	return r
}

func TestText(t *testing.T) {
	r := rich(t)
	for _, width := range []int{40, 80, 100} {
		text := r.Text(show.Style{Width: width})
		golden.Check(t, filepath.Join("testdata", fmt.Sprintf("text_%d", width)), text)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%d of %d columns: %s", n, width, line)
			}
		}
	}
}

// A terminal obeys no name of the watched program's.
func TestTerminal(t *testing.T) {
	const bad = "a\x1b[2J\u009b1m\x07"
	r, err := Of(&Profile{Program: bad, Module: bad, Go: bad, Notes: []string{bad}, Stacks: []Stack{stack(1, "crypto/rand.Read", "main."+bad+" /src/"+bad)}})
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(costs(), 2)
	if text := r.Text(show.Style{Width: 80}); strings.ContainsAny(text, "\x1b\u009b\x07") || !strings.Contains(text, "module a?[2J?1m?\n") {
		t.Errorf("%q", text)
	}
}

// Lists are lists in JSON, and never null.
func TestJSON(t *testing.T) {
	r, err := Of(&Profile{Stacks: []Stack{stack(1, handler)}})
	if err != nil {
		t.Fatal(err)
	}
	r.Judge(nil, 2)
	text, err := json.Marshal(r)
	for _, list := range []string{`"uses":[]`, `"waits":[]`, `"notes":[]`, `"sentences":["`, `"lateness":null`, `"costs":null`} {
		if err != nil || !strings.Contains(string(text), list) {
			t.Errorf("%s, %v; want %s in it", text, err, list)
		}
	}
}
