// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The links of the documentation lead somewhere.

package lab

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	aLink    = regexp.MustCompile(`\]\(([^()\s:]*)\)`) // what has a colon leads out of the checkout
	aHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	aCode    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names that a document's headings have as targets of links.
func anchors(document string) (names []string) {
	for _, match := range aHeading.FindAllStringSubmatch(document, -1) {
		name := noAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// broken are the links of a document in a folder that lead nowhere, and how many it has.
func broken(document, folder string) (links []string, total int) {
	for _, match := range aLink.FindAllStringSubmatch(aCode.ReplaceAllString(document, ""), -1) {
		total++
		file, anchor, _ := strings.Cut(match[1], "#")
		text := document
		if file != "" {
			path := filepath.Join(folder, filepath.FromSlash(file))
			content, err := os.ReadFile(path)
			if _, missing := os.Stat(path); missing != nil || err != nil && anchor != "" {
				links = append(links, match[1])
				continue
			}
			text = string(content)
		}
		if anchor != "" && !slices.Contains(anchors(text), anchor) {
			links = append(links, match[1])
		}
	}
	return links, total
}

func TestLinks(t *testing.T) {
	total := 0
	for _, pattern := range []string{"*.md", "*/*.md", "docs/*/*.md"} {
		documents, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range documents {
			text, err := os.ReadFile(document)
			if err != nil {
				t.Fatal(err)
			}
			links, n := broken(string(text), filepath.Dir(document))
			total += n
			for _, link := range links {
				t.Errorf("%s: the link to %s leads nowhere", document, link)
			}
		}
	}
	if total < 50 {
		t.Errorf("%d links: does the test still find them?", total)
	}
}

func TestBrokenLinks(t *testing.T) {
	const document = "# A b, c: d\n[x](#a-b-c-d) [x](#e) [x](links_test.go) [x](gone.md) [x](https://example.com)\n`[x](code)`\n"
	if got, total := broken(document, "."); !slices.Equal(got, []string{"#e", "gone.md"}) || total != 4 {
		t.Errorf("%d links, %q broken", total, got)
	}
}
