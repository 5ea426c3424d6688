// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of every command that prints, where it can't: a closed standard output, a full one, and a pipe without a reader.

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// prints has, for each command, arguments with which it prints soon. Those in long take seconds.
var (
	prints = map[string][]string{
		"fount":                  {"", "--version"},
		"fount help":             {"help rand"},
		"fount version":          {"version"},
		"fount completion":       {"completion bash", "completion zsh", "completion fish", "completion powershell"},
		"fount bench":            {"bench"},
		"fount bench nonce":      {benchOnce("nonce"), benchOnce("nonce") + " --json", benchOnce("nonce") + " -o -"},
		"fount bench source":     {"bench source --bench Global --count 1 --benchtime 1x"},
		"fount bench seeds":      {"bench seeds --seedings 1 --procs 2 --count 1", "bench seeds --seedings 1 --procs 2 --count 1 --json"},
		"fount bench password":   {"bench password --bench serial --cost 4 --count 1 --benchtime 1x"},
		"fount bench files":      {"bench files --bench urandom --count 1"},
		"fount load":             {"load"},
		"fount load password":    {"load password -c 1 --cost 4 -d 10ms", "load password -c 1 --cost 4 -d 10ms --json"},
		"fount model":            {"model"},
		"fount model scale":      {"model scale --lock mcs --sockets 1 --cores 1 --draws 1000"},
		"fount entropy":          {"entropy"},
		"fount entropy list":     {"entropy list", "entropy list --json"},
		"fount entropy sample":   {"entropy sample jitter 1K", "entropy sample jitter 1K --text"},
		"fount seed":             {"seed"},
		"fount seed save":        {"seed save seed"},
		"fount seed status":      {"seed status seed", "seed status seed --json"},
		"fount rand":             {"rand", "rand --hex", "rand --base64", "rand 1M", "rand --forever"},
		"fount token":            {"token", "token --alphabet 01"},
		"fount uuid":             {"uuid", "uuid -n 100000"},
		"fount nonce":            {"nonce"},
		"fount serve":            {"serve"},
		"fount password":         {"password"},
		"fount password hash":    {"password hash --policy bcrypt"},
		"fount password inspect": {"password inspect " + storedHash, "password inspect --json " + storedHash},
		"fount password wrap":    {"password wrap store --policy argon2id,m=64,t=1"},
		"fount password survey":  {"password survey --measure 0s store", "password survey --measure 0s --json store"},
		"fount password verify":  {"password verify " + storedHash, "password verify --json " + storedHash},
	}
	long = map[string][]string{
		"fount doctor":                 {"doctor", "doctor --json"},
		"fount bench scale":            {"bench scale --tail -d 1s", "bench scale --by-node --bench ^fount$ --count 1 --benchtime 100us"},
		"fount load password table":    {"load password table -d 10ms --cost 4"},
		"fount load password window":   {"load password window -d 10ms --cost 4"},
		"fount load password overload": {"load password overload -d 60ms --cost 4"},
		"fount load password sweep":    {"load password sweep -d 20ms --cost 4"},
		"fount load password callers":  {"load password callers -d 10ms --cost 4"},
		"fount load password memory":   {"load password memory"},
		"fount load password unknown":  {"load password unknown"},
		"fount password calibrate":     {"password calibrate --target 100ms"},
	}
	// late has the lines of long that print nothing before they have measured for half a minute. One output is enough for
	// them.
	late = map[string]bool{"doctor --json": true}
	// silent commands print nothing, a path when all is done, or a line that no one need read.
	silent = map[string]string{
		"fount mount":               "serves",
		"fount top":                 "watches a process; TestTopInPipe fills its disk",
		"fount why":                 "watches programs; testdata/script/why.txt fills its disk",
		"fount iostats":             "watches programs; testdata/script/iostats.txt",
		"fount iostats child":       "becomes another program",
		"fount load recovery":       "takes ten seconds or more; testdata/script/recovery.txt",
		"fount load recovery run":   "is the child of load recovery",
		"fount vet":                 "runs go vet; testdata/longscript/vet.txt",
		"fount serve files":         "serves, and prints on standard error",
		"fount seed load":           "gives to the kernel, as root",
		"fount bench files reader":  "is the child of bench files",
		"fount bench files starter": "is the child of bench files on Plan 9",
		"fount bench nonce server":  "is the child of bench nonce",
		"fount bench seeds process": "is the child of bench seeds",
		"fount load password run":   "is the child of the studies",
		"fount load password all":   "prints what the studies print",
		"fount report":              "takes minutes; TestReportOutputFails",
	}
)

func benchOnce(name string) string {
	return "bench " + name + " --bench crypto/rand --count 1 --benchtime 1x"
}

// storedHash is one of the password that the tests give.
const storedHash = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"

// Every command has its line in one of the tables.
func TestEveryCommandPrints(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		known := 0
		for _, table := range []map[string][]string{prints, long} {
			if len(table[path]) > 0 {
				known++
			}
		}
		if silent[path] != "" {
			known++
		}
		if known != 1 {
			t.Errorf("%s is in %d of the tables, want 1", path, known)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newProgram().root)
}

// What can't be written is a failure of every command, help too: a script that keeps an empty file believes it has a
// secret. A reader that went away ends a command as a signal would.
func TestOutputFails(t *testing.T) {
	t.Parallel()
	few := map[string][]string{}
	for _, command := range []string{"fount", "fount rand", "fount password verify", "fount password inspect", "fount password wrap"} {
		few[command] = prints[command]
	}
	testOutputs(t, few, true)
}

func TestOutputFailsLong(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this runs every command, measurements and studies too, for a minute")
	}
	testOutputs(t, prints, true)
	testOutputs(t, long, false)
}

func testOutputs(t *testing.T, table map[string][]string, help bool) {
	if _, known := sameFile(os.Getpid(), 0, os.Getpid(), 0); !known {
		t.Skip("this kernel has no kcmp(2), which tells a closed standard output from /dev/null")
	}
	dir := t.TempDir()
	if status, said := runInto(t, dir, "seed save seed", ">/dev/null"); status != statusOK { // for seed status
		t.Fatalf("status %d, %s", status, said)
	}
	if err := os.WriteFile(filepath.Join(dir, "store"), []byte(storedHash), 0o600); err != nil { // for password survey and wrap
		t.Fatal(err)
	}
	for command, lines := range table {
		if help {
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(command, "fount")+" --help", " "))
		}
		for _, line := range lines {
			verifies := command == "fount password verify" && !strings.Contains(line, "--help")
			for _, test := range []struct {
				output, message string
				status          int
			}{
				{">&-", "standard output is closed; use >/dev/null if nothing is to be kept", statusFailed},
				{">/dev/full", "no space left on device", statusFailed},
				{">closed pipe", "", statusReaderGone},
				{">/dev/null", "", statusOK},
			} {
				if test.output == ">/dev/null" && (!help || line == "rand --forever") || test.output != ">/dev/full" && late[line] {
					continue
				}
				if verifies && test.output == ">&-" {
					test.message, test.status = "", statusOK // the status is the answer
				} else if verifies && test.output == ">/dev/full" {
					test.status = statusUsage // neither a match nor a mismatch
				}
				if test.output == ">/dev/null" && strings.HasPrefix(line, "password wrap store") {
					test.message = "1 wrapped" // the summary
				}
				status, said := runInto(t, dir, line, test.output)
				lines := strings.Count(said, "\n")
				if status != test.status || test.message == "" && lines > 0 ||
					test.message != "" && (lines != 1 || !strings.Contains(said, test.message)) {
					t.Errorf("fount %s %s: status %d, stderr %q; want %d and %q", line, test.output, status, said,
						test.status, test.message)
				}
			}
		}
	}
}

// runInto runs fount in a shell, into that output, and returns its status and what it said on standard error.
func runInto(t *testing.T, dir, line, output string) (status int, said string) {
	t.Helper()
	script := "exec fount " + strings.ReplaceAll(line, "$", `\$`)
	if output != ">closed pipe" {
		script += " " + output
	}
	var stderr bytes.Buffer
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader("password"), &stderr
	if output == ">closed pipe" {
		cmd.Stdout = closedPipe(t)
	}
	_ = cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("fount %s did not run", line)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}

// The control of isClosed: what looks like the runtime's /dev/null and is somebody's who wants nothing kept.
func TestOutputDiscarded(t *testing.T) {
	both, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	for name, files := range map[string][3]*os.File{
		"the parent's": {nil, both, nil}, // as of Python's subprocess.DEVNULL
		"a daemon's":   {both, both, both},
	} {
		cmd := exec.Command("fount", "token")
		if files[0] != nil {
			cmd.Stdin = files[0]
		}
		cmd.Stdout = files[1]
		if files[2] != nil {
			cmd.Stderr = files[2]
		}
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v, want success", name, err)
		}
	}
	if _, known := sameFile(os.Getpid(), 0, os.Getpid(), 0); !known {
		return
	}
	if same, _ := sameFile(os.Getpid(), int(both.Fd()), os.Getpid(), int(both.Fd())); !same {
		t.Error("a descriptor is not the same as itself")
	}
	dup, err := unix.Dup(int(both.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(dup)
	if same, _ := sameFile(os.Getpid(), int(both.Fd()), os.Getpid(), dup); !same {
		t.Error("a copy of a descriptor is not the same")
	}
}

// A report whose last line can't be written has failed, although its files are there.
func TestReportOutputFails(t *testing.T) {
	from := filepath.Join(repository, "docs", "results", "report")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if status, said := runInto(t, dir, "report --from .", ">/dev/full"); status != statusFailed ||
		!strings.Contains(said, "no space left on device") {
		t.Errorf("status %d, stderr %q, want 1", status, said)
	}
}
