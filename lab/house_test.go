// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The rules of the house, held against the code.

package lab

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = ".." // of the checkout

// goFiles are those below dir, those of modules inside left out.
func goFiles(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir:
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return fs.SkipDir
			}
		case strings.HasSuffix(path, ".go"):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files below %s, %v", len(paths), dir, err)
	}
	return paths
}

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// imports are the pairs of a file and a path that it imports, of those below dir, for which bad holds.
func imports(t *testing.T, dir string, bad func(file, path string) bool) (found []string) {
	t.Helper()
	for _, file := range goFiles(t, dir) {
		for _, i := range parse(t, file).Imports {
			if path, err := strconv.Unquote(i.Path.Value); err == nil && bad(filepath.ToSlash(file), path) {
				found = append(found, file+" imports "+path)
			}
		}
	}
	return found
}

func below(path string, trees ...string) bool {
	return slices.ContainsFunc(trees, func(tree string) bool { return path == tree || strings.HasPrefix(path, tree+"/") })
}

// The library imports nothing of what stands beside it.
func TestLibraryImportsNoLab(t *testing.T) {
	beside := func(_, path string) bool {
		return below(path, "fount/lab", "fount/bench", "fount/cmd", "fount/test", "fount/vet", "fount/telemetry/otel", "fount/telemetry/prometheus", "fount/password/passwordgrpc", "fount/password/accountlimit/redislimit", "fount/remote")
	}
	if found := imports(t, root, beside); len(found) > 0 {
		t.Errorf("the library: %s", strings.Join(found, "; "))
	}
	if found := imports(t, "page", beside); len(found) == 0 { // the negative control
		t.Error("no import of the lab found where there are some")
	}
}

// Results flow from the studies to the page, and from nowhere else: show and machine know no study, no study knows the page,
// and none knows the program or the competitors.
func TestImportsGoOneWay(t *testing.T) {
	ground := []string{"show", "machine", "clib"}
	wrong := func(file, path string) bool {
		room, _, _ := strings.Cut(file, "/")
		switch {
		case below(path, "fount/cmd", "fount/bench"):
			return true
		case below(path, "fount/lab/page"):
			return room != "page"
		case slices.Contains(ground, room) && below(path, "fount/lab"):
			return !below(path, "fount/lab/show", "fount/lab/machine")
		}
		return false
	}
	if found := imports(t, ".", wrong); len(found) > 0 {
		t.Error(strings.Join(found, "; "))
	}
	if !wrong("nonce/row.go", "fount/lab/page") || !wrong("show/bar.go", "fount/lab/scale") || !wrong("page/run.go", "fount/cmd/fount/internal/cli") ||
		wrong("page/run.go", "fount/lab/scale") { // the controls
		t.Error("the rule does not tell right from wrong")
	}
}

// The program's flags are its command line's to add: nothing else imports the packages that do.
func TestOnlyCLIAddsFlags(t *testing.T) {
	adds := func(file, path string) bool {
		return below(path, "github.com/spf13") && !strings.Contains(file, "cmd/fount/internal/cli/")
	}
	for _, dir := range []string{".", filepath.Join(root, "cmd", "fount")} {
		if found := imports(t, dir, adds); len(found) > 0 {
			t.Error(strings.Join(found, "; "))
		}
	}
	if !adds("../cmd/fount/internal/randfs/mount.go", "github.com/spf13/pflag") || adds("../cmd/fount/internal/cli/why.go", "github.com/spf13/cobra") { // the controls
		t.Error("the rule does not tell right from wrong")
	}
}

// owners are the types and functions that several studies need, with the package that declares each.
var owners = map[string]string{"Method": "measure", "Plan": "measure", "Sample": "measure", "Histogram": "measure", "Docket": "measure"}

// declared are the places below dir that declare a type that is another's.
func declared(t *testing.T, dir string, owners map[string]string) (found []string) {
	for _, file := range goFiles(t, dir) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range parse(t, file).Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				name := s.(*ast.TypeSpec).Name.Name
				if owner, ok := owners[name]; ok && filepath.Base(filepath.Dir(file)) != owner {
					found = append(found, file+" declares "+name)
				}
			}
		}
	}
	return found
}

// others are types of the same name that are something else: a row of the doctor's result, a plan of runs, a point of the law.
var others = []string{"doctor/result.go declares Method", "logins/study.go declares Plan", "usl/bootstrap.go declares Sample"}

// What several studies measure with is declared once, in lab/measure.
func TestMeasureIsDeclaredOnce(t *testing.T) {
	cli := filepath.Join(root, "cmd", "fount", "internal", "cli")
	for _, found := range append(declared(t, ".", owners), declared(t, cli, owners)...) {
		if !slices.ContainsFunc(others, func(other string) bool { return strings.HasSuffix(filepath.ToSlash(found), other) }) {
			t.Errorf("%s, which is lab/measure's", found)
		}
	}
	if found := declared(t, "measure", map[string]string{"Sample": "nonce"}); len(found) != 1 { // the negative control
		t.Errorf("a Sample outside its package is found as %v", found)
	}
	histograms := func(file, path string) bool {
		return strings.Contains(path, "HdrHistogram") && filepath.Dir(file) != "measure"
	}
	if found := imports(t, ".", histograms); len(found) > 0 {
		t.Errorf("%s: lab/measure has the histogram", strings.Join(found, "; "))
	}
	if !histograms("scale/tail.go", "github.com/HdrHistogram/hdrhistogram-go") { // the control
		t.Error("the rule does not tell right from wrong")
	}
}

// quietShare is the bar below which other programs had too much of the cores, as a number.
var quietShare = regexp.MustCompile(`[<>]=? *0\.90*\b|= *0\.90* +//`)

// When a machine is too busy for elapsed times to be judged, measure.QuietShare says.
func TestBusyIsDeclaredOnce(t *testing.T) {
	found := map[string]bool{}
	for _, file := range append(goFiles(t, "."), goFiles(t, filepath.Join(root, "bench"))...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if quietShare.Match(text) && !strings.HasSuffix(file, "_test.go") {
			found[filepath.ToSlash(file)] = true
		}
	}
	delete(found, "measure/plan.go")
	if len(found) > 0 {
		t.Errorf("%v compare with 0.9: want measure.QuietShare", slices.Collect(maps.Keys(found)))
	}
	for text, want := range map[string]bool{"part > 0.9 {": true, "judgeBar = 0.9  // of": true, "Min: 0.9, Max: 1": false, "x > 0.95": false} { // the controls
		if quietShare.MatchString(text) != want {
			t.Errorf("%s: a bar: %v", text, !want)
		}
	}
}

// clocks are what tells the time or counts it.
var clocks = regexp.MustCompile(`\btime\.(?:Now|Since|Until)\b|\bGetrusage\b|\btesting\.Benchmark\b`)

// What is compared has one harness, package measure: the doctor, the nonces, the integers and the competitors read no clock.
func TestOneHarness(t *testing.T) {
	allowed := map[string]int{"source/source.go": 1, "doctor/passwords.go": 2} // a seed of the post's; how long a load takes
	read := func(dir string) (found map[string]int) {
		found = map[string]int{}
		for _, file := range goFiles(t, dir) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(clocks.FindAll(text, -1)); n > 0 && !strings.HasSuffix(file, "_test.go") {
				found[filepath.ToSlash(file)] = n
			}
		}
		return found
	}
	for _, dir := range []string{"doctor", "nonce", "source", filepath.Join(root, "bench")} {
		for file, n := range read(dir) {
			if n > allowed[file] {
				t.Errorf("%s reads a clock in %d places, want %d: figures are measure's", file, n, allowed[file])
			}
		}
	}
	if !clocks.MatchString("now := time.Now\n") || clocks.MatchString("time.Nowhere") { // the controls
		t.Error("a clock under another name is not found, or another name is")
	}
	if len(read("measure")) == 0 {
		t.Error("no clock found in package measure")
	}
}

// aFlag is one of the program's long flags.
const aFlag = `(?:^|[ "'(\x60])--[a-z]{2}`

var (
	aGroup = regexp.MustCompile(`(?m)^\tp\.add\(\w+, (.*)\)$`)
	aNew   = regexp.MustCompile(`\bnew(\w+)\(`)
)

// commandOrFlag matches a command line of the program, or one of its long flags. The commands are those that it adds.
func commandOrFlag(t *testing.T) *regexp.Regexp {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "cmd", "fount", "internal", "cli", "cli.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, group := range aGroup.FindAllStringSubmatch(string(text), -1) {
		for _, command := range aNew.FindAllStringSubmatch(group[1], -1) {
			names = append(names, strings.ToLower(command[1]))
		}
	}
	if len(names) < 15 || !slices.Contains(names, "vet") {
		t.Fatalf("the program's commands are %q, want all", names)
	}
	return regexp.MustCompile(`\bfount (?:` + strings.Join(names, "|") + `)\b|` + aFlag)
}

// Only the program's command line names commands and flags.
func TestOnlyCLINamesCommands(t *testing.T) {
	aCommand := commandOrFlag(t)
	randfs := filepath.Join(root, "cmd", "fount", "internal", "randfs")
	for _, file := range append(goFiles(t, "."), goFiles(t, randfs)...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if found := aCommand.FindString(line); found != "" {
				t.Errorf("%s:%d names %q, which is the program's to name", file, i+1, found)
			}
		}
	}
	for text, want := range map[string]bool{`{"bench", "--json"}`: true, "as fount load password does": true, "fount password calibrate": true, "see fount vet": true, "`--json`": true, "fount.Nonce": false, "i-- // fount": false} {
		if got := aCommand.MatchString(text); got != want { // the controls
			t.Errorf("%s: a command: %v, want %v", text, got, want)
		}
	}
}

// A process that is started is told what to do on its standard input: its arguments are those of the command that its study
// was handed. C's libraries are another program's, whose command line is its own.
func TestChildrenAreToldOnStandardInput(t *testing.T) {
	started := 0
	for _, file := range goFiles(t, ".") {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.ToSlash(file), "clib/") {
			continue
		}
		ast.Inspect(parse(t, file), func(n ast.Node) bool {
			if isOtherStart(n) {
				t.Errorf("%s starts a process in another way than by exec.Command", file)
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || !isExec(f) {
				return true
			}
			started++
			if last, ok := call.Args[len(call.Args)-1].(*ast.SliceExpr); !ok || call.Ellipsis == token.NoPos || name(last.X) != "program" {
				t.Errorf("%s starts a process with arguments of its own; want program[0], program[1:]...", file)
			}
			return true
		})
	}
	for code, want := range map[string]bool{
		`import e "os/exec"`: true, `import "os"; var _, _ = os.StartProcess("x", nil, nil)`: true,
		`import "os/exec"; var _ = exec.Cmd{}`: true, `import "os/exec"; var _ *exec.Cmd`: false,
	} { // the controls
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(f, func(n ast.Node) bool { found = found || isOtherStart(n); return true })
		if found != want {
			t.Errorf("%s: another way: %v, want %v", code, found, want)
		}
	}
	if started < 2 {
		t.Errorf("%d places start a process, want those of files and scale", started)
	}
}

func isExec(f *ast.SelectorExpr) bool {
	return name(f.X) == "exec" && strings.HasPrefix(f.Sel.Name, "Command")
}

// isOtherStart reports whether n starts a process where isExec would not see it.
func isOtherStart(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return n.Path.Value == `"os/exec"` && n.Name != nil
	case *ast.CompositeLit:
		s, ok := n.Type.(*ast.SelectorExpr)
		return ok && name(s.X) == "exec" && s.Sel.Name == "Cmd"
	case *ast.SelectorExpr:
		return name(n.X) == "os" && n.Sel.Name == "StartProcess" || name(n.X) == "syscall" && n.Sel.Name == "ForkExec"
	}
	return false
}

func name(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// A result's type is declared once, by the study that fills it: the command line, the page and the competitors' report read that
// one, and none of them has a struct for a study's JSON.
func TestResultsAreDeclaredOnce(t *testing.T) {
	studies := map[string][]string{} // fields in JSON, by where the struct is
	for _, file := range goFiles(t, ".") {
		if !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(filepath.ToSlash(file), "page/") {
			maps.Copy(studies, structs(file, parse(t, file)))
		}
	}
	if len(studies) < 20 {
		t.Fatalf("%d structs with names in JSON, want those of all studies", len(studies))
	}
	readers := goFiles(t, "page")
	for _, dir := range []string{filepath.Join("cmd", "fount", "internal", "cli"), filepath.Join("bench", "report")} {
		readers = append(readers, goFiles(t, filepath.Join(root, dir))...)
	}
	for _, file := range readers {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for where, fields := range structs(file, parse(t, file)) {
			if of := mirrored(fields, studies); of != "" {
				t.Errorf("%s mirrors %s: %q", where, of, fields)
			}
		}
	}
	for code, want := range map[string]bool{ // the controls
		"type doctor struct { M int `json:\"machine\"`; F []int `json:\"findings\"`; V struct{ Use string `json:\"use\"` } `json:\"verdict\"` }": true,
		"func f() { var d struct { N float64 `json:\"one_core_ns\"`; A float64 `json:\"all_cores_ns\"` }; _ = d }":                               true,
		"type row struct { Name string `json:\"name\"`; Owner string `json:\"owner\"`; Colour int `json:\"colour\"` }":                           false,
		"type failure struct { Error string `json:\"error\"` }":                                                                                  false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p; "+code, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, fields := range structs("control", f) {
			found = found || mirrored(fields, studies) != ""
		}
		if found != want {
			t.Errorf("%s: a mirror: %v, want %v", code, found, want)
		}
	}
}

// structs are the names in JSON of each struct type in a file, named or not, that has any.
func structs(file string, f *ast.File) map[string][]string {
	all := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		var fields []string
		for _, field := range s.Fields.List {
			if field.Tag == nil {
				continue
			}
			tag, _ := strconv.Unquote(field.Tag.Value)
			if name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ","); name != "" && name != "-" {
				fields = append(fields, name)
			}
		}
		if len(fields) > 0 {
			all[file+":"+strconv.Itoa(int(s.Pos()))] = fields
		}
		return true
	})
	return all
}

// mirrored is the study's struct that has two or more of the fields, and at least two in three of them; "" if there is none.
func mirrored(fields []string, studies map[string][]string) string {
	for where, of := range studies {
		same := 0
		for _, f := range fields {
			if slices.Contains(of, f) {
				same++
			}
		}
		if same >= 2 && 3*same >= 2*len(fields) {
			return where
		}
	}
	return ""
}
