// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package trial

// What Linux alone has: CPU quotas, networks beside this one, and children that die with their parent.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func dieWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// start is the starter's, on its thread.
func (p place) start(cmd *exec.Cmd) (err error) {
	if p.group != nil {
		leave, err := p.group.enter(cmd)
		if err != nil {
			return err
		}
		defer leave()
	}
	if p.network != nil {
		leave, err := p.network.enter()
		if err != nil {
			return err
		}
		defer leave()
	}
	return cmd.Start()
}

// period is the kernel's usual one, and Kubernetes'.
const period = 100 * time.Millisecond

// groups is a control group for the quotas of a trial.
type groups struct {
	dir    string
	home   string // version 1: the group that this process is in
	single bool   // version 2: one tree for all
}

// newGroups makes the group. The error says why there can be no quotas here.
func newGroups(name string) (*groups, error) {
	const root = "/sys/fs/cgroup"
	g := &groups{home: filepath.Join(root, "cpu")}
	if _, err := os.Stat(filepath.Join(g.home, "cpu.cfs_quota_us")); err != nil {
		g.single, g.home = true, root
		if err := write(filepath.Join(root, "cgroup.subtree_control"), "+cpu"); err != nil {
			return nil, err
		}
	} else if own := ownGroup(); own != "" {
		if _, err := os.Stat(filepath.Join(g.home, own)); err == nil {
			g.home = filepath.Join(g.home, own)
		}
	}
	g.dir = filepath.Join(g.home, name)
	if err := os.Mkdir(g.dir, 0o755); err != nil {
		return nil, err
	}
	if g.single {
		if err := write(filepath.Join(g.dir, "cgroup.subtree_control"), "+cpu"); err != nil {
			os.Remove(g.dir)
			return nil, err
		}
	}
	return g, nil
}

// ownGroup is the path of this process's group in version 1's tree of the CPU controller.
func ownGroup() string {
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) == 3 && strings.Contains(","+part[1]+",", ",cpu,") {
			return part[2]
		}
	}
	return ""
}

// A group is a worker's.
type group struct {
	*groups
	dir string
}

// add makes a group that may use so many cores, at least a hundredth.
func (g *groups) add(name string, cores float64) (*group, error) {
	w := &group{g, filepath.Join(g.dir, name)}
	if err := os.Mkdir(w.dir, 0o755); err != nil {
		return nil, err
	}
	micros := func(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }
	quota := micros(time.Duration(cores * float64(period)))
	if g.single {
		return w, write(filepath.Join(w.dir, "cpu.max"), quota+" "+micros(period))
	}
	return w, errors.Join(write(filepath.Join(w.dir, "cpu.cfs_period_us"), micros(period)), write(filepath.Join(w.dir, "cpu.cfs_quota_us"), quota))
}

// enter has what this thread starts next begin in the group.
func (w *group) enter(cmd *exec.Cmd) (leave func(), err error) {
	if w.single {
		dir, err := os.Open(w.dir)
		if err != nil {
			return nil, err
		}
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(dir.Fd())
		return func() { dir.Close() }, nil
	}
	if err := write(filepath.Join(w.dir, "tasks"), "0"); err != nil { // 0: the thread that writes
		return nil, err
	}
	return func() { write(filepath.Join(w.home, "tasks"), "0") }, nil
}

// throttled is for how long the group has been stopped because its quota was used up.
func (w *group) throttled() time.Duration {
	text, _ := os.ReadFile(filepath.Join(w.dir, "cpu.stat"))
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "throttled_time":
			return time.Duration(n)
		case "throttled_usec":
			return time.Duration(n) * time.Microsecond
		}
	}
	return 0
}

func write(file, text string) error { return os.WriteFile(file, []byte(text), 0o644) }

// processorTime is what a process has used so far, in steps of 10 ms.
func processorTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := bytes.Cut(text, []byte(") ")) // a command's name may hold anything
	fields := strings.Fields(string(rest))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * (time.Second / 100) // USER_HZ
}

// A network is a network namespace that a cable joins to this process's.
type network struct {
	name string
	fd   int
}

// The cable's ends have addresses of RFC 2544, which are nobody's.
const (
	nearAddress = "198.18.77.1"
	farAddress  = "198.18.77.2"
)

// newNetwork makes one. It needs root and Debian's iproute2.
func newNetwork(name string) (n *network, err error) {
	cable := "f" + strconv.Itoa(os.Getpid()) + "t" // at most 15 bytes with what is appended
	defer func() {
		if err != nil {
			exec.Command("ip", "netns", "delete", name).Run()
			exec.Command("ip", "link", "delete", cable+"a").Run()
		}
	}()
	for _, command := range []string{
		"netns add " + name,
		"link add " + cable + "a type veth peer name far netns " + name,
		"address add " + nearAddress + "/30 dev " + cable + "a",
		"link set " + cable + "a up",
		"-n " + name + " address add " + farAddress + "/30 dev far",
		"-n " + name + " link set lo up",
		"-n " + name + " link set far up",
	} {
		if err := ip(command); err != nil {
			return nil, err
		}
	}
	fd, err := unix.Open("/run/netns/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &network{name, fd}, nil
}

func ip(command string) error {
	if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", command, err, bytes.TrimSpace(out))
	}
	return nil
}

// connected plugs the cable in or out.
func (n *network) connected(yes bool) error {
	state := " down"
	if yes {
		state = " up"
	}
	return ip("-n " + n.name + " link set far" + state)
}

// enter moves this thread, and so what it starts, into the network.
func (n *network) enter() (leave func(), err error) {
	home, err := unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Setns(n.fd, unix.CLONE_NEWNET); err != nil {
		unix.Close(home)
		return nil, fmt.Errorf("network namespace %s: %w", n.name, err)
	}
	return func() {
		if err := unix.Setns(home, unix.CLONE_NEWNET); err != nil {
			panic(err) // the namespace that it came from
		}
		unix.Close(home)
	}, nil
}

func (n *network) close() { unix.Close(n.fd) }
