// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

// The race detector needs several times the memory.

package daemon

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// In the memory that docs/fountd.md names, twice --memory and 200 MiB, reload after reload and
// bodies whose end is held back kill nobody.
func TestMemory(t *testing.T) {
	processes, err := memoryCgroup(t, 2*(64<<20)+200<<20)
	if err != nil {
		require.Skip(t, "memcg", err.Error())
	}
	dir := socketdir.New(t)
	file := filepath.Join(dir, "fountd.toml")
	policy := func(kib int) { write(t, file, fmt.Sprintf("policy = \"argon2id,m=%d,t=1,p=1\"", kib)) }
	policy(64 << 10)
	p := &process{t: t, dir: dir, socket: filepath.Join(dir, "s"), ended: make(chan struct{})}
	fountd := program(t, nil, "--socket", p.socket, "--config", file, "--memory", "64M", "--workers", "1", "--max-wait", "1h")
	p.Cmd = exec.Command("sh", append([]string{"-c", "echo $$ >" + processes + `; exec "$0" "$@"`}, fountd.Args...)...)
	p.Env = fountd.Env
	p.run()
	p.said("msg=ready")

	head := "POST /v1/hash HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8192\r\n\r\n"
	for range 2000 {
		c, err := net.Dial("unix", p.socket)
		require.NoError(t, err)
		defer c.Close()
		io.WriteString(c, head+strings.Repeat(" ", 8<<10-1)) // it fails if it is refused
	}
	for i := range 5 {
		expect(t, p.client(), "/v1/hash", `{"password":"secret"}`, 200, "")
		policy(64<<10 - 16*i - 16)
		p.signal(syscall.SIGHUP)
		eventually(t, "it has reloaded", func() bool {
			select {
			case <-p.ended:
				t.Fatalf("it ended, %v: %s", p.err, p.logged())
			default:
			}
			return strings.Count(p.logged(), "msg=reloaded") == i+1
		})
	}
}
