// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The machine: QEMU without hardware help (TCG), started, snapshotted into a
// file, and resumed from it.

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/test/clone/wire"
	"fount/test/internal/guest"
)

const emulator = guest.Emulator

// deadline is for one machine, from its start to its end. On two idle CPUs it
// takes 5 s.
const deadline = 2 * time.Minute

// A machine is a running QEMU.
type machine struct {
	*testing.T
	dir     string
	cmd     *exec.Cmd
	console bytes.Buffer // of cmd: complete when it has ended
	qmp     *json.Decoder
	qmpConn net.Conn
	link    net.Conn // the guest's second serial port
	version string   // of QEMU
}

// start starts QEMU with its processors stopped, and with the vmgenid device unless guid is noDevice. The test ends it at the
// latest.
func start(t *testing.T, kernel, initrd, guid string, args ...string) *machine {
	// Not t.TempDir: a socket's name is at most 108 bytes.
	dir, err := os.MkdirTemp("", "clone")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	m := &machine{T: t, dir: dir}
	qmp, link := m.listen("qmp"), m.listen("link")
	if guid != noDevice {
		args = append(args, "-device", "vmgenid,guid="+guid)
	}
	m.cmd = exec.CommandContext(ctx, emulator, append([]string{
		"-accel", "tcg", "-cpu", "max", "-smp", fmt.Sprint(wire.Workers), "-m", "256",
		"-nodefaults", "-nographic", "-no-reboot", "-S",
		"-kernel", kernel, "-initrd", initrd,
		"-object", fmt.Sprintf("memory-backend-file,id=tray,share=on,size=%d,mem-path=%s", wire.TraySize, filepath.Join(dir, "tray")),
		"-device", "ivshmem-plain,memdev=tray,master=on",
		"-chardev", "socket,id=qmp,path=" + qmp.Addr().String(), "-mon", "chardev=qmp,mode=control",
		"-serial", "stdio",
		"-chardev", "socket,id=link,path=" + link.Addr().String(), "-serial", "chardev:link",
	}, args...)...)
	m.cmd.Stdout, m.cmd.Stderr = &m.console, &m.console
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		m.cmd.Wait()
		if t.Failed() {
			t.Logf("console:\n%s", &m.console)
		}
		os.RemoveAll(dir)
	})
	m.qmpConn, m.link = m.accept(qmp), m.accept(link)
	m.qmp = json.NewDecoder(m.qmpConn)
	m.greet()
	return m
}

func (m *machine) listen(name string) *net.UnixListener {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(m.dir, name), Net: "unix"})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() { l.Close() })
	return l
}

func (m *machine) accept(l *net.UnixListener) net.Conn {
	limit := time.Now().Add(deadline)
	err := l.SetDeadline(limit)
	if err == nil {
		var c net.Conn
		if c, err = l.Accept(); err == nil {
			m.Cleanup(func() { c.Close() })
			c.SetDeadline(limit)
			return c
		}
	}
	m.Fatalf("%s does not connect: %v", emulator, err)
	return nil
}

// greet opens the conversation of the QEMU Machine Protocol.
func (m *machine) greet() {
	var greeting struct {
		QMP struct {
			Version struct {
				QEMU struct{ Major, Minor, Micro int }
			}
		}
	}
	if err := m.qmp.Decode(&greeting); err != nil {
		m.Fatalf("QMP greeting: %v", err)
	}
	v := greeting.QMP.Version.QEMU
	m.version = fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Micro)
	m.command("qmp_capabilities", nil)
	m.command("migrate-set-capabilities", map[string]any{
		"capabilities": []any{map[string]any{"capability": "events", "state": true}},
	})
}

// A reply is anything that QEMU says.
type reply struct {
	Return json.RawMessage
	Error  *struct{ Desc string }
	Event  string
	Data   struct{ Status string }
}

// next returns the next reply but events that want does not name.
func (m *machine) next(want string) reply {
	for {
		var r reply
		if err := m.qmp.Decode(&r); err != nil {
			m.Fatalf("QMP: %v", err)
		}
		if r.Event == want {
			return r
		}
	}
}

// command runs a QMP command to its return.
func (m *machine) command(name string, arguments any) {
	m.Helper()
	c := map[string]any{"execute": name}
	if arguments != nil {
		c["arguments"] = arguments
	}
	if err := json.NewEncoder(m.qmpConn).Encode(c); err != nil {
		m.Fatalf("QMP %s: %v", name, err)
	}
	if r := m.next(""); r.Error != nil {
		m.Fatalf("QMP %s: %s", name, r.Error.Desc)
	}
}

// migrate runs a command that starts a migration, and waits for its end.
func (m *machine) migrate(command, uri string) {
	m.Helper()
	m.command(command, map[string]any{"uri": uri})
	for {
		switch status := m.next("MIGRATION").Data.Status; status {
		case "completed":
			return
		case "failed":
			m.Fatalf("QMP %s %s: failed", command, uri)
		}
	}
}

// readTray returns the memory shared with the guest.
func (m *machine) readTray() []byte {
	m.Helper()
	b, err := os.ReadFile(filepath.Join(m.dir, "tray"))
	if err != nil {
		m.Fatal(err)
	}
	return b
}

// wait waits for QEMU's own end.
func (m *machine) wait() {
	m.Helper()
	if err := m.cmd.Wait(); err != nil {
		m.Fatalf("%s: %v", emulator, err)
	}
}

// A snapshot is a machine stopped while it draws.
type snapshot struct {
	wire.Ready
	front          []byte // of the tray: the guest's marks
	marks          wire.Marks
	file           string
	kernel, initrd string
	guid           string
	version        string    // of QEMU
	stopped        time.Time // for the snapshot
	broken         int       // clones that QEMU emulated wrongly
}

// Identities of a machine.
const (
	original = "8e0c3d52-6d0c-4a2a-9f36-0d2c6f1b7a11"
	own      = "auto" // a new one of each QEMU's
	noDevice = ""     // the machine has no vmgenid device
)

// takeSnapshot boots a kernel with the guest, stops it when everything is being
// drawn from, and saves it.
func takeSnapshot(t *testing.T, kernel, initrd, guid, commandLine string) *snapshot {
	s := save(t, kernel, initrd, guid, commandLine)
	s.read(t, &s.marks)
	for _, w := range s.marks {
		for s := range w.Done {
			if w.Done[s] == 0 || w.Begun[s]-w.Done[s] > 1 {
				t.Errorf("%d draws of %s done, %d begun", w.Done[s], wire.Names[s], w.Begun[s])
			}
		}
	}
	return s
}

// save is takeSnapshot of a guest with any marks.
func save(t *testing.T, kernel, initrd, guid, commandLine string) *snapshot {
	s := &snapshot{
		kernel: kernel, initrd: initrd, guid: guid,
		file: filepath.Join(t.TempDir(), "snapshot"),
	}
	m := s.boot(t, commandLine)
	s.version = m.version
	m.command("stop", nil)
	s.stopped = time.Now()
	s.front = m.readTray()[:wire.MarksSize]
	m.migrate("migrate", "exec:cat > '"+s.file+"'")
	m.command("quit", nil)
	m.wait()
	return s
}

// boot starts a machine and waits until its guest is ready.
func (s *snapshot) boot(t *testing.T, commandLine string) *machine {
	for try := 1; ; try++ {
		m := start(t, s.kernel, s.initrd, s.guid, "-append", strings.TrimSpace("console=ttyS0 quiet panic=-1 "+commandLine))
		m.command("cont", nil)
		err := gob.NewDecoder(m.link).Decode(&s.Ready)
		if err == nil {
			return m
		}
		m.cmd.Wait()
		if try == guest.Tries || !guest.Misemulated(m.console.Bytes()) {
			t.Fatalf("the guest does not get ready: %v", err)
		}
		t.Logf("%s emulates wrongly, console:\n%s", emulator, &m.console)
	}
}

// read reads the guest's marks.
func (s *snapshot) read(t *testing.T, marks any) {
	if err := binary.Read(bytes.NewReader(s.front), binary.LittleEndian, marks); err != nil {
		t.Fatal(err)
	}
}

// word returns the word at the instant of the snapshot. (A move that no worker
// had loaded yet would be missed; a kernel that reseeds by itself has just
// done so, and does so again a second later.)
func (s *snapshot) word() (word uint64) {
	for _, w := range s.marks {
		word = max(word, w.Word)
	}
	return word
}

// A twin is what a resumed machine drew.
type twin struct {
	wire.Dump
	noticed bool // its kernel said so
}

// forkNotice is what Linux prints when the generation ID changes (drivers/char/random.c,
// add_vmfork_randomness).
const forkNotice = "crng reseeded due to virtual machine fork"

// resume runs a machine on from the snapshot to its end. It draws until more
// draws follow the moving of the word, or its resumption if await is false.
func (s *snapshot) resume(t *testing.T, guid string, await bool, more uint64) *twin {
	order := wire.Resume{Word: s.word(), Await: await, More: more}
	for k, w := range s.marks {
		order.From[k] = min(w.Done[0], w.Done[wire.Streams-1])
	}
	var c twin
	c.noticed = s.finish(t, guid, &order, &c.Dump)
	return &c
}

// finish runs a machine on from the snapshot to its end, reads what it leaves into dump,
// and returns whether its kernel noticed that it is a clone.
func (s *snapshot) finish(t *testing.T, guid string, order *wire.Resume, dump any) (noticed bool) {
	for {
		m := s.restore(t, guid)
		m.resume(order)
		if noticed, ok := s.end(m, dump); ok {
			return noticed
		}
	}
}

// restore loads the snapshot into a machine that is stopped.
func (s *snapshot) restore(t *testing.T, guid string) *machine {
	m := start(t, s.kernel, s.initrd, guid, "-incoming", "defer")
	m.migrate("migrate-incoming", "exec:cat '"+s.file+"'")
	return m
}

// resume runs a restored machine and gives its guest the order.
func (m *machine) resume(order *wire.Resume) {
	m.Helper()
	m.command("cont", nil)
	if err := gob.NewEncoder(m.link).Encode(order); err != nil {
		m.Fatalf("no order to the guest: %v", err)
	}
}

// end waits for the guest's end, reads what it leaves into dump, and returns whether its kernel noticed
// that it is a clone. It returns false for a clone that QEMU emulated wrongly: that one tells nothing.
func (s *snapshot) end(m *machine, dump any) (noticed, ok bool) {
	m.Helper()
	var done wire.Done
	if err := gob.NewDecoder(m.link).Decode(&done); err != nil {
		m.cmd.Wait()
		if s.broken++; s.broken == guest.Tries || !guest.Misemulated(m.console.Bytes()) {
			m.Fatalf("no %T from the guest: %v", &done, err)
		}
		m.Logf("%s emulates wrongly, console:\n%s", emulator, &m.console)
		return false, false
	}
	m.wait()
	if err := gob.NewDecoder(bytes.NewReader(m.readTray()[wire.MarksSize:][:done.Bytes])).Decode(dump); err != nil {
		m.Fatalf("the guest's dump: %v", err)
	}
	return strings.Contains(m.console.String(), forkNotice), true
}
