// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What README.md shows of a shell is pasted, as a reader would, into an interactive bash: on a terminal, with line editing
// and history expansion. TestTranscripts, whose shell reads no history, runs the same commands from a script.

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// goStub stands in for the go command where the README's line would build or test for minutes: CI's first steps run those lines.
// It prints the arguments that it was given, so that a line which bash reads otherwise is seen.
const goStub = "#!/bin/sh\necho go \"$@\"\n"

// longRun is what the README sets for tests that take long.
const longRun = "FOUNT_LONG=1 "

func TestReadmeInBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("%v: the README is pasted into it", err)
	}
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	runner := newTranscriptRunner(t)
	stubs, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(stubs, "go"), []byte(goStub), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "hello"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(runner.env, "PATH="+stubs+":"+runner.path, "HOME="+dir, "TERM=dumb", "INPUTRC=/dev/null")
	b := startBash(t, bash, dir, env)
	pasted := 0
	for _, block := range shellBlocks(string(text)) {
		for _, c := range block {
			pasted++
			out, status := b.paste(t, c.command)
			switch {
			case status != "0":
				t.Errorf("README.md:%d: %s: status %s\n%s", c.line, c.command, status, out)
			case strings.HasPrefix(strings.TrimPrefix(c.command, longRun), "go "):
				if shown := strings.ReplaceAll(strings.TrimPrefix(c.command, longRun), "'", ""); strings.TrimSpace(out) != shown {
					t.Errorf("README.md:%d: bash reads %s as %s", c.line, shown, out)
				}
			case strings.HasSuffix(c.command, " &"):
				b.await(t, c.output) // at once or after some prompts
			default:
				if difference := compare(c.command, c.output, out); difference != "" {
					t.Errorf("README.md:%d: %s: %s", c.line, c.command, difference)
				}
			}
		}
		b.paste(t, "cd "+dir)
	}
	if pasted < 10 {
		t.Errorf("%d commands pasted: does the test still find them?", pasted)
	}

	// The controls: this is a bash in which an exclamation mark needs its quotes, and in which failures are seen.
	if out, _ := b.paste(t, "echo unix!fount.sock"); !strings.Contains(out, "event not found") {
		t.Errorf("history is not expanded: %s", out)
	}
	if _, status := b.paste(t, "fount nonsense"); status != "2" {
		t.Errorf("fount nonsense: status %s, want 2", status)
	}
}

// An exclamation mark in a command of any document is quoted: bash takes what follows for an event of its history.
func TestDocumentsQuote(t *testing.T) {
	documents, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for _, name := range append(documents, filepath.Join(repository, "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range shellBlocks(string(text)) {
			for _, c := range block {
				if rest := singleQuoted.ReplaceAllString(c.command, ""); strings.Contains(rest, "!") {
					t.Errorf("%s:%d: bash reads history in %s", filepath.Base(name), c.line, c.command)
				} else if strings.Contains(c.command, "!") {
					quoted++
				}
			}
		}
	}
	if quoted == 0 {
		t.Error("no exclamation mark found: does the test still find the commands?")
	}
}

var singleQuoted = regexp.MustCompile(`'[^']*'`)

// shellBlocks are the commands of each block of a document that is marked sh or console.
func shellBlocks(document string) (blocks [][]transcript) {
	var block []transcript
	language := ""
	for i, line := range strings.Split(document, "\n") {
		command, prompt := strings.CutPrefix(line, "$ ")
		switch mark, fence := strings.CutPrefix(line, "```"); {
		case fence:
			language = mark
			if len(block) > 0 {
				blocks, block = append(blocks, block), nil
			}
		case language == "sh" || language == "console" && prompt:
			block = append(block, transcript{line: i + 1, command: command})
		case language == "console" && len(block) > 0:
			block[len(block)-1].output += line + "\n"
		}
	}
	return blocks
}

// terminal is a bash on a terminal of its own.
type terminal struct {
	screen *os.File
	shown  string // all since the start
	ahead  string // of that what no call has returned
}

const bashPrompt = "next@@ " // neither typed nor printed by any command

// startBash starts a bash that is interactive and has read nobody's settings.
func startBash(t *testing.T, bash, dir string, env []string) *terminal {
	t.Helper()
	screen, tty := openTerminal(t, 4000) // wide, so that no line that is typed is broken
	cmd := exec.Command(bash, "--noprofile", "--norc", "-i")
	cmd.Dir, cmd.Env = dir, append(env, "PS1="+bashPrompt)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	stuck := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }) // which ends what is read from the screen
	t.Cleanup(func() {
		screen.WriteString("kill $(jobs -p)\nexit\n")
		readScreen(screen, nil)
		cmd.Wait()
		stuck.Stop()
	})
	b := &terminal{screen: screen}
	b.until(t, bashPrompt)
	return b
}

// until returns what the terminal shows before a text. What follows that is for the next call: a server in the background
// writes when it likes.
func (b *terminal) until(t *testing.T, text string) string {
	t.Helper()
	buf := make([]byte, 4096)
	for !strings.Contains(b.ahead, text) {
		n, err := b.screen.Read(buf)
		b.ahead += string(buf[:n])
		b.shown += string(buf[:n])
		if err != nil {
			t.Fatalf("bash did not come to %q: %v\n%s", text, err, b.shown)
		}
	}
	before, after, _ := strings.Cut(b.ahead, text)
	b.ahead = after
	return before
}

// paste types a command, and returns what follows it and its exit status.
func (b *terminal) paste(t *testing.T, command string) (output, status string) {
	t.Helper()
	b.screen.WriteString(command + "\n")
	_, shown, _ := strings.Cut(b.until(t, bashPrompt), command+"\r\n") // what was typed is shown first
	b.screen.WriteString("echo status=$?\n")
	answers := regexp.MustCompile(`\nstatus=(\d+)\r`).FindStringSubmatch(b.until(t, bashPrompt))
	if answers == nil {
		t.Fatalf("no status after %s:\n%s", command, b.shown)
	}
	for line := range strings.Lines(shown) { // what a line of progress has shown is written over
		line = strings.TrimRight(line, "\r\n")
		output += line[strings.LastIndexByte(line, '\r')+1:] + "\n"
	}
	return output, answers[1]
}

// await returns when the terminal has shown a line, whenever that was.
func (b *terminal) await(t *testing.T, line string) {
	t.Helper()
	if line = strings.TrimSpace(line); !strings.Contains(b.shown, line) {
		b.until(t, line)
	}
}
