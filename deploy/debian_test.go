// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package deploy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
)

// A machine is a Debian that systemd has booted in a container.
type machine struct {
	*testing.T
	leader string // the ID of its first process
	client http.Client
}

// sh returns what a script prints there.
func (m *machine) sh(script string) string {
	m.Helper()
	return output(m.T, ".", "nsenter", "--all", "--root", "--wd", "-t", m.leader, "sh", "-ec", script)
}

// wants fails the test if a command answers something else.
func (m *machine) wants(want, script string) {
	m.Helper()
	if got := m.sh(script); got != want {
		m.Errorf("%s: %q; want %q", script, got, want)
	}
}

// boot makes a root and boots it, with a directory of packages.
func boot(t *testing.T, packages string) *machine {
	dir := t.TempDir()
	root := filepath.Join(dir, "root")
	output(t, ".", "mmdebstrap", "--quiet", "--variant=apt", "--include=systemd", "bookworm", root)

	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "n"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()

	cmd := exec.Command("systemd-nspawn", "--directory="+root, "--boot", "--notify-ready=yes", "--private-network",
		"--keep-unit", "--register=no", "--bind-ro="+packages+":/packages")
	cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+manager.LocalAddr().String())
	cmd.Stdout = t.Output()
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})

	m := &machine{T: t}
	m.client.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", "/proc/"+m.leader+"/root/run/fountd/fountd.sock")
	}}

	manager.SetReadDeadline(time.Now().Add(time.Minute))
	for b := make([]byte, 4096); ; {
		n, err := manager.Read(b)
		if err != nil {
			t.Fatalf("the container doesn't boot: %v", err)
		}
		if leader := regexp.MustCompile(`X_NSPAWN_LEADER_PID=(\d+)`).FindSubmatch(b[:n]); leader != nil {
			m.leader = string(leader[1])
		}
		if bytes.Contains(b[:n], []byte("READY=1")) {
			return m
		}
	}
}

// asks sends a request to fountd.
func (m *machine) asks(path, body string) (status int, answer map[string]any, err error) {
	reply, err := m.client.Post("http://fountd/v1/"+path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	return reply.StatusCode, answer, json.NewDecoder(reply.Body).Decode(&answer)
}

// logins asks for logins from now on, and returns a function that ends it.
func (m *machine) logins(hash string) (end func() (answered, refused, lost int64)) {
	var a, r, l atomic.Int64
	var stop atomic.Bool
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for !stop.Load() {
				switch status, answer, err := m.asks("verify", `{"password": "hunter2", "hash": "`+hash+`"}`); {
				case status == http.StatusOK && answer["match"] == true:
					a.Add(1)
				case status == http.StatusServiceUnavailable:
					r.Add(1)
				default:
					l.Add(1)
					m.Logf("%d, %v, %v", status, answer, err)
				}
			}
		})
	}
	return func() (int64, int64, int64) {
		stop.Store(true)
		all.Wait()
		return a.Load(), r.Load(), l.Load()
	}
}

// An operator installs, configures, upgrades, removes and purges the packages where systemd runs.
func TestPackages(t *testing.T) {
	if out, err := exec.Command("sh", "-c", "type mmdebstrap systemd-nspawn dh").CombinedOutput(); err != nil || os.Geteuid() != 0 {
		require.Skip(t, "debian", fmt.Sprintf("this needs root, mmdebstrap, systemd-container and debhelper: %s", out))
	}
	dist := filepath.Join(release(t), "dist") // of 1.2.3
	output(t, dist, "../deploy/debian/build", "stage", "v1.2.4", runtime.GOARCH, ".")

	m := boot(t, dist)
	const apt = "DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet "

	before := m.sh("find / -xdev | sort")
	t.Logf("%s", m.sh(apt+"install /packages/*_1.2.3_*.deb 2>&1"))
	m.wants("enabled\nenabled\nactive\nactive", "systemctl is-enabled fountd.socket fountd; systemctl is-active fountd.socket fountd")
	m.wants("inactive\ninactive", "systemctl is-active fount-files fount-mount || true")
	m.wants("fountd fountd 660", "stat -c '%U %G %a' /run/fountd/fountd.sock")
	m.wants("", "grep -L $(id -u fountd) /proc/$(systemctl show -P MainPID fountd)/status")

	m.sh(`echo 'policy = "bcrypt,cost=5"' >>/etc/fountd/fountd.toml; systemctl reload fountd; systemctl restart fountd`)
	m.wants("refused", `cd /etc/fountd; echo 'x = 1' >>fountd.toml; systemctl reload fountd 2>/dev/null || echo refused; sed -i '$d' fountd.toml`)
	// What the settings' file says of Prometheus is enough for it, and the alerts' runbook lies where
	// it says.
	m.sh(`cd /etc/fountd; mkdir /etc/systemd/system/fountd.service.d
sed -n '/^#   .Service/,/^#   IPAddressAllow/s/^#   //p' fountd.toml >/etc/systemd/system/fountd.service.d/net.conf
sed -i 's/^#admin/admin/' fountd.toml; systemctl daemon-reload; systemctl restart fountd`)
	m.wants("pool fountd", "fount top -n 1 127.0.0.1:9464 | grep pool")
	m.wants("runbook_url", "cd /usr/share/doc/fountd; grep -o runbook_url deploy/prometheus/fount.rules.yml | head -n 1; test -s docs/runbook.md")
	m.sh("rm -r /etc/systemd/system/fountd.service.d; sed -i 's/^admin/#admin/' /etc/fountd/fountd.toml; systemctl daemon-reload; systemctl restart fountd")

	hash := func() string {
		_, answer, err := m.asks("hash", `{"password": "hunter2"}`)
		hash, _ := answer["hash"].(string)
		if !strings.HasPrefix(hash, "$2b$05$") {
			t.Fatalf("%q, %v: not as /etc/fountd/fountd.toml says", answer, err)
		}
		return hash
	}
	// A fountd that stands still is ended by the watchdog. Who waits is answered by the next, which gets its pepper again.
	m.sh(`fount rand 32 --base64 -o /etc/pepper; mkdir /etc/systemd/system/fountd.service.d
cat >/etc/systemd/system/fountd.service.d/watchdog.conf <<END
[Service]
WatchdogSec=2s
LoadCredential=p1:/etc/pepper
Environment=FOUNTD_PEPPER=p1=credential:p1
END
systemctl daemon-reload; systemctl restart fountd; kill -STOP $(systemctl show -P MainPID fountd)`)
	if status, answer, err := m.asks("hash", `{"password": "hunter2"}`); status != http.StatusOK {
		t.Errorf("while fountd stood still: %d, %v, %v", status, answer, err)
	}
	m.wants("peppers=p1:\nresult 'watchdog'\npeppers=p1:",
		`journalctl -u fountd -o cat | grep -o "result 'watchdog'\|peppers=p1:"`)
	m.sh("rm -r /etc/pepper /etc/systemd/system/fountd.service.d; systemctl daemon-reload; systemctl restart fountd")

	end := m.logins(hash())
	former := m.sh("systemctl enable --now --quiet fount-files; systemctl show -P MainPID fountd fount-files")
	t.Logf("%s", m.sh(apt+"install /packages/*_1.2.4_*.deb 2>&1"))
	hash()
	answered, refused, lost := end()
	t.Logf("during the upgrade: %d answered, %d refused, %d lost", answered, refused, lost)
	if lost > 0 || refused*100 >= answered {
		t.Errorf("%d logins were lost, want none, and %d refused, want 1 %%", lost, refused)
	}

	m.wants("", "cd /proc; ls -d "+strings.Join(strings.Fields(former), " ")+" 2>/dev/null || true")
	m.wants("active\nactive", "systemctl is-active fountd fount-files")

	t.Logf("%s", m.sh(apt+"remove fount fountd 2>&1"))
	m.wants("inactive\ninactive\ninactive", "systemctl is-active fountd.socket fountd fount-files || true")
	m.wants("/etc/fountd/fountd.toml", "ls /etc/fountd/*")

	t.Logf("%s", m.sh(apt+"purge fount fountd 2>&1"))
	for _, file := range strings.Split(m.sh("find / -xdev | sort"), "\n") {
		if !strings.Contains(before+"\n", file+"\n") && !regexp.MustCompile(`^/var/(cache/apt|lib/apt|log)/`).MatchString(file) {
			t.Errorf("left after purge: %s", file)
		}
	}
}
