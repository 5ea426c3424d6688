// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Quote writes the figures of a kept report into documents, and prints where each stands and what
// measures it: the command, the table and the row.
//
//	go run ./cmd/internal/lab/quote REPORT.json DOCUMENT...
//
// In a document a figure stands as <!--fount:STUDY/TABLE/ROW/COLUMN-->FIGURE<!---->. TABLE is a
// part of the table's name; in all names _ stands for a space or a slash. The column interval is
// that of the ratio, and the name machine alone is where the report was made.
package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/show"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "quote:", err)
		os.Exit(1)
	}
}

func run(report string, documents []string) error {
	f, err := os.Open(report)
	if err != nil {
		return err
	}
	defer f.Close()

	results, err := lab.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", report, err)
	}

	texts := map[string]string{} // all are of one report, or none is written
	for _, name := range documents {
		old, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if texts[name], err = rewrite(name, string(old), results); err != nil {
			return err
		}
	}

	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// mark matches a figure in a document: what it is, and the figure.
var mark = regexp.MustCompile(`<!--fount:([^<]*?)-->([^<]*)<!---->`)

// rewrite returns the text with the figures of the results.
func rewrite(name, text string, results []lab.Result) (string, error) {
	var failed error
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Count(line, "<!--fount:") != len(mark.FindAllString(line, -1)) {
			return "", fmt.Errorf("%s:%d: a mark has no end", name, i+1)
		}

		lines[i] = mark.ReplaceAllStringFunc(line, func(found string) string {
			parts := mark.FindStringSubmatch(found)
			figure, measured, err := find(results, parts[1])
			if err != nil && failed == nil {
				failed = fmt.Errorf("%s:%d: %s: %w", name, i+1, parts[1], err)
			}
			fmt.Printf("%s:%d: %s: %s\n", name, i+1, figure, measured)
			return "<!--fount:" + parts[1] + "-->" + figure + "<!---->"
		})
	}
	return strings.Join(lines, "\n"), failed
}

// find returns a figure by its name, as the tables show it, and what measures it.
func find(results []lab.Result, name string) (figure, measured string, err error) {
	if name == "machine" && len(results) > 0 {
		return results[0].Where(), "fount report", nil
	}

	parts := strings.Split(name, "/")
	if len(parts) != 4 {
		return "", "", fmt.Errorf("want STUDY/TABLE/ROW/COLUMN")
	}

	for _, r := range results {
		for _, g := range r.Groups {
			if r.Study != parts[0] || !strings.Contains(lab.Slug(g.Name), parts[1]) {
				continue
			}
			for i, row := range g.Rows {
				if lab.Slug(row.Name) != parts[2] {
					continue
				}

				figure, err = cell(g, i, parts[3])
				return figure, r.Command + ", " + g.Name + ": " + row.Name, err
			}
		}
	}
	return "", "", fmt.Errorf("the report has no such row")
}

// cell returns what a column says of a row: - if it is not known, or if other programs ran.
func cell(g lab.Group, row int, name string) (string, error) {
	isNamed := func(head string) bool { return lab.Slug(head) == name }
	column := slices.IndexFunc(g.Columns, func(c lab.Column) bool { return isNamed(c.Name) })
	v := g.Rows[row].Verdict

	switch {
	case name == "ratio":
		return v.Times(), nil
	case name == "interval" && v != nil && v.Ratio.Low != nil:
		return show.Figure(*v.Ratio.Low, "") + " to " + show.Figure(*v.Ratio.High, ""), nil
	case name == "interval":
		return "-", nil
	case column < 0:
		return "", fmt.Errorf("the table has no such column")
	}

	table := g.Table()
	if shown := slices.IndexFunc(table.Head, isNamed); shown >= 0 && g.Tells(column) {
		return table.Rows[row][shown], nil
	}
	return "-", nil
}
