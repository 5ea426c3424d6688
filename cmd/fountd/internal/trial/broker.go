// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial

// The broker's process, and the cable's near end.

import (
	"context"
	"io"
	"log/slog"
	"net"

	"fount/cmd/fountd/internal/natsnode"
)

// Broker runs a broker at an address of loopback until ctx is done. Open starts the program with this command.
func Broker(ctx context.Context, address string, log *slog.Logger) error {
	b, err := natsnode.Start(natsnode.BrokerOptions{Listen: address, Log: log})
	if err != nil {
		return err
	}
	defer b.Stop()
	log.Info("ready", "broker", b.Address())
	<-ctx.Done()
	return nil
}

// BrokerCommand is what follows the program's name to run Broker; the address is one more argument.
var BrokerCommand = []string{"demo", "broker"}

// A relay hands connections on to the broker, which serves loopback alone, from where a worker in another network can reach it.
type relay struct {
	net.Listener
	done chan struct{}
}

func newRelay(listen, to string) (*relay, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(listen, "0"))
	if err != nil {
		return nil, err
	}
	r := &relay{l, make(chan struct{})}
	go func() {
		defer close(r.done)
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			carry := func(from, to net.Conn) {
				io.Copy(to, from)
				from.Close()
				to.Close()
			}
			go carry(near, far)
			go carry(far, near)
		}
	}()
	return r, nil
}

func (r *relay) Close() error {
	err := r.Listener.Close()
	<-r.done
	return err
}
