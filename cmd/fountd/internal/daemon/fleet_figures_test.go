// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote"
)

// Of three fountd one has a fault for ten seconds. With FOUNT_LONG=1, -v prints what four clients
// see then, for docs/load.md, beside what remote's tests simulate.
func TestFleetFiguresMeasured(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("takes two minutes (FOUNT_LONG=1 runs it)")
	}

	dir := t.TempDir()
	pepper := filepath.Join(dir, "pepper")
	key := filepath.Join(dir, "fleet.key")
	write(t, pepper, "MDEyMzQ1Njc4OWFiY2RlZg==")
	public := fleetKey(t, "new", key)
	peppered := []string{"--pepper", "a=" + pepper}
	for name, fault := range map[string]struct {
		flags  []string // of the one that has it
		signal syscall.Signal
	}{
		"none":      {flags: peppered},
		"SIGSTOP":   {flags: peppered, signal: syscall.SIGSTOP},
		"SIGKILL":   {flags: peppered, signal: syscall.SIGKILL},
		"no pepper": {},
	} {
		for _, way := range []string{"HTTP", "NATS"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				b := newBroker(t, "")
				var servers []*process
				var sockets []string
				for _, flags := range [][]string{fault.flags, peppered, peppered} {
					flags = append([]string{"--policy", "bcrypt,cost=10", "--workers", "1", "--nats-key", key, "--nats", b.url()}, flags...)
					p := startIn(t, socketdir.New(t), nil, flags...)
					p.said("nats connected")
					servers = append(servers, p)
					sockets = append(sockets, p.socket)
				}

				encoded, err := servers[1].remote().Hash(t.Context(), password.Login{}, []byte("secret"))
				require.NoError(t, err)
				clients := make([]password.Verifier, 4)
				for i := range clients {
					if way == "NATS" {
						clients[i] = fleetClient(t, b.url(), public, remote.NATSOptions{})
					} else {
						clients[i], _ = remote.HTTP(strings.Join(sockets, ","), remote.HTTPOptions{})
					}
				}

				ask(clients, encoded, 4*time.Second)
				servers[0].signal(fault.signal)
				asked, took := ask(clients, encoded, 10*time.Second)
				t.Logf("%d of %d answered, p50 %v, p99 %v", len(took), asked, took[len(took)/2], took[len(took)*99/100])
			})
		}
	}
}

// ask has the clients make 12 calls a second at random times, and returns how long the answered ones
// took.
func ask(clients []password.Verifier, encoded string, length time.Duration) (asked int, took []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	begin := time.Now()
	for at := time.Duration(0); at < length; at += time.Duration(rand.ExpFloat64() / 12 * float64(time.Second)) {
		time.Sleep(time.Until(begin.Add(at)))
		asked++
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			began := time.Now()
			_, err := clients[rand.IntN(len(clients))].Verify(ctx, password.Login{}, []byte("secret"), encoded)
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				took = append(took, time.Since(began))
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return asked, took
}
