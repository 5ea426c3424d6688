// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// run runs a command and returns what it prints.
func run(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	return strings.TrimSpace(string(out))
}

// newStage has what a release stages, with this machine's program for both processors.
func newStage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, "sh", "-ec", `cd ../..
		GOWORK= CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o $0/linux_amd64/ ./cmd/fountd
		cp LICENSE $0/linux_amd64; cp LICENSE $0/linux_amd64/THIRD-PARTY
		cp -r $0/linux_amd64 $0/linux_arm64`, dir)
	return dir
}

// newImages makes the images, and again from copied files, which gives the same bytes.
func newImages(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	for _, path := range []string{dir + "/again", dir + "/oci"} {
		if err := write(newStage(t), "1.2.3", "0123abcd", "2026-11-01T12:00:00Z", path); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "diff", "-r", dir+"/again", dir+"/oci")
	run(t, "grep", "-r", `"architecture":"arm64"`, dir+"/oci/blobs")
	return dir + "/oci"
}

// matches reports whether a server answers a login.
func matches(network, address string) bool {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}}}
	reply, err := client.Post("http://fountd/v1/verify", "application/json", strings.NewReader(
		`{"password":"correct horse battery staple","hash":"$2b$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6"}`))
	if err != nil {
		return false
	}
	defer reply.Body.Close()
	answer, _ := io.ReadAll(reply.Body)
	return strings.HasPrefix(string(answer), `{"match":true,`)
}

// eventually waits for what has no event.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// Podman loads the image, of at most 15 MiB, and runs it as a user who is not root by a number,
// without any right and with a secret as Kubernetes mounts it: it answers a login, says that it is
// healthy, and ends with status 0.
func TestPodman(t *testing.T) {
	if err := exec.Command("unshare", "--mount", "podman", "--version").Run(); err != nil {
		require.Skip(t, "podman", "there is no podman (Debian: podman), or this is not root: "+err.Error())
	}
	dir := t.TempDir()
	podman := func(args ...string) string {
		t.Helper()
		// Beside version 1 of cgroups crun wants no version 2 that has controllers.
		return run(t, append([]string{"unshare", "--mount", "sh", "-c", `umount --quiet /sys/fs/cgroup/unified
			exec podman --cgroup-manager=cgroupfs --root=$0/root --runroot=$0/run "$@"`, dir}, args...)...)
	}

	run(t, "tar", "-cf", dir+"/oci.tar", "-C", newImages(t), ".")
	podman("load", "--input", dir+"/oci.tar")
	var size int
	var owner string
	_, err := fmt.Sscan(podman("image", "inspect", "--format={{.Size}} {{.User}}", "fountd:1.2.3"), &size, &owner)
	if err != nil || size > 15<<20 || owner != "65532:65532" {
		t.Errorf("the image has %d bytes and the user %q, %v", size, owner, err)
	}

	run(t, "sh", "-ec", `echo MDEyMzQ1Njc4OWFiY2RlZg== >$0/pepper; chmod 440 $0/pepper; chown 0:65532 $0/pepper`, dir)
	id := podman("run", "--detach", "--read-only", "--network=none", "--cap-drop=all", "--security-opt=no-new-privileges",
		"--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", "--volume="+dir+"/pepper:/run/secrets/2026:ro",
		"--env=FOUNTD_PEPPER=2026=credential:2026", "fountd:1.2.3")
	t.Cleanup(func() { podman("rm", "--force", "--volumes", id) })
	socket := "/proc/" + podman("inspect", "--format={{.State.Pid}}", id) + "/root/run/fountd/fountd.sock"
	eventually(t, "a login is answered", func() bool { return matches("unix", socket) })
	if said := podman("exec", id, "/fountd", "health"); said != "ok" {
		t.Errorf("health: %q", said)
	}

	podman("stop", id)
	if status := podman("wait", id); status != "0" {
		t.Errorf("it ended with status %s", status)
	}
}

// Behind HAProxy, as compose.yaml has it, logins are answered though a server is killed, and each
// server's metrics have a port.
func TestBehindHAProxy(t *testing.T) {
	if _, err := exec.LookPath("haproxy"); err != nil {
		require.Skip(t, "haproxy", "there is no haproxy (Debian: haproxy)")
	}
	dir := socketdir.New(t)
	others := []string{"/run/fountd", dir}
	at := map[int]string{} // free addresses, in the place of those in the file
	for _, port := range []int{8080, 9100, 9101, 9102, 9103} {
		at[port] = freeport.New(t)
		others = append(others, fmt.Sprint(":", port), at[port])
	}

	text, err := os.ReadFile("../compose/haproxy.cfg")
	if err == nil {
		err = os.WriteFile(dir+"/haproxy.cfg", []byte(strings.NewReplacer(others...).Replace(string(text))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}

	start := func(command ...string) *exec.Cmd {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Stdout = t.Output()
		cmd.Stderr = t.Output()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd
	}

	fountd := newStage(t) + "/linux_amd64/fountd"
	start(fountd, "--socket", dir+"/hash-1.sock")
	second := start(fountd, "--socket", dir+"/hash-2.sock")
	start(fountd, "--socket", dir+"/hash-3.sock")
	start("haproxy", "-db", "-f", dir+"/haproxy.cfg")

	scraped := func(port int) bool {
		reply, err := http.Get("http://" + at[port] + "/metrics")
		return err == nil && reply.Body.Close() == nil && reply.StatusCode == http.StatusOK
	}
	eventually(t, "all are there", func() bool {
		return scraped(9100) && scraped(9101) && scraped(9102) && scraped(9103) && matches("tcp", at[8080])
	})

	page, err := http.NewRequest(http.MethodGet, "http://"+at[8080]+"/v1/policy", nil)
	if err != nil {
		t.Fatal(err)
	}
	page.Host = "evil.example"
	if reply, err := http.DefaultClient.Do(page); err != nil || reply.Body.Close() != nil || reply.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a web page's name: %v, %v", reply, err)
	}

	second.Process.Kill()
	second.Wait()
	for range 20 {
		if !matches("tcp", at[8080]) {
			t.Error("a login was refused after a server was killed")
		}
	}
	if !scraped(9101) || scraped(9102) || !scraped(9103) {
		t.Error("want the metrics of all servers but the one that was killed")
	}
}
