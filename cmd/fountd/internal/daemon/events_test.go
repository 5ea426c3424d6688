// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package daemon

// What can befall fountd, as docs/runbook.md tells it: each event is caused by real parts, a real
// Prometheus raises the alert, and the page's command prints the page's line. Run it with
//
//	FOUNT_LONG=1 go test -count=1 -v -run TestEvents ./cmd/fountd/internal/daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
)

// speed is how many seconds of the rules and scrapes pass in one of the test.
const speed = 15

// An event happens to a job of Prometheus.
type event struct {
	job    string
	title  string // of its section in the runbook, which all its alerts link to
	alerts string
	cause  func(*stage) *process // returns the server that the operator looks at, or nil if it can't be caused here
}

var events = []event{
	{job: "policy", title: "Goodput below demand", alerts: "FountGoodputBelowDemand FountdCallersRefused", cause: raisePolicy},
	{job: "loop", title: "Crash loop", alerts: "FountdRestarts", cause: crash},
	{job: "hung", title: "A server is away", alerts: "FountdAway", cause: hang},
	{job: "certificate", title: "Certificate", alerts: "FountdCertificateEnds", cause: endCertificate},
	{job: "peppers", title: "Keys", alerts: "FountKeyMissing FountdKeysDiffer", cause: differPeppers},
	{job: "flood", title: "One principal floods", alerts: "FountPrincipalFloods", cause: floodOne},
	{job: "disk", title: "Full disk", cause: fillDisk},
	{job: "broker", title: "Broker away", alerts: "FountdBrokerAway", cause: loseBroker},
}

func TestEvents(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: the slowest alert takes a minute")
	}
	s := newStage(t)
	restart := s.ordinary()

	lookedAt := map[string]*process{}
	caused := map[string]time.Time{}
	for _, e := range events {
		s.job = e.job
		lookedAt[e.job] = e.cause(s)
		caused[e.job] = time.Now()
	}
	restart()

	for _, e := range events {
		t.Run(e.job, func(t *testing.T) {
			p := lookedAt[e.job]
			if p == nil {
				require.Skip(t, "memcg", "this needs root, and a cgroup that limits memory")
			}
			for alert := range strings.FieldsSeq(e.alerts) {
				at := s.fires(t, alert, e.job)
				section := "docs/runbook.md#" + strings.ReplaceAll(strings.ToLower(e.title), " ", "-")
				if !regexp.MustCompile(`alert: ` + alert + `\n(\s.*\n)+? +runbook_url: ` + section + `\n`).Match(s.rules) {
					t.Errorf("%s does not lead to %s", alert, section)
				}
				t.Logf("%s after %.1f minutes", alert, speed*at.Sub(caused[e.job]).Minutes())
			}

			command, lines := advice(t, e.title)
			printed := s.run(t, p, e.job, command)
			for _, line := range lines {
				if !strings.Contains(digitless(printed), digitless(line)) {
					t.Errorf("%s\nprints\n%s\nand not\n%s", command, printed, line)
				}
			}
		})
	}

	if fired := s.query(t, `count_over_time(ALERTS{alertstate="firing",job=~"ordinary|disk"}[10m])`); len(fired) > 0 {
		t.Errorf("alerts without cause: %v", fired)
	}
}

// advice returns the command in a section of the runbook, and lines that it prints.
func advice(t *testing.T, title string) (command string, lines []string) {
	t.Helper()
	page, err := os.ReadFile(docs + "runbook.md")
	if err != nil {
		t.Skip(err)
	}
	_, section, _ := strings.Cut(string(page), "\n### "+title+"\n")
	console := regexp.MustCompile("(?s)```console\n\\$ (.*?)\n(.*?)\n```\n").FindStringSubmatch(section)
	if console == nil {
		t.Fatalf("docs/runbook.md has no command for %q", title)
	}
	return console[1], strings.Split(console[2], "\n")
}

// digitless returns a text without its numbers and the IDs of principals, which are others each
// time.
func digitless(text string) string {
	return regexp.MustCompile(`[0-9a-f]{16}|[0-9]+(\.[0-9]+)?`).ReplaceAllString(text, "N")
}

// A stage has a Prometheus with the rules of deploy/prometheus, and commands of an operator.
type stage struct {
	*testing.T
	job        string // of the event that is caused
	dir        string // has bin/ with the commands, and the targets by job
	prometheus string // HOST:PORT
	client     *http.Client
	rules      []byte
}

func newStage(t *testing.T) *stage {
	prometheus, err := exec.LookPath("prometheus")
	if err != nil {
		require.Skip(t, "prometheus", "there is no prometheus (Debian: prometheus)")
	}
	s := &stage{T: t, dir: socketdir.New(t), prometheus: freeport.New(t)}
	s.client = client(t, "tcp", s.prometheus)
	s.fillBin()

	rules, err := os.ReadFile("../../../../deploy/prometheus/fount.rules.yml")
	if err != nil {
		t.Skip(err)
	}
	s.rules = rules
	faster := regexp.MustCompile(`\b[0-9]+m\b`).ReplaceAllFunc(rules, func(minutes []byte) []byte {
		n, _ := strconv.Atoi(string(minutes[:len(minutes)-1]))
		return fmt.Append(nil, n*60/speed, "s")
	})
	write(t, filepath.Join(s.dir, "fount.rules.yml"), faster)
	write(t, filepath.Join(s.dir, "prometheus.yml"), `
global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
rule_files: [fount.rules.yml]
scrape_configs:
  - job_name: any
    file_sd_configs: [{files: ["*.json"]}]
`)
	background(t, prometheus, "--config.file", filepath.Join(s.dir, "prometheus.yml"), "--storage.tsdb.path", filepath.Join(s.dir, "data"),
		"--web.listen-address", s.prometheus, "--query.lookback-delta", "20s", "--log.level", "warn")
	return s
}

// fillBin makes the commands of an operator. systemd does not run here, so that journalctl is grep.
func (s *stage) fillBin() {
	s.Helper()
	bin := filepath.Join(s.dir, "bin")
	self, err := os.Executable()
	require.NoError(s, err)
	made, err := exec.Command("sh", "-ec", `mkdir "$0"; ln -s "$1" "$0"/fountd; go build -o "$0" fount/cmd/fount`, bin, self).CombinedOutput()
	if err != nil {
		s.Fatalf("%v\n%s", err, made)
	}
	write(s, filepath.Join(bin, "journalctl"), `#!/bin/sh
while getopts o:u:g:n: option; do
	case $option in g) pattern=$OPTARG ;; n) lines=$OPTARG ;; esac
done
grep -P "$pattern" "$JOURNAL" | tail -n "$lines"
`)
	require.NoError(s, os.Chmod(filepath.Join(bin, "journalctl"), 0o700))
}

// run has a shell run a command of the runbook, which is about a server.
func (s *stage) run(t *testing.T, p *process, job, command string) string {
	t.Helper()
	settings := filepath.Join(p.dir, "fountd.toml")
	if _, err := os.Stat(settings); err != nil {
		write(t, settings, "# The defaults.\n")
	}
	journal := filepath.Join(s.dir, "journal")
	write(t, journal, p.logged())
	command = strings.NewReplacer("/run/fountd/fountd.sock", p.socket, "/etc/fountd", p.dir, "127.0.0.1:9090", s.prometheus).Replace(command)
	shell := program(t, []string{"FOUNTD_SOCKET=" + p.socket, "JOURNAL=" + journal, "PATH=" + filepath.Join(s.dir, "bin") + ":" + os.Getenv("PATH")})
	shell.Path = "/bin/sh"
	shell.Args = []string{"sh", "-c", command}
	printed, _ := shell.CombinedOutput() // health fails where it should
	return strings.NewReplacer(`job="`+job+`"`, `job="fountd"`, p.dir, "/etc/fountd").Replace(string(printed))
}

// watch has Prometheus scrape the addresses as the event's job.
func (s *stage) watch(addresses ...string) {
	s.Helper()
	targets := fmt.Sprintf(`[{"targets": ["%s"], "labels": {"job": %q}}]`, strings.Join(addresses, `", "`), s.job)
	aside := filepath.Join(s.dir, "new")
	write(s, aside, targets)
	require.NoError(s, os.Rename(aside, filepath.Join(s.dir, s.job+".json")))
}

// ask has Prometheus answer a request to its API, into reply.
func (s *stage) ask(t *testing.T, path string, reply any) {
	t.Helper()
	_, text, err := get(s.client, "http://prometheus/api/v1/"+path)
	if err == nil {
		err = json.Unmarshal([]byte(text), reply)
	}
	require.NoError(t, err)
}

// fires waits until an alert of a job fires or has fired, and returns when it began to.
func (s *stage) fires(t *testing.T, name, job string) time.Time {
	t.Helper()
	since := fmt.Sprintf(`min_over_time(timestamp(ALERTS{alertstate="firing",alertname=%q,job=%q})[10m:1s])`, name, job)
	for limit := time.Now().Add(3 * time.Minute); time.Now().Before(limit); time.Sleep(100 * time.Millisecond) {
		if found := s.query(t, since); len(found) > 0 {
			seconds, err := strconv.ParseFloat(fmt.Sprint(found[0].Value[1]), 64)
			require.NoError(t, err)
			return time.UnixMilli(int64(1000 * seconds))
		}
	}
	t.Fatalf("%s does not fire", name)
	return time.Time{}
}

// A sample is a value of a series: a time and a text.
type sample struct {
	Metric map[string]string
	Value  [2]any
}

// query has Prometheus evaluate an expression.
func (s *stage) query(t *testing.T, expression string) []sample {
	t.Helper()
	var reply struct{ Data struct{ Result []sample } }
	s.ask(t, "query?query="+url.QueryEscape(expression), &reply)
	return reply.Data.Result
}

// repeat has something done at once and after each pause, until the test ends.
func (s *stage) repeat(pause time.Duration, do func()) {
	go func() {
		for s.Context().Err() == nil {
			do()
			time.Sleep(pause)
		}
	}()
}

// login verifies a password for a principal.
func login(c *http.Client, principal, encoded string) {
	_, _, _ = post(c, "/v1/verify", fmt.Sprintf(`{"password":"secret","hash":%q,"principal":%q}`, encoded, principal))
}

// behind has HAProxy, as docs/fountd.md configures it, stand before two servers of plaintext, and
// Prometheus scrape the three. It returns a client of HAProxy.
func (s *stage) behind(first, second string) *http.Client {
	s.Helper()
	address, metrics := balance(s.T, first, second, plaintext...)
	s.watch(first, second, metrics)
	return client(s, "tcp", address)
}

// ordinary has two servers behind HAProxy answer logins, and returns a function that restarts one
// after the other.
func (s *stage) ordinary() (restart func()) {
	s.job = "ordinary"
	first, second := freeport.New(s), freeport.New(s)
	servers := map[string]*process{}
	for _, address := range []string{first, second} {
		servers[address] = start(s, nil, "--listen", address)
	}
	c := s.behind(first, second)
	encoded := stored(s, cheap)
	s.repeat(100*time.Millisecond, func() { login(c, "192.0.2.1", encoded) })
	return func() {
		for address, p := range servers {
			p.signal(syscall.SIGTERM)
			p.end()
			start(s, nil, "--listen", address)
			time.Sleep(2 * time.Second) // as an operator looks at it
		}
	}
}

// The cost of new hashes, and of each wrong name, is raised beyond what the machine can make.
func raisePolicy(s *stage) *process {
	raised := func(address string) *process {
		dir := socketdir.New(s)
		file := filepath.Join(dir, "fountd.toml")
		write(s, file, `policy = "bcrypt,cost=4"`)
		p := startIn(s, dir, nil, "--config", file, "--workers", "1", "--listen", address)
		write(s, file, `policy = "bcrypt,cost=13"`)
		p.signal(syscall.SIGHUP)
		p.said("msg=reloaded")
		return p
	}
	first, second := freeport.New(s), freeport.New(s)
	p := raised(first)
	raised(second)
	c := s.behind(first, second)
	for n := range 200 { // more than may wait
		s.repeat(200*time.Millisecond, func() { login(c, fmt.Sprint("2001:db8::", n), "") })
	}
	return p
}

// Each call needs more memory than the cgroup has, and whoever ends is started again.
func crash(s *stage) *process {
	processes, err := memoryCgroup(s.T, 100<<20)
	if err != nil {
		return nil
	}
	dir := socketdir.New(s)
	admin := freeport.New(s)
	p := &process{t: s, dir: dir, socket: filepath.Join(dir, "s"), ended: make(chan struct{})}
	p.Cmd = program(s, []string{"FOUNTD_SOCKET=" + p.socket})
	p.Path = "/bin/sh"
	p.Args = []string{"sh", "-c", `echo $$ >"$0"; while sleep .1; do "$1"/bin/fountd --policy bcrypt,cost=4 --memory 512M --admin "$2"; done`, processes, s.dir, admin}
	p.run()
	s.Cleanup(func() { s.empty(processes) })
	p.said("msg=ready")
	s.watch(admin)
	large := stored(s, password.Policy{Algorithm: password.Argon2id, Memory: 128 << 10, Iterations: 1, Parallelism: 1})
	c := p.client()
	s.repeat(700*time.Millisecond, func() { login(c, "192.0.2.1", large) })
	return p
}

// empty kills the processes of a cgroup.
func (s *stage) empty(processes string) {
	eventually(s, "the cgroup is empty", func() bool {
		members, _ := os.ReadFile(processes)
		for pid := range strings.FieldsSeq(string(members)) {
			n, _ := strconv.Atoi(pid)
			syscall.Kill(n, syscall.SIGKILL)
		}
		return len(members) == 0
	})
}

// A server that Prometheus knows stands still.
func hang(s *stage) *process {
	address := freeport.New(s)
	p := start(s, nil, "--admin", address)
	s.watch(address)
	s.scraped(1)
	p.signal(syscall.SIGSTOP)
	return p
}

// scraped waits until Prometheus has scraped n servers of the event's job.
func (s *stage) scraped(n int) {
	s.Helper()
	eventually(s, "Prometheus scrapes "+s.job, func() bool {
		return len(s.query(s.T, `fountd_http_connections{job="`+s.job+`"}`)) > 0
	})
}

// The server's certificate ends within an hour.
func endCertificate(s *stage) *process {
	cert, key := newAuthority(s.T, "ca").issue("server")
	address := freeport.New(s)
	p := start(s, nil, "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key, "--admin", address)
	s.watch(address)
	return p
}

// Two servers have two secrets under one ID, and a third none. It is asked before Prometheus looks.
func differPeppers(s *stage) (last *process) {
	var addresses []string
	for _, secret := range []string{"MDEyMzQ1Njc4OWFiY2RlZg==", "MDEyMzQ1Njc4OWFiY2RlZw==", ""} {
		address := freeport.New(s)
		addresses = append(addresses, address)
		flags := []string{"--admin", address}
		if secret != "" {
			pepper := filepath.Join(s.TempDir(), "pepper")
			write(s, pepper, secret)
			flags = append(flags, "--pepper", "2026-11="+pepper)
		}
		last = start(s, nil, flags...)
	}
	made := stored(s, password.Policy{Algorithm: password.Argon2id, Memory: 64, Iterations: 1})
	peppered := strings.Replace(made, ",p=1$", ",p=1,keyid=MjAyNi0xMQ$", 1)
	expect(s, last.client(), "/v1/verify", verifyBody(peppered), 422, `"reason":"key"`)
	s.watch(addresses...)
	return last
}

// One principal asks for far more than a core can hash, and another now and then.
func floodOne(s *stage) *process {
	address := freeport.New(s)
	p := startIn(s, socketdir.New(s), nil, "--policy", "bcrypt,cost=12", "--workers", "1", "--admin", address)
	s.watch(address)
	c := p.client()
	for range 200 { // more than may wait
		s.repeat(200*time.Millisecond, func() { login(c, "192.0.2.1", "") })
	}
	s.repeat(200*time.Millisecond, func() { login(c, "198.51.100.1", "") })
	return p
}

// The disk is full when the settings are written again, so that the file is empty. Logins go on.
func fillDisk(s *stage) *process {
	dir := socketdir.New(s)
	address := freeport.New(s)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		return nil
	}
	s.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	file := filepath.Join(dir, "fountd.toml")
	write(s, file, `policy = "bcrypt,cost=4"`)
	p := startIn(s, dir, nil, "--config", file, "--admin", address)
	s.watch(address)

	settings, err := os.Create(file)
	require.NoError(s, err)
	defer settings.Close()
	full := os.WriteFile(filepath.Join(dir, "other"), make([]byte, 1<<20), 0o600)
	if _, err := settings.WriteString(`policy = "bcrypt,cost=5"`); !errors.Is(full, syscall.ENOSPC) || !errors.Is(err, syscall.ENOSPC) {
		s.Fatalf("the disk is not full: %v, %v", full, err)
	}
	p.signal(syscall.SIGHUP)
	p.said("not reloaded")
	expect(s, p.client(), "/v1/verify", verifyBody(stored(s, cheap)), 200, `"match":true`)
	return p
}

// One of two workers loses its broker; the other one has another.
func loseBroker(s *stage) *process {
	key := filepath.Join(s.TempDir(), "fleet.key")
	fleetKey(s, "new", key)
	lost := newBroker(s, "")
	kept := newBroker(s, "")
	worker := func(b *broker, address string) *process {
		p := start(s, nil, "--nats", b.url(), "--nats-key", key, "--admin", address)
		p.said("nats connected")
		return p
	}
	first, second := freeport.New(s), freeport.New(s)
	p := worker(lost, first)
	worker(kept, second)
	s.watch(first, second)
	s.scraped(2)
	lost.kill()
	return p
}
