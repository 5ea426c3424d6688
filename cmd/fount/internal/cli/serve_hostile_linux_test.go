// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what a client of another user can take from the service of docs/fount-files.service, under that unit's limits.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/otheruser"
	"fount/internal/test/require"

	"9fans.net/go/plan9"
)

func init() { attacks["hostile"] = hostile }

// hostile takes all the memory that it can at the socket args[0]: by so many connections, each with so many texts of
// stats, so many fids, and three answers of so many bytes that it does not take. It says what it has got, and keeps it.
func hostile(args []string) {
	number := func(k int) int {
		n, err := strconv.Atoi(args[k])
		if err != nil {
			panic(err)
		}
		return n
	}
	fmt.Println("ready")
	var all []net.Conn
	texts, fids := 0, 0
	for range number(1) {
		c, err := net.Dial("unix", args[0])
		if err != nil {
			break // of its own limits, or the server's end
		}
		t, f, ok := take(c, number(2), number(3), number(4))
		if !ok {
			c.Close()
			continue
		}
		all, texts, fids = append(all, c), texts+t, fids+f
	}
	fmt.Printf("%d connections, %d texts, %d fids\n", len(all), texts, fids)
	io.Copy(io.Discard, os.Stdin)
}

// take takes what a connection can have. It fails if the connection is refused.
func take(c net.Conn, wantTexts, wantFids, answer int) (texts, fids int, ok bool) {
	ask := func(all ...*plan9.Fcall) (good int) {
		var b bytes.Buffer
		for _, f := range all {
			if err := plan9.WriteFcall(&b, f); err != nil {
				panic(err)
			}
		}
		if _, err := c.Write(b.Bytes()); err != nil {
			return 0
		}
		for range all {
			f, err := plan9.ReadFcall(c)
			if err != nil {
				return good
			}
			if f.Type != plan9.Rerror {
				good++
			}
		}
		return good
	}
	ok = ask(&plan9.Fcall{Type: plan9.Tversion, Tag: plan9.NOTAG, Msize: uint32(answer) + 24, Version: "9P2000"},
		&plan9.Fcall{Type: plan9.Tattach, Afid: plan9.NOFID}) == 2
	if !ok {
		return 0, 0, false
	}
	fid := uint32(1)
	for range wantTexts {
		if ask(&plan9.Fcall{Type: plan9.Twalk, Newfid: fid, Wname: []string{"stats"}},
			&plan9.Fcall{Type: plan9.Topen, Fid: fid},
			&plan9.Fcall{Type: plan9.Tread, Fid: fid, Count: 10}) == 3 {
			texts++
		}
		fid++
	}
	const random = 1 << 20
	ask(&plan9.Fcall{Type: plan9.Twalk, Newfid: random, Wname: []string{"random"}}, &plan9.Fcall{Type: plan9.Topen, Fid: random})
	for fids < wantFids {
		var some []*plan9.Fcall
		for range min(200, wantFids-fids) {
			some = append(some, &plan9.Fcall{Type: plan9.Twalk, Newfid: fid, Wname: []string{"random"}})
			fid++
		}
		good := ask(some...)
		if fids += good; good < len(some) {
			break
		}
	}
	for range 3 { // the first answer fits into the socket, the others have the server wait with a buffer
		plan9.WriteFcall(c, &plan9.Fcall{Type: plan9.Tread, Fid: random, Count: uint32(answer)})
	}
	return texts, fids, true
}

// unitValue is the value of a setting of the unit.
func unitValue(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + name + `=(.*)$`).FindStringSubmatch(unitText(t))
	if found == nil {
		t.Fatalf("the unit has no %s", name)
	}
	return found[1]
}

// A group is a cgroup that limits memory.
type group struct{ dir, limit, peak string }

// memoryGroup makes a group of version 1 or 2 with a limit on memory.
func memoryGroup(t *testing.T, limit string) *group {
	t.Helper()
	name := fmt.Sprintf("fount-test-%d", os.Getpid())
	var errs []error
	for _, g := range []*group{
		{"/sys/fs/cgroup/memory/" + name, "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
		{"/sys/fs/cgroup/" + name, "memory.max", "memory.peak"},
	} {
		if g.limit == "memory.max" {
			os.WriteFile("/sys/fs/cgroup/cgroup.subtree_control", []byte("+memory"), 0)
		}
		err := os.Mkdir(g.dir, 0o755)
		if err == nil {
			t.Cleanup(func() { os.Remove(g.dir) })
			if err = os.WriteFile(filepath.Join(g.dir, g.limit), []byte(limit), 0); err == nil {
				_, err = os.Stat(filepath.Join(g.dir, g.peak))
			}
		}
		if err == nil {
			for _, swap := range []string{"memory.memsw.limit_in_bytes", "memory.swap.max"} {
				os.WriteFile(filepath.Join(g.dir, swap), []byte("0"), 0)
				os.WriteFile(filepath.Join(g.dir, swap), []byte(limit), 0)
			}
			return g
		}
		errs = append(errs, err)
	}
	require.Skip(t, "memcg", fmt.Sprintf("memory can't be limited by a cgroup: %v", errors.Join(errs...)))
	return nil
}

// highest is the most memory that the group has had, in bytes.
func (g *group) highest(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(g.dir, g.peak))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A service is what the unit starts, with a user of its own and the unit's limits.
type service struct {
	program, socket string
	*group
	ended chan error
}

// startService starts it, with flags after the unit's own.
func startService(t *testing.T, flags ...string) *service {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector takes several times the program's memory: the unit's limits are not for that")
	}
	otheruser.Need(t)
	const user = otheruser.UID - 1 // DynamicUser
	dir := otheruser.Dir(t)
	if err := os.Chown(dir, user, user); err != nil {
		t.Fatal(err)
	}
	s := &service{otheruser.CopySelf(t, "fount"), filepath.Join(dir, "files.sock"), memoryGroup(t, unitValue(t, "MemoryMax")),
		make(chan error, 1)}
	args := strings.Fields(strings.ReplaceAll(unitValue(t, "ExecStart"), "/run/fount", dir))[1:]
	script := `echo $$ >"$1"/cgroup.procs && ulimit -n "$2" && umask "$3" && shift 3 &&
		exec setpriv --reuid "$1" --regid "$1" --clear-groups --bounding-set=-all --no-new-privs "$@"`
	script = strings.Replace(script, `"$@"`, `"${@:2}"`, 1)
	cmd := exec.Command("bash", append([]string{"-c", script, "bash", s.dir, unitValue(t, "LimitNOFILE"),
		unitValue(t, "UMask"), strconv.Itoa(user), s.program}, append(args, flags...)...)...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), unitValue(t, "Environment"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 200)
	if n, _ := stderr.Read(line); !strings.Contains(string(line[:n]), "serving at unix!"+s.socket) {
		t.Fatalf("the service says %q", line[:n])
	}
	go func() {
		io.Copy(io.Discard, stderr)
		s.ended <- cmd.Wait()
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-s.ended
	})
	return s
}

// random reads from the service as a third user.
func (s *service) random() error {
	cmd := exec.Command(s.program, "rand", "32", "--hex", "--from", "unix!"+s.socket)
	otheruser.Become(cmd)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: otheruser.UID - 2, Gid: otheruser.UID - 2}
	out, err := cmd.CombinedOutput()
	if err == nil && !regexp.MustCompile(`^[0-9a-f]{64}\n$`).Match(out) {
		err = errors.New("not 32 bytes")
	}
	if err != nil {
		err = fmt.Errorf("%w: %q", err, out)
	}
	return err
}

// attack has the hostile client take what it can, and returns what it says.
func (s *service) attack(t *testing.T, conns, texts, fids, answer int) (*otheruser.Attack, string) {
	t.Helper()
	a := otheruser.Start(t, "hostile", s.socket, strconv.Itoa(conns), strconv.Itoa(texts), strconv.Itoa(fids),
		strconv.Itoa(answer))
	line, err := a.Line()
	if err != nil {
		t.Fatal(err)
	}
	return a, line
}

// The worst client of another user takes a part of the unit's MemoryMax, 20 times in a row, and others are served.
func TestUnitHostileClient(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: 20 attacks take up to a minute")
	}
	s := startService(t)
	if err := s.random(); err != nil {
		t.Fatal(err)
	}
	t.Logf("before: %d KiB", s.highest(t)>>10)
	for round := range 20 {
		a, got := s.attack(t, 1020, 32, 985, 128<<10)
		if err := s.random(); err != nil {
			t.Errorf("round %d: another user: %v", round+1, err)
		}
		a.Stop()
		t.Logf("round %d: he has %s; the service had %d KiB at most", round+1, got, s.highest(t)>>10)
	}
	one := s.highest(t)
	var all []*otheruser.Attack
	for user := range uint32(8) { // each has an eighth of the connections
		a := otheruser.StartAs(t, 1<<30+user, "hostile", s.socket, "1020", "32", "985", "131072")
		all = append(all, a)
	}
	for _, a := range all {
		if got, err := a.Line(); err != nil || !strings.HasPrefix(got, "128 connections") {
			t.Errorf("one of 8 users has %s, %v", got, err)
		}
	}
	for _, a := range all {
		a.Stop()
	}
	t.Logf("8 users: the service had %d KiB at most", s.highest(t)>>10)
	limit := regexp.MustCompile(`^([0-9]+)M$`).FindStringSubmatch(unitValue(t, "MemoryMax"))
	if limit == nil {
		t.Fatal("MemoryMax is not a number of MiB")
	}
	if n, _ := strconv.Atoi(limit[1]); one > n<<20/8 {
		t.Errorf("%d KiB is more than an eighth of %s", one>>10, limit[0])
	}
	select {
	case err := <-s.ended:
		s.ended <- err
		t.Errorf("the service ended: %v", err)
	default:
	}
}
