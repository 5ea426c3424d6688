// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Package trial runs a fleet on this machine, as the processes that it would be on several: a broker, workers in CPU quotas,
// clients with a load, and faults. It counts what becomes of every call. It is not a part of a fountd that serves.
//
// Read the files in this order:
//
//	fleet.go      the broker and the workers: started, killed, ended
//	process.go    one of them
//	place_linux.go  its CPU quota and its network
//	broker.go     the broker's
//	load.go       clients, and the calls that they make
//	ledger.go     what became of the calls
//	worker.go     what workers say of themselves
package trial

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"fount/internal/fleet"
	"fount/internal/policytext"
	"fount/password"
)

// Options are a fleet's.
type Options struct {
	Program []string  // fountd's command line
	Env     []string  // more of its environment
	Cores   []float64 // each worker's quota, from 0.01
	Policy  password.Policy
	Flags   []string // more flags of workers

	// Network puts the last worker into a network of its own, which Part cuts off. It takes Linux, root and iproute2.
	Network bool
}

// ErrNoNetwork is Open's error where no network can be made.
var ErrNoNetwork = errors.New("no network for a worker can be made here")

// A Fleet is a broker and workers. One goroutine uses it, but for Workers' methods that say otherwise.
type Fleet struct {
	Workers   []*Worker
	NoQuotas  error  // why workers have no quotas, nil if they do
	PublicKey string // the fleet's

	options Options
	env     []string
	starter starter
	closed  bool
	dir     string
	address string // the broker's
	network *network
	relay   *relay // to the broker, from there
	sweeper struct {
		*exec.Cmd
		in io.Closer
	}

	mu     sync.Mutex
	broker *process
}

// Open starts a fleet. What it has made on the machine is gone when Close returns, and soon after this process has ended in any other way.
func Open(o Options) (f *Fleet, err error) {
	f = &Fleet{options: o, starter: newStarter(), env: append(environment(), o.Env...)}
	if f.dir, err = os.MkdirTemp(shortest(os.TempDir()), "fountd-"); err != nil {
		return nil, err
	}
	name := filepath.Base(f.dir)
	defer func() {
		if err != nil {
			f.Close()
			f = nil
		}
	}()
	var quotas *groups
	quotas, f.NoQuotas = newGroups(name)
	if err = f.sweep(name, quotas); err != nil {
		return f, err
	}
	if err = f.makeKey(); err != nil {
		return f, err
	}
	if f.address, err = free(); err != nil {
		return f, err
	}
	if err = f.StartBroker(); err != nil {
		return f, err
	}
	if o.Network {
		if f.network, err = newNetwork(name); err != nil {
			return f, fmt.Errorf("%w: %w", ErrNoNetwork, err)
		}
		if f.relay, err = newRelay(nearAddress, f.address); err != nil {
			return f, err
		}
	}
	for i, cores := range o.Cores {
		w := &Worker{Name: strconv.Itoa(i + 1), Cores: cores, fleet: f, socket: filepath.Join(f.dir, "w"+strconv.Itoa(i+1))}
		f.Workers = append(f.Workers, w)
		if o.Network && i == len(o.Cores)-1 {
			w.place.network = f.network
		}
		if f.NoQuotas == nil {
			if w.place.group, err = quotas.add(w.Name, cores); err != nil {
				return f, err
			}
		}
		if err = w.Start(); err != nil {
			return f, err
		}
	}
	return f, nil
}

// sweepScript waits until nobody holds its standard input, and removes a directory, control groups and a network: of a trial
// that has ended, or was killed.
const sweepScript = `trap '' INT TERM HUP
cat >/dev/null
rm -rf -- "$1"
if ip netns delete "$2" 2>/dev/null; then :; fi
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	rmdir "$3"/*/ "$3" 2>/dev/null
	[ -d "$3" ] || exit 0
	sleep 0.1
done`

// sweep starts what cleans up.
func (f *Fleet) sweep(name string, quotas *groups) error {
	group := filepath.Join(f.dir, "none")
	if quotas != nil {
		group = quotas.dir
	}
	f.sweeper.Cmd = exec.Command("sh", "-c", sweepScript, "sh", f.dir, name, group)
	f.sweeper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := f.sweeper.StdinPipe()
	if err != nil {
		return err
	}
	f.sweeper.in = in
	return f.sweeper.Start()
}

// Close kills all processes and removes everything that the fleet has made. A second call does nothing.
func (f *Fleet) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	for _, w := range f.Workers {
		w.Kill()
	}
	f.KillBroker()
	if f.network != nil {
		f.network.close()
	}
	if f.relay != nil {
		f.relay.Close()
	}
	close(f.starter)
	if f.sweeper.in == nil || f.sweeper.Process == nil {
		return os.RemoveAll(f.dir)
	}
	f.sweeper.in.Close()
	return f.sweeper.Wait()
}

// Cores is what the workers have together: their quotas, or the machine.
func (f *Fleet) Cores() (sum float64) {
	for _, w := range f.Workers {
		if f.NoQuotas != nil {
			sum += math.Ceil(w.Cores)
		} else {
			sum += w.Cores
		}
	}
	return min(sum, float64(runtime.NumCPU()))
}

func (f *Fleet) makeKey() error {
	key, err := fleet.NewKey(time.Now())
	if err != nil {
		return err
	}
	f.PublicKey = key.Public().String()
	return fleet.CreateKeyFile(f.keyFile(), key)
}

func (f *Fleet) keyFile() string { return filepath.Join(f.dir, "key") }

// URL is the broker's.
func (f *Fleet) URL() string { return "nats://" + f.address }

// StartBroker starts the broker, at the same address each time.
func (f *Fleet) StartBroker() error {
	p, err := f.starter.process(slices.Concat(f.options.Program, BrokerCommand, []string{f.address}), f.env, place{}, "msg=ready")
	if err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	f.mu.Lock()
	f.broker = p
	f.mu.Unlock()
	if err := p.wait(); err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	return nil
}

// KillBroker kills the broker, as kill -9 does.
func (f *Fleet) KillBroker() {
	f.mu.Lock()
	p := f.broker
	f.mu.Unlock()
	if p != nil {
		p.kill()
	}
}

// Part cuts the last worker off from the broker, or joins it again.
func (f *Fleet) Part(off bool) error {
	if f.network == nil {
		return errors.New("this fleet has no network of its own: want Options.Network")
	}
	return f.network.connected(!off)
}

// Broker tells whether the broker runs, and the processor time that it has used since it was started. It may be called from any
// goroutine.
func (f *Fleet) Broker() (State, time.Duration) {
	f.mu.Lock()
	p := f.broker
	f.mu.Unlock()
	if p == nil || !p.alive() {
		return Down, 0
	}
	return Up, processorTime(p.cmd.Process.Pid)
}

// flags are a worker's.
func (f *Fleet) flags(w *Worker) []string {
	broker := f.URL()
	if w.place.network != nil {
		broker = "nats://" + f.relay.Addr().String()
	}
	flags := []string{
		"--socket", w.socket, "--nats", broker, "--nats-key", f.keyFile(),
		"--policy", policytext.Of(f.options.Policy), "--workers", strconv.Itoa(int(math.Ceil(w.Cores))),
	}
	return slices.Concat(f.options.Program, flags, f.options.Flags)
}

// environment is this process's, without what would change a fountd.
func environment() (env []string) {
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); !strings.HasPrefix(name, "FOUNTD_") && name != "NOTIFY_SOCKET" && !strings.HasPrefix(name, "LISTEN_") {
			env = append(env, pair)
		}
	}
	return env
}

// shortest is a directory for temporary files in which a socket's path fits.
func shortest(dir string) string {
	if len(dir) > 64 {
		return "/tmp"
	}
	return dir
}

// free is an address where nobody listens.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
