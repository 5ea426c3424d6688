// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !js

package ninep

// Servers in processes of their own: this test's binary, started again.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"9fans.net/go/plan9"
	"9fans.net/go/plan9/srv9p"

	"fount"
	"fount/cmd/fount/internal/randfs"
	"fount/internal/test/otheruser"
)

// serverVariable is set to the server and its address in a process that is to serve and not to test.
const serverVariable = "FOUNT_TEST_NINEP"

const benchMsize = 64<<10 + ioHeader

// attacks are what this binary does as another user, by the value of otheruser.Variable.
var attacks = map[string]func(args []string){}

func TestMain(m *testing.M) {
	if attack := attacks[os.Getenv(otheruser.Variable)]; attack != nil {
		attack(os.Args[1:])
		return
	}
	var name, addr string
	if n, _ := fmt.Sscan(os.Getenv(serverVariable), &name, &addr); n == 2 {
		serveChild(name, addr)
		return
	}
	os.Exit(m.Run())
}

// serveChild serves until standard input ends.
func serveChild(name, addr string) {
	l, err := Listen(addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go servers[name](l)
	fmt.Println("serving")
	io.Copy(io.Discard, os.Stdin)
	l.Close()
}

// servers are how to serve a listener.
var servers = map[string]func(net.Listener){
	"fount": func(l net.Listener) {
		s := &Server{Tree: randfs.New(randfs.Source{}), Limits: Limits{Msize: benchMsize, Conns: 2000}}
		s.Serve(l)
	},
	"srv9p": func(l net.Listener) {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go srv9pServer().Serve(c, c)
		}
	},
	"leaky": func(l net.Listener) { // fount's server, and 2 KiB kept for each connection
		var kept [][]byte
		s := &Server{Tree: randfs.New(randfs.Source{}), Limits: Limits{Msize: benchMsize, Conns: 2000}}
		s.Serve(leaking{l, &kept})
	},
}

// leaking is a listener that keeps memory.
type leaking struct {
	net.Listener
	kept *[][]byte
}

func (l leaking) Accept() (net.Conn, error) {
	b := make([]byte, 2<<10)
	for i := range b {
		b[i] = 1
	}
	*l.kept = append(*l.kept, b)
	return l.Listener.Accept()
}

// srv9pServer is the server of 9fans.net/go with one file, random, that is filled as ours is.
func srv9pServer() *srv9p.Server {
	tree := srv9p.NewTree("fount", "fount", plan9.DMDIR|0o555, nil)
	if _, err := tree.Root.Create("random", "fount", 0o444, nil); err != nil {
		panic(err)
	}
	return &srv9p.Server{
		Tree:  tree,
		Msize: benchMsize,
		Read: func(_ context.Context, _ *srv9p.Fid, b []byte, _ int64) (int, error) {
			return fount.Read(b)
		},
	}
}

// A child is a server in a process of its own.
type child struct {
	addr string
	cmd  *exec.Cmd
	pid  string
	stop func() // and wait
}

func startChild(t testing.TB, name string) *child {
	t.Helper()
	return startChildTo(t, name, os.Stderr)
}

func startChildTo(t testing.TB, name string, stderr io.Writer) *child {
	t.Helper()
	return startChildAt(t, name, "unix!"+filepath.Join(ownDir(t), "s"), stderr)
}

func startChildAt(t testing.TB, name, addr string, stderr io.Writer) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{addr: addr, cmd: exec.Command(self)}
	c.cmd.Env = append(os.Environ(), serverVariable+"="+name+" "+addr)
	c.cmd.Stderr = stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.stop = sync.OnceFunc(func() {
		in.Close()
		c.cmd.Wait()
	})
	t.Cleanup(c.stop)
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "serving\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	c.pid = strconv.Itoa(c.cmd.Process.Pid)
	return c
}

func (c *child) dial(t testing.TB) net.Conn {
	t.Helper()
	conn, err := Dial(c.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
