// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What is reported and what is not: test files and silenced lines are left out.

package vet

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ignorePrefix begins the comment that silences a finding: //fount:ignore NAME reason.
const ignorePrefix = "//fount:ignore "

// A line is one of a file.
type line struct {
	file   string
	number int
}

// A reporter reports what one analyzer finds in one package.
type reporter struct {
	pass    *analysis.Pass
	ignored map[line]bool // lines on which the analyzer is silenced
	bare    map[line]bool // those whose comment has no reason
	seen    map[token.Pos]bool
	added   map[string]bool // names that fixes declare
}

func newReporter(pass *analysis.Pass) *reporter {
	r := &reporter{pass, make(map[line]bool), make(map[line]bool), make(map[token.Pos]bool), make(map[string]bool)}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				r.read(comment, group)
			}
		}
	}
	return r
}

// read notes what a comment silences: its own line, or the one below its group if it stands alone.
func (r *reporter) read(comment *ast.Comment, group *ast.CommentGroup) {
	fields := strings.Fields(comment.Text)
	if fields[0]+" " != ignorePrefix || len(fields) < 2 || fields[1] != r.pass.Analyzer.Name {
		return
	}
	lines := r.ignored
	if len(fields) == 2 {
		lines = r.bare
	}
	at := r.line(comment.Pos())
	if r.alone(comment) {
		at = r.line(group.End())
		at.number++
	}
	lines[at] = true
}

// alone reports whether no code stands before a comment on its line.
func (r *reporter) alone(comment *ast.Comment) bool {
	file := r.pass.Fset.File(comment.Pos())
	at := file.PositionFor(comment.Pos(), false)
	text, err := r.pass.ReadFile(file.Name())
	return err == nil && at.Offset <= len(text) && len(bytes.TrimSpace(text[at.Offset-at.Column+1:at.Offset])) == 0
}

func (r *reporter) line(pos token.Pos) line {
	p := r.pass.Fset.Position(pos)
	return line{p.Filename, p.Line}
}

// report reports at a node, once, unless it stands in a test or is silenced. The message ends with the analyzer's name, which
// go vet does not print.
func (r *reporter) report(at ast.Node, message string, fixes ...analysis.SuggestedFix) {
	where := r.line(at.Pos())
	if r.seen[at.Pos()] || isTest(r.pass, at) || r.ignored[where] {
		return
	}
	r.seen[at.Pos()] = true
	name := r.pass.Analyzer.Name
	if r.bare[where] {
		name += "; " + ignorePrefix + name + " lacks a reason"
	}
	r.pass.Report(analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(), Category: r.pass.Analyzer.Name,
		Message: fmt.Sprintf("%s (%s)", message, name), SuggestedFixes: fixes,
	})
}

// isTest reports whether a node stands in a _test.go file.
func isTest(pass *analysis.Pass, n ast.Node) bool {
	return strings.HasSuffix(pass.Fset.Position(n.Pos()).Filename, "_test.go")
}

// fix replaces what stands between two positions.
func fix(message string, pos, end token.Pos, text string) analysis.SuggestedFix {
	return analysis.SuggestedFix{Message: message, TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(text)}}}
}

// freeName is a name like the one given that means nothing in the node's file, in its package or in another fix.
func (r *reporter) freeName(at ast.Node, like string) string {
	taken := make(map[string]bool)
	ast.Inspect(fileOf(r.pass, at), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	name := like
	for i := 2; taken[name] || r.added[name] || r.pass.Pkg.Scope().Lookup(name) != nil; i++ {
		name = fmt.Sprint(like, i)
	}
	r.added[name] = true
	return name
}
