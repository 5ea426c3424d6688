// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command why tries the verdict of "fount why" on real servers under load: it watches a service, makes the change in a
// twin of it, and measures both, in turns, by CPU time a request.
//
//	go build -o /tmp/fount ./cmd/fount
//	go run ./bench/why -fount /tmp/fount ids
//
// It is of Linux, as the watching of processes is.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fount/lab/measure"
	"fount/lab/why"
)

// maxWait is above what 64 callers wait for two cores.
const maxWait = time.Minute

func main() {
	log.SetFlags(0)
	log.SetPrefix("why: ")
	program := flag.String("fount", "fount", "the program")
	rounds := flag.Int("n", 5, "rounds")
	turn := flag.Duration("t", 4*time.Second, "time of a turn")
	serving := flag.Bool("serve", false, "serve what standard input asks for, for another process")
	flag.Parse()
	if err := run(*serving, *program, *rounds, *turn); err != nil {
		log.Fatal(err)
	}
}

func run(serving bool, program string, rounds int, turn time.Duration) error {
	if serving {
		return serve(os.Stdin)
	}
	s, err := find(flag.Arg(0))
	if err != nil {
		return err
	}
	return trial(s, program, rounds, turn)
}

// find returns the service of that name.
func find(name string) (service, error) {
	i := slices.IndexFunc(services, func(s service) bool { return s.name == name })
	if i < 0 {
		return service{}, fmt.Errorf("%q is no service; use login, ids or words", name)
	}
	return services[i], nil
}

// trial watches the service once, and then measures it, its twin, and itself while it is watched, in turns.
func trial(s service, program string, rounds int, turn time.Duration) error {
	before, err := start(s, false)
	if err != nil {
		return err
	}
	defer before.end()
	after, err := start(s, true)
	if err != nil {
		return err
	}
	defer after.end()

	for _, r := range []*server{before, after} { // warm up
		r.load(s.callers, turn/4)
	}
	report, err := before.watched(program, s.callers, 2*turn)
	if err != nil {
		return err
	}
	var plain, change, watching []float64
	var watcher []float64
	for range rounds {
		n, used := before.load(s.callers, turn)
		plain = append(plain, perRequest(n, used))
		n, used = after.load(s.callers, turn)
		change = append(change, perRequest(n, used))
		cost, share, err := before.whileWatched(program, s.callers, turn)
		if err != nil {
			return err
		}
		watching, watcher = append(watching, cost), append(watcher, share)
	}
	v := report.Verdict
	saved := 1 - median(change)/median(plain)
	fmt.Printf("%s: %s (%s)\n", s.name, v.Do, strings.Join(v.Sentences, " "))
	fmt.Printf("  CPU a request  %.1f us before, %.1f us after (medians of %d turns of %v)\n", median(plain), median(change), rounds, turn)
	fmt.Printf("  saving         predicted %.1f %% (%.1f to %.1f), measured %.1f %%", 100*v.Saves, 100*v.Least, 100*v.Most, 100*saved)
	if v.Saves > 0 {
		fmt.Printf(": off by %.0f %%", 100*(v.Saves/saved-1))
	}
	fmt.Printf("\n  watching       costs the program %+.2f %% of its CPU time a request, and the watcher takes %.2f %% of a core\n",
		100*(median(measure.Over(watching, plain))-1), 100*median(watcher))
	if l := report.Lateness; l != nil {
		fmt.Printf("  lateness       %.3f ms p50, %.3f ms p99, %.3f ms at most\n", l.P50MS, l.P99MS, l.MaxMS)
	}
	fmt.Printf("  rounds         before %.1f\n                 after %.1f\n                 watched %.1f\n", plain, change, watching)
	return nil
}

func perRequest(n int64, used time.Duration) float64 {
	return float64(used.Microseconds()) / float64(n)
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// A server is a running service.
type server struct {
	cmd *exec.Cmd
	url string
}

// start runs this program as a server.
func start(s service, changed bool) (*server, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	in, err := json.Marshal(order{s.name, changed})
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(exe, "-serve")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Process.Kill()
		return nil, fmt.Errorf("server of %s: %w", s.name, err)
	}
	return &server{cmd, "http://" + strings.TrimSpace(address)}, nil
}

func (r *server) end() {
	r.cmd.Process.Kill()
	r.cmd.Wait()
}

// used is the server's CPU time: the threads', which the kernel counts in ns.
func (r *server) used() (sum time.Duration) {
	dir := fmt.Sprintf("/proc/%d/task", r.cmd.Process.Pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range threads { // threads of Go's runtime don't end
		text, _ := os.ReadFile(dir + "/" + t.Name() + "/schedstat")
		ns, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(ns, 10, 64)
		sum += time.Duration(n)
	}
	return sum
}

// load has callers ask, each again when it is answered, and returns how many were answered and what CPU time that took.
func (r *server) load(callers int, d time.Duration) (n int64, used time.Duration) {
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	defer client.CloseIdleConnections()
	form := url.Values{"password": {"a password"}}.Encode()
	var answered atomic.Int64
	var over atomic.Bool
	var all sync.WaitGroup
	before := r.used()
	for i := range callers {
		all.Go(func() {
			for !over.Load() {
				request, err := http.NewRequest(http.MethodPost, r.url, strings.NewReader(form))
				if err != nil {
					log.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				request.Header.Set("Caller", strconv.Itoa(i))
				answer, err := client.Do(request)
				if err != nil {
					log.Fatal(err)
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					log.Fatal(answer.Status)
				}
				answered.Add(1)
			}
		})
	}
	time.Sleep(d)
	over.Store(true)
	all.Wait() // those under way count with their time
	return answered.Load(), r.used() - before
}

// watched has the program watch the server under load.
func (r *server) watched(program string, callers int, d time.Duration) (*why.Report, error) {
	cmd := r.watcher(program, d)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r.load(callers, d)
	var report why.Report
	if err := json.NewDecoder(out).Decode(&report); err != nil {
		cmd.Process.Kill()
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	return &report, cmd.Wait()
}

// whileWatched is the CPU time a request in us while the program watches, and what the program takes of a core until then.
func (r *server) whileWatched(program string, callers int, d time.Duration) (cost, share float64, err error) {
	cmd := r.watcher(program, time.Hour)
	cmd.Stdout = nil
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	time.Sleep(time.Second) // until it has opened all and read the symbols
	watcher := server{cmd: cmd}
	before := watcher.used()
	n, used := r.load(callers, d)
	share = float64(watcher.used()-before) / float64(d)
	cmd.Process.Signal(syscall.SIGKILL) // what it would say is not wanted
	cmd.Wait()
	return perRequest(n, used), share, nil
}

func (r *server) watcher(program string, d time.Duration) *exec.Cmd {
	cmd := exec.Command(program, "why", "--json", "--pid", strconv.Itoa(r.cmd.Process.Pid), "-d", d.String())
	cmd.Stderr = os.Stderr
	return cmd
}
