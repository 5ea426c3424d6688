// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// docs/architecture.md names each folder that has Go files, and no file or folder that is not there.

package lab

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// aPlace is a folder, which ends in a slash, or a file, between backquotes.
var aPlace = regexp.MustCompile("`([\\w./-]+/|[\\w./-]+\\.(?:go|md|service)|\\.ci/run)`")

func placesIn(text string) (places []string) {
	for _, match := range aPlace.FindAllStringSubmatch(text, -1) {
		places = append(places, match[1])
	}
	return places
}

func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := placesIn(string(text))
	for _, place := range named {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(place))); err != nil || info.IsDir() != strings.HasSuffix(place, "/") {
			t.Errorf("docs/architecture.md names %s, which is not in the checkout", place)
		}
	}
	folders := packageFolders(t)
	if len(folders) < 50 {
		t.Errorf("%d folders have Go files: does the test still find them?", len(folders))
	}
	for _, folder := range folders {
		if !slices.Contains(named, folder) {
			t.Errorf("docs/architecture.md does not name %s: give it a row among the rooms", folder)
		}
	}
}

// packageFolders are the folders of the checkout that have Go files other than tests, each with a slash at its end. Generators
// of code are left out.
func packageFolders(t *testing.T) (folders []string) {
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		name := d.Name()
		switch {
		case d.IsDir() && relative != "." && (strings.ContainsAny(name[:1], "._") || name == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			folders = append(folders, path.Dir(relative)+"/")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

func TestPlaces(t *testing.T) {
	got := placesIn("| `pool/`, `pool/feed.go` | the pool, as `pool.Load`, `--mode`, `./` and `.ci/run`; not `docs` nor `_asm` |")
	if want := []string{"pool/", "pool/feed.go", "./", ".ci/run"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
