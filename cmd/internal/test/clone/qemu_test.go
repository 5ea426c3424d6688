// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The machine that is cloned: started, saved into a file, and resumed from it.

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/cmd/internal/test/internal/machine"
	"fount/cmd/internal/test/internal/wire"
)

// deadline is for one machine, which takes 5 s on two idle CPUs.
const deadline = 2 * time.Minute

// A clonable is a machine that QMP controls.
type clonable struct {
	*testing.T
	*machine.Machine
	dir  string
	qmp  *json.Decoder
	conn net.Conn // of qmp
}

// start starts a machine with its processors stopped, and with the vmgenid device unless guid is
// noDevice.
func (s *snapshot) start(t *testing.T, guid string, args ...string) *clonable {
	t.Helper()
	dir, err := os.MkdirTemp("", "clone") // a socket's name must be shorter than t.TempDir's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })

	listener, err := net.Listen("unix", filepath.Join(dir, "qmp"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()

	if guid != noDevice {
		args = append(args, "-device", "vmgenid,guid="+guid)
	}

	m := &clonable{T: t, dir: dir, Machine: machine.Start(t, machine.Config{
		Kernel: s.kernel, Initrd: s.initrd, Command: "role=" + s.role, Limit: deadline, Args: append([]string{
			"-S", "-smp", fmt.Sprint(wire.Workers), "-m", "256",
			"-object", fmt.Sprintf("memory-backend-file,id=tray,share=on,size=%d,mem-path=%s", wire.TraySize, filepath.Join(dir, "tray")),
			"-device", "ivshmem-plain,memdev=tray,master=on",
			"-chardev", "socket,id=qmp,path=" + listener.Addr().String(), "-mon", "chardev=qmp,mode=control",
		}, args...),
	})}

	listener.(*net.UnixListener).SetDeadline(time.Now().Add(deadline))
	if m.conn, err = listener.Accept(); err != nil {
		t.Fatalf("QEMU does not connect: %v", err)
	}
	t.Cleanup(func() { m.conn.Close() })
	m.conn.SetDeadline(time.Now().Add(deadline))

	m.qmp = json.NewDecoder(m.conn)
	m.next("") // the greeting
	m.command("qmp_capabilities", nil)
	m.command("migrate-set-capabilities", map[string]any{
		"capabilities": []any{map[string]any{"capability": "events", "state": true}},
	})
	return m
}

// A reply is anything that QEMU says.
type reply struct {
	Error *struct{ Desc string }
	Event string
	Data  struct{ Status string }
}

// next returns the next event of a name, or the next reply that is no event.
func (m *clonable) next(want string) reply {
	m.Helper()
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
func (m *clonable) command(name string, arguments any) {
	m.Helper()
	c := map[string]any{"execute": name}
	if arguments != nil {
		c["arguments"] = arguments
	}
	if err := json.NewEncoder(m.conn).Encode(c); err != nil {
		m.Fatalf("QMP %s: %v", name, err)
	}
	if r := m.next(""); r.Error != nil {
		m.Fatalf("QMP %s: %s", name, r.Error.Desc)
	}
}

// migrate runs a command that starts a migration, and waits for its end.
func (m *clonable) migrate(command, uri string) {
	m.Helper()
	m.command(command, map[string]any{"uri": uri})
	for {
		switch m.next("MIGRATION").Data.Status {
		case "completed":
			return
		case "failed":
			m.Fatalf("QMP %s %s: failed", command, uri)
		}
	}
}

// tray returns the memory shared with the guest.
func (m *clonable) tray() []byte {
	m.Helper()
	b, err := os.ReadFile(filepath.Join(m.dir, "tray"))
	if err != nil {
		m.Fatal(err)
	}
	return b
}

// A snapshot is a machine stopped while its guest draws.
type snapshot struct {
	wire.Ready
	kernel, initrd, role string
	front                []byte // of the tray: the guest's marks
	marks                wire.Marks
	file                 string
	broken               int // clones that QEMU emulated wrongly
}

// Identities of a machine.
const (
	original = "8e0c3d52-6d0c-4a2a-9f36-0d2c6f1b7a11"
	own      = "auto" // a new one for each QEMU
	noDevice = ""     // the machine has no vmgenid device
)

// takeSnapshot boots a kernel whose guest draws in rounds, and saves it.
func takeSnapshot(t *testing.T, d machine.Debian, guid string) *snapshot {
	t.Helper()
	kernel, _ := machine.Kernel(t, d)
	s := save(t, kernel, machine.Initrd(t), guid, "rounds")
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

// save saves a machine whose guest draws in any role.
func save(t *testing.T, kernel, initrd, guid, role string) *snapshot {
	t.Helper()
	s := &snapshot{kernel: kernel, initrd: initrd, role: role, file: filepath.Join(t.TempDir(), "snapshot")}
	for {
		m := s.start(t, guid)
		m.command("cont", nil)
		if !s.receive(m, &s.Ready) {
			continue
		}
		m.command("stop", nil)
		s.front = m.tray()[:wire.MarksSize]
		m.migrate("migrate", "exec:cat > '"+s.file+"'")
		m.command("quit", nil)
		if _, err := m.Wait(); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// receive reads a guest's message, and returns false if QEMU emulated wrongly.
func (s *snapshot) receive(m *clonable, v any) bool {
	m.Helper()
	err := m.Receive(v)
	if err == nil {
		return true
	}
	console, _ := m.Wait()
	if s.broken++; s.broken == machine.Tries || !machine.Misemulated(console) {
		m.Fatalf("no %T from the guest: %v", v, err)
	}
	m.Logf("QEMU emulates wrongly, console:\n%s", console)
	return false
}

// read reads the guest's marks.
func (s *snapshot) read(t *testing.T, marks any) {
	if err := binary.Read(bytes.NewReader(s.front), binary.LittleEndian, marks); err != nil {
		t.Fatal(err)
	}
}

// word returns the word at the snapshot. (It would miss one that no worker had loaded yet; but a
// kernel that reseeds by itself has just done so, and does so again a second later.)
func (s *snapshot) word() (word uint64) {
	for _, w := range s.marks {
		word = max(word, w.Word)
	}
	return word
}

// A twin is what a clone drew in rounds.
type twin struct {
	wire.Dump
	noticed bool // its kernel said that it is a clone
}

// resume resumes a clone until it has made more draws, after the moving of the word if await is
// set.
func (s *snapshot) resume(t *testing.T, guid string, await bool, more uint64) *twin {
	t.Helper()
	order := wire.Resume{Word: s.word(), Await: await, More: more}
	for k, w := range s.marks {
		order.From[k] = min(w.Done[0], w.Done[wire.Streams-1])
	}
	var c twin
	c.noticed = s.finish(t, guid, &order, &c.Dump)
	return &c
}

// forkNotice is what Linux prints when the generation ID changes (drivers/char/random.c,
// add_vmfork_randomness).
const forkNotice = "crng reseeded due to virtual machine fork"

// finish resumes a clone to its end, reads its dump, and reports whether its kernel noticed that it
// is a clone.
func (s *snapshot) finish(t *testing.T, guid string, order *wire.Resume, dump any) (noticed bool) {
	t.Helper()
	for {
		m := s.start(t, guid, "-incoming", "defer")
		m.migrate("migrate-incoming", "exec:cat '"+s.file+"'")
		m.command("cont", nil)
		if err := m.Send(order); err != nil {
			t.Fatalf("no order to the guest: %v", err)
		}
		var done wire.Done
		if !s.receive(m, &done) {
			continue
		}
		console, err := m.Wait()
		if err == nil {
			err = gob.NewDecoder(bytes.NewReader(m.tray()[wire.MarksSize:][:done.Bytes])).Decode(dump)
		}
		if err != nil {
			t.Fatalf("the guest's dump: %v", err)
		}
		return strings.Contains(console, forkNotice)
	}
}
