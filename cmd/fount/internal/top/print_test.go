// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fields are the names in a JSON value, but those of maps, whose keys are reasons and classes.
func fields(v any, found map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, part := range v {
			found[name] = true
			if !strings.HasSuffix(name, "_per_second") && name != "classes" {
				fields(part, found)
			}
		}
	case []any:
		for _, part := range v {
			fields(part, found)
		}
	}
}

// Every field that is printed is documented.
func TestFieldsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "telemetry.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(text), "## fount top\n")
	page, _, _ = strings.Cut(page, "\n## ")
	object, err := with(nil, over("logins")).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(object), &v); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	fields(v, found)
	for name := range found {
		documented := false
		for _, form := range []string{"`" + name + "`", "." + name + "`", "." + name + ".REASON`", "." + name + ".CLASS`", "`" + name + ".", "`" + name + "[]"} {
			documented = documented || strings.Contains(page, form)
		}
		if !documented {
			t.Errorf("docs/telemetry.md has no field %q", name)
		}
	}
	if len(found) < 40 {
		t.Errorf("%d fields found", len(found))
	}
}

// What JSON leaves as it is, and a terminal obeys, is escaped, and comes back as it was.
func TestJSONOnTerminal(t *testing.T) {
	object, err := with(nil, over(hostile)).JSON()
	if err != nil || strings.ContainsAny(object, "\u009b\u202e\x1b\a") {
		t.Fatalf("%q, %v", object, err)
	}
	var f Frame
	if err := json.Unmarshal([]byte(object), &f); err != nil || f.Pools[0].Name != strings.ToValidUTF8(hostile, "\ufffd") {
		t.Errorf("%q, %v", f.Pools[0].Name, err)
	}
}
