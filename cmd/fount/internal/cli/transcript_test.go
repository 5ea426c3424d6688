// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The documentation is a test: what README.md and docs/*.md show of the program is run, and its output
// must have the shape of the output shown.
//
// A block that is marked console holds commands after "$ ", each followed by its output. Those that start
// with fount, or with go run ./cmd/fount, are run by a shell, all of one document in one directory.
// What depends on chance or on the machine is normalised away (see shape); of fount doctor only the
// headings and the labels of its rows are compared, without FOUNT_LONG those of a quick one; of fount top the head, the times and the
// pools. A command that ends with & runs until the document ends, and is compared with its first line.
//
// The documents are outside this module, so go test does not see that they changed and may repeat the
// result of an earlier run: use -count=1 after editing them.

package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is the root of the repository, from this package.
const repository = "../../../.."

// transcript is a command of the documentation with its output.
type transcript struct {
	line    int // of the command
	command string
	output  string
}

// transcripts returns the commands in the console blocks of a document.
func transcripts(document string) []transcript {
	var found []transcript
	inside, open := false, false // in a console block; after a command in it
	number := 0
	for line := range strings.Lines(document) {
		number++
		line = strings.TrimRight(line, "\r\n")
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside, open = line == "```console", false
		case inside && isCommand:
			found = append(found, transcript{line: number, command: command})
			open = true
		case open:
			last := &found[len(found)-1]
			if strings.HasSuffix(last.command, `\`) && last.output == "" {
				last.command += "\n" + line
				break
			}
			last.output += line + "\n"
		}
	}
	return found
}

// ofFount returns the command with fount for go run ./cmd/fount, and whether it is one of fount.
func ofFount(command string) (string, bool) {
	if rest, ok := strings.CutPrefix(command, "go run ./cmd/fount"); ok {
		command = "fount" + rest
	}
	return command, command == "fount" || strings.HasPrefix(command, "fount ")
}

// The parts of output that vary, in the order in which they are replaced.
var (
	uuidPattern     = regexp.MustCompile(`\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)
	secretPattern   = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}={0,2}`)
	barPattern      = regexp.MustCompile(`[\x{2580}-\x{259F}]+`)
	goPattern       = regexp.MustCompile(`\bgo1\.[0-9][0-9a-z.]*`)
	platformPattern = regexp.MustCompile(`\b(aix|darwin|dragonfly|freebsd|illumos|linux|netbsd|openbsd|plan9|solaris|windows)/[a-z0-9]+\b`)
	numberPattern   = regexp.MustCompile(`\b[0-9]+([.,][0-9]+)*( ?(ns|µs|us|ms|s|min|h|B|[KMGTPE]i?B|kB|[KMG]|[kMG]?Hz|bits?)(/s|/op)?\b| ?%)?`)
	spacePattern    = regexp.MustCompile(`[ \t]+`)

	hexPattern    = regexp.MustCompile(`^[0-9a-f]+$`)
	base32Pattern = regexp.MustCompile(`^[A-Z2-7]+$`)
	upperPattern  = regexp.MustCompile(`[A-Z]`)
	lowerPattern  = regexp.MustCompile(`[a-z]`)
)

// shape returns text without what depends on chance or on the machine.
func shape(text string) string {
	text = uuidPattern.ReplaceAllString(text, "UUID")
	text = secretPattern.ReplaceAllStringFunc(text, secretShape)
	text = barPattern.ReplaceAllString(text, "BAR")
	text = goPattern.ReplaceAllString(text, "GO")
	text = platformPattern.ReplaceAllString(text, "PLATFORM")
	text = numberPattern.ReplaceAllString(text, "N")
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSpace(spacePattern.ReplaceAllString(line, " ")))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// secretShape names the alphabet and the length (in letters: digits would become N) of a run of at least
// 16 characters. A run of letters in one case that is neither hex nor base32, such as a path, is no
// secret: of 22 random characters of base64 (16 bytes), two in 100,000 runs have letters in one case only.
func secretShape(run string) string {
	alphabet := ""
	switch {
	case hexPattern.MatchString(run):
		alphabet = "HEX"
	case base32Pattern.MatchString(run):
		alphabet = "BASE32"
	case upperPattern.MatchString(run) && lowerPattern.MatchString(run):
		alphabet = "BASE64"
	default:
		return run
	}
	return alphabet + ":" + strings.Repeat("x", len(run))
}

var (
	findingPattern = regexp.MustCompile(`^  (?:ok|note|problem) +(.{12}) `) // level, label, value in columns
	rowPattern     = regexp.MustCompile(`^  (\S+(?: \S+)*)  +\S`)           // label, two spaces, figures
	keyPattern     = regexp.MustCompile(`^ *("[a-z0-9_]+"):`)               // of a line of JSON
)

// doctorShape returns the headings and the labels in the output of fount doctor, or the keys of its JSON.
// A heading starts at the margin; a line that is neither is prose.
func doctorShape(output string) (parts []string) {
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, " \n")
		if key := keyPattern.FindStringSubmatch(line); key != nil {
			parts = append(parts, "key "+key[1])
		} else if row := findingPattern.FindStringSubmatch(line); row != nil {
			parts = append(parts, "finding "+shape(row[1]))
		} else if row := rowPattern.FindStringSubmatch(line); row != nil {
			parts = append(parts, "row "+shape(row[1]))
		} else if line != "" && line[0] != ' ' {
			parts = append(parts, "heading "+shape(line))
		}
	}
	return parts
}

// topColumns returns what fount top prints without its figures and notes, which are the machine's: a call may be refused.
func topColumns(output string) string {
	head, rows, _ := strings.Cut(output, "\n")
	for row := range strings.Lines(rows) {
		columns := strings.Fields(row)
		head += "\n" + strings.Join(columns[:min(2, len(columns))], " ")
	}
	return head
}

// compare says how the output of a command differs in shape from the documented one, "" if it does not.
func compare(command, documented, got string) string {
	if strings.HasPrefix(command, "fount doctor") {
		real := doctorShape(got)
		for _, part := range doctorShape(documented) {
			if !slices.Contains(real, part) {
				return fmt.Sprintf("there is no %s in\n%s", part, got)
			}
		}
		return ""
	}
	if strings.HasPrefix(command, "fount top ") {
		documented, got = topColumns(documented), topColumns(got)
	}
	if want, got := shape(documented), shape(got); want != got {
		return fmt.Sprintf("shape\n%s\nwant\n%s", got, want)
	}
	return ""
}

func TestTranscripts(t *testing.T) {
	t.Parallel()
	readme := filepath.Join(repository, "README.md")
	if _, err := os.Stat(readme); err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	runner := newTranscriptRunner(t)
	if os.Getenv("FOUNT_LONG") == "" {
		runner.doctor["fount doctor"] = quickDoctor(t)
	}
	for _, name := range append([]string{readme}, documents...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		dir := t.TempDir()
		for _, tr := range transcripts(string(text)) {
			command, ok := ofFount(tr.command)
			if !ok {
				continue // another test runs it
			}
			ran++
			got := runner.run(t, dir, command)
			if difference := compare(command, tr.output, got); difference != "" {
				t.Errorf("%s:%d: %s: %s", filepath.Base(name), tr.line, tr.command, difference)
			}
		}
		if name == readme && ran == 0 {
			t.Error("README.md shows no command of fount in a block marked console")
		}
	}
}

// transcriptRunner runs commands in a shell that finds the program.
type transcriptRunner struct {
	env    []string
	path   string            // where env finds programs
	doctor map[string]string // outputs: a run takes up to 20 s
}

// The program is this test binary: TestMain puts it in PATH.
func newTranscriptRunner(t *testing.T) *transcriptRunner {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the documentation is written for a Unix shell, and there is none")
	}
	return &transcriptRunner{os.Environ(), os.Getenv("PATH"), make(map[string]string)}
}

// quickDoctor is what fount doctor prints of an examination that takes milliseconds. It has the headings and the rows of one that
// measures on all cores for 20 s.
func quickDoctor(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	if err := examine(&out, quick(), false, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// run returns what a terminal would show.
func (r *transcriptRunner) run(t *testing.T, dir, command string) string {
	t.Helper()
	if background, ok := strings.CutSuffix(command, " &"); ok {
		return r.start(t, dir, background)
	}
	isDoctor := strings.HasPrefix(command, "fount doctor")
	if out, ok := r.doctor[command]; ok && isDoctor {
		return out
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, r.env
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if isDoctor {
		r.doctor[command] = string(out)
	}
	return string(out)
}

// start runs a command until the test ends, and returns the first line that a terminal would show.
func (r *transcriptRunner) start(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", "exec "+command+" 2>&1")
	cmd.Dir, cmd.Env = dir, r.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, _ := bufio.NewReader(out).ReadString('\n') // at an error a part, which compares as different
	return line
}

func TestTranscriptsOfDocument(t *testing.T) {
	got := transcripts("# Text\n\n    $ fount indented\n\n```sh\n$ fount sh\n```\n```console\nbefore\n$ fount token\nabc\n\ndef\n" +
		"$ ls\n$ go run ./cmd/fount rand \\\n  --hex\nxyz\n```\nafter\n```\n$ fount none\n```\n")
	want := []transcript{
		{10, "fount token", "abc\n\ndef\n"},
		{14, "ls", ""},
		{15, "go run ./cmd/fount rand \\\n  --hex", "xyz\n"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("transcripts %+v, want %+v", got, want)
	}
	for command, want := range map[string]string{
		"fount": "fount", "fount token": "fount token", "go run ./cmd/fount token 16": "fount token 16",
		"go run ./cmd/fount": "fount", "ls": "", "fountain": "", "go test work": "", "echo fount": "",
	} {
		if got, ok := ofFount(command); ok != (want != "") || ok && got != want {
			t.Errorf("ofFount(%q) = %q, %v, want %q", command, got, ok, want)
		}
	}
}

func TestShape(t *testing.T) {
	const (
		token  = "LUbwhRyblNKc3ITQFhZ4i5XqHVRJ2ePkJ-XdXAvLUjQ"
		token2 = "k7R9uD-SZhHfYm3WSp3Lk7C7Y5cJzCgU2Tnp-j9_UAo"
		uuid   = "2f0c7d4e-58a1-4a3f-9d55-0c2b1e7f6a90"
		uuid2  = "00000000-0000-4000-8000-000000000000"
		hex    = "00112233445566778899aabbccddeeff"
	)
	for _, test := range []struct {
		a, b string
		same bool
	}{
		// What varies.
		{"nonce 48.1 ns", "nonce 7 µs", true},
		{"write 1,234 B/s, 12 %", "write 9.9 GiB/s, 100%", true},
		{"  a    b  \n\n", "a b", true},
		{uuid, uuid2, true},
		{token, token2, true},
		{hex, "0f" + hex[2:], true},
		{"5ESZ3TQ6ZK4RWEFJIGQ2YQ2SXU", "FJIGQ2YQ2SXU5ESZ3TQ6ZK4RWE", true},
		{"fast ▇▇▇▇ 3 ns", "fast ▇▏ 40 ns", true},
		{"fount devel (go1.26.8 linux/amd64)", "fount devel (go1.27rc1 darwin/arm64)", true},

		// The negative controls: what does not.
		{"nonce 48 ns", "nonces 48 ns", false},
		{"stay with crypto/rand", "stay with math/rand", false},
		{"48 ns", "48 nonces", false},
		{"a b", "ab", false},
		{"one\ntwo", "one two", false},
		{token, token[:42], false},
		{hex, hex[:30], false},
		{hex, token, false},
		{uuid, "x" + uuid, false},
		{uuid, strings.ReplaceAll(uuid, "-", ""), false},
		{"FJIGQ2YQ2SXU5ESZ3TQ6ZK4RWE", strings.ToLower("FJIGQ2YQ2SXU5ESZ3TQ6ZK4RWE"), false},
		{"docs/performance.md-and-more", "docs/threat-models.md-and-more", false},
		{"fast ▇▇▇▇", "fast", false},
		{"fount devel (go1.26.8 linux/amd64)", "fount devel (go1.26.8)", false},
		{"base64", "base32", false},
	} {
		if a, b := shape(test.a), shape(test.b); (a == b) != test.same {
			t.Errorf("%q has shape %q, %q has %q, want the same: %v", test.a, a, test.b, b, test.same)
		}
	}
}

func TestCompareDoctor(t *testing.T) {
	const real = "Machine\n" +
		"  ok      kernel       Linux 6.18. Seeded.\n" +
		"  problem /dev/urandom missing. Programs that read it\n" +
		"                       fail.\n\n" +
		"Randomness: 8 rounds\n" +
		"  ns per nonce  1 core\n" +
		"  fount             12  ▇▇\n\n" +
		"Verdict\n  Use fount above 10,000 nonces per second.\n"
	for documented, same := range map[string]bool{
		real:                             true,
		"Verdict\n  Stay with it.\n":     true, // prose
		"Randomness: 12 rounds\n":        true,
		"  note    kernel       OpenBSD": true,
		"  ok      /dev/urandom ready.":  true,
		"  fount                9  ▇":    true,

		"Machinery\n":                    false,
		"Passwords\n":                    false,
		"Randomness: 12 turns\n":         false,
		"  ok      kernels      Linux":   false,
		"  ok      /dev/arandom ready.":  false,
		"  fount.Generator      9  ▇":    false,
		"  ns per nonces  1 core  ratio": false,
	} {
		if difference := compare("fount doctor", documented, real); (difference == "") != same {
			t.Errorf("documented\n%sdifference %q, want the same: %v", documented, difference, same)
		}
	}
	const object = "{\n  \"findings\": [\n    {\n      \"level\": \"ok\"\n"
	if difference := compare("fount doctor --json", "{\n  \"findings\": [\n", object); difference != "" {
		t.Errorf("JSON: difference %q, want none", difference)
	}
	if compare("fount doctor --json", "{\n  \"finding\": [\n", object) == "" {
		t.Error("JSON: another key is not found")
	}
	const live = "time pool demand\n18:04:05  load  101\n"
	for documented, same := range map[string]bool{
		"time pool demand\n18:04:06  load  9.1 overloaded\n": true, "time pool demand\n18:04:06  gone: no answer\n": false,
		"time pool\n18:04:06  load  9.1\n": false, "time pool demand\n": false,
	} {
		if difference := compare("fount top x", documented, live); (difference == "") != same {
			t.Errorf("documented %q: difference %q, want the same: %v", documented, difference, same)
		}
	}
	if compare("fount rand", "Machine", real) == "" {
		t.Error("the output of another command is compared as that of doctor is")
	}
}
