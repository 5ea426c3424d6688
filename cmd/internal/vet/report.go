// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Reporting of findings, except in test files and on silenced lines.

package vet

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ignore begins the comment that silences a finding: //fount:ignore NAME reason.
const ignore = "//fount:ignore"

// A line is a line of a file.
type line struct {
	file   string
	number int
}

// A reporter reports what one analyzer finds in one package.
type reporter struct {
	pass    *analysis.Pass
	ignored map[line]bool // lines on which the analyzer is silenced
	seen    map[token.Pos]bool
}

func newReporter(pass *analysis.Pass) *reporter {
	r := &reporter{pass, make(map[line]bool), make(map[token.Pos]bool)}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				r.silence(comment, group)
			}
		}
	}
	return r
}

// silence notes which line a comment silences: its own or, if it stands alone, the one below its
// group.
func (r *reporter) silence(comment *ast.Comment, group *ast.CommentGroup) {
	fields := strings.Fields(comment.Text)
	hasReason := len(fields) > 2
	if !hasReason || fields[0] != ignore || fields[1] != r.pass.Analyzer.Name {
		return
	}

	at := r.line(comment.Pos())
	if r.alone(comment) {
		at = r.line(group.End())
		at.number++
	}
	r.ignored[at] = true
}

// alone reports whether a comment has a line to itself.
func (r *reporter) alone(comment *ast.Comment) bool {
	file := r.pass.Fset.File(comment.Pos())
	at := file.PositionFor(comment.Pos(), false)
	text, err := r.pass.ReadFile(file.Name())
	if err != nil || at.Offset > len(text) {
		return false
	}
	before := text[at.Offset-at.Column+1 : at.Offset]
	return len(bytes.TrimSpace(before)) == 0
}

func (r *reporter) line(pos token.Pos) line {
	p := r.pass.Fset.Position(pos)
	return line{p.Filename, p.Line}
}

// report reports a finding at a node once, unless the node is in a test or silenced. The message
// ends with the analyzer's name, which go vet does not print.
func (r *reporter) report(at ast.Node, message string) {
	if r.seen[at.Pos()] || r.silent(at) {
		return
	}

	r.seen[at.Pos()] = true
	r.pass.Report(analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(), Category: r.pass.Analyzer.Name,
		Message: fmt.Sprintf("%s (%s)", message, r.pass.Analyzer.Name),
	})
}

// silent reports whether nothing is said about a node.
func (r *reporter) silent(at ast.Node) bool {
	return isTest(r.pass, at.Pos()) || r.ignored[r.line(at.Pos())]
}

// isTest reports whether a position is in a _test.go file.
func isTest(pass *analysis.Pass, at token.Pos) bool {
	return strings.HasSuffix(pass.Fset.Position(at).Filename, "_test.go")
}
