// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

// The machine: a 386 with Plan 9 in QEMU, and its console, on which an interactive rc reads lines.

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
)

// emulator is of Debian's package qemu-system-x86.
const emulator = "qemu-system-i386"

// mips is how many million instructions a second the machine executes by its own clock, which
// counts them and skips idle time. So its figures are the same on each host, however busy.
const mips = 125

// spare is what a machine that hangs leaves of go test's -timeout, for its console to be shown. It
// has all the time before: a test that takes a minute on two idle CPUs takes many on a busy host.
const spare = 20 * time.Second

// ini is plan9.ini. The kernel takes no command line: it finds this where its boot loader would
// have put it.
const (
	ini = "console=0\nbootargs=local!#S/sdD0/data\nnobootprompt=local!#S/sdD0/data\nuser=glenda\n" +
		"nousbprobe=1\n*nousbprobe=1\n*nomp=1\n\x00"
	iniAddress = "0x1240"
)

// job is what the machine runs once it is up: a shell without prompts on the console. Programs
// stand in its directory, which is in the search path. /n has a directory for mounts, as mntgen(4)
// gives one on a whole system.
const job = `#!/bin/rc
bind -b /tmp/job /bin
mkdir /tmp/n /tmp/n/fount
bind -a /tmp/n /n
prompt=('' '')
exec rc -i </dev/cons
`

// A machine is a running Plan 9.
type machine struct {
	testing.TB
	in      io.WriteCloser
	out     *bufio.Reader
	console bytes.Buffer // what was read of out
	marks   int
}

// image unpacks the folder of FOUNT_PLAN9 and returns the kernel and the CD.
func image(t testing.TB) (kernel, cd string) {
	folder := os.Getenv("FOUNT_PLAN9")
	if folder == "" {
		require.Skip(t, "plan9", "FOUNT_PLAN9 names no folder with a Plan 9 (test/plan9/README.md)")
	}
	if _, err := exec.LookPath(emulator); err != nil {
		require.Skip(t, "plan9", fmt.Sprintf("no QEMU (Debian: qemu-system-x86): %v", err))
	}
	dir := t.TempDir()
	cmd := exec.Command("tar", "-C", dir, "-xJf", filepath.Join(folder, "image.tar.xz"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return filepath.Join(dir, "kernel"), filepath.Join(dir, "root.iso")
}

// disc writes a tar file of programs, by name, and the job: as a CD's raw contents, since ISO 9660
// would change names.
func disc(t testing.TB, path string, programs map[string][]byte) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(name string, content []byte) {
		h := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(content)), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	add("job.rc", []byte(job))
	for name, content := range programs {
		add(name, content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const sector = 2048
	b.Write(make([]byte, -b.Len()&(sector-1)))
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// compile builds a package of this checkout for the machine.
func compile(t testing.TB, pattern string) []byte {
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, pattern)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=plan9", "GOARCH=386")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	b, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// boot starts a machine with programs and waits for its shell. The test's end ends it.
func boot(t testing.TB, programs map[string][]byte) *machine { return bootAt(t, mips, programs) }

// bootAt is boot for a machine of another speed: 1000 million instructions a second, or a half, a
// quarter, an eighth of it.
func bootAt(t testing.TB, mips int, programs map[string][]byte) *machine {
	kernel, cd := image(t)
	clock := fmt.Sprintf("shift=%d,sleep=off", bits.Len(uint(1000/mips))-1) // in ns

	dir := t.TempDir()
	programsDisc := filepath.Join(dir, "programs.tar")
	iniFile := filepath.Join(dir, "ini")
	disc(t, programsDisc, programs)
	if err := os.WriteFile(iniFile, []byte(ini), 0o600); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	if t, ok := t.(*testing.T); ok {
		if end, limited := t.Deadline(); limited {
			ctx, cancel = context.WithDeadline(ctx, end.Add(-spare))
		}
	}

	cmd := exec.CommandContext(ctx, emulator,
		"-machine", "pc", "-accel", "tcg", "-icount", clock, "-cpu", "max", "-m", "1024", "-smp", "1", "-nodefaults", "-display", "none",
		"-serial", "stdio", "-no-reboot", "-kernel", kernel,
		"-device", "loader,file="+iniFile+",addr="+iniAddress+",force-raw=on",
		"-drive", "file="+cd+",if=ide,index=2,media=cdrom,readonly=on",
		"-drive", "file="+programsDisc+",if=ide,index=3,media=cdrom,readonly=on,format=raw")

	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}

	m := &machine{TB: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		cancel()
		_, _ = io.Copy(&m.console, m.out)
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("console:\n%s", strings.ReplaceAll(m.console.String(), "\r", ""))
		}
	})
	m.until("LAB START") // of the image's termrc: it runs the job now
	return m
}

// until reads the console up to a text and returns what came before it, with line ends as here.
func (m *machine) until(text string) string {
	m.Helper()
	var got bytes.Buffer
	for !bytes.HasSuffix(got.Bytes(), []byte(text)) {
		c, err := m.out.ReadByte()
		if err != nil {
			m.Fatalf("the machine ended (%v) before it printed %q", err, text)
		}
		got.WriteByte(c)
		m.console.WriteByte(c)
	}
	return strings.ReplaceAll(strings.TrimSuffix(got.String(), text), "\r", "")
}

// paste types lines and waits for nothing.
func (m *machine) paste(lines string) {
	m.Helper()
	if _, err := io.WriteString(m.in, lines+"\n"); err != nil {
		m.Fatal(err)
	}
}

// run types a line, waits for its end, and returns what was printed meanwhile and the status, which
// is empty for success. The marks around the output are typed in parts, as the console shows what
// is typed too.
func (m *machine) run(line string) (output, status string) {
	m.Helper()
	m.marks++
	m.paste(fmt.Sprintf("echo '['^%d^']'; {%s}; echo '{'^%[1]d^'}' $status", m.marks, line))
	m.until(fmt.Sprintf("[%d]\r\n", m.marks))
	output = m.until(fmt.Sprintf("{%d} ", m.marks))
	status = m.until("\n")
	return strings.TrimSpace(output), strings.TrimSpace(status)
}

// must is run for a line that has to succeed.
func (m *machine) must(line string) string {
	m.Helper()
	output, status := m.run(line)
	if strings.Trim(status, "|") != "" {
		m.Fatalf("%s: status %q\n%s", line, status, output)
	}
	return output
}
