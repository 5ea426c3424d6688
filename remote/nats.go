// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fount/internal/fleet"
	"fount/password"
	"fount/remote/api"
)

// A Broker carries requests to a fleet; natsconn.Conn is one, over NATS. It need not be trusted, as
// all messages are encrypted. Its methods may be called from any goroutine.
type Broker interface {
	// Request sends a request to one subscriber of subject and returns the reply, without keeping
	// either. If there is no subscriber or no broker, it returns ErrNoWorker at once. Other errors
	// are ctx's and ErrDenied. After any other error the request may have arrived.
	Request(ctx context.Context, subject string, request []byte) (reply []byte, err error)

	// Subscribe calls receive with each message to subject, one at a time, also after a reconnect,
	// until stop is called. receive must return soon and not keep the message. It may still run
	// when stop returns.
	Subscribe(subject string, receive func(message []byte)) (stop func(), err error)
}

// ErrNoWorker is a Broker's error if nobody can have received the request.
var ErrNoWorker = errors.New("remote: no worker listens")

// ErrDenied is wrapped by a Broker's error if the broker denies the client access or the subject.
var ErrDenied = errors.New("remote: the broker does not let this client ask")

// DefaultSubject begins the subjects of a fleet unless NATSOptions.Subject names another.
const DefaultSubject = "fount.v1"

// NATSOptions set up a NATSClient. A zero field means the default beside it.
type NATSOptions struct {
	// Subject is the fleet's. Default: DefaultSubject.
	Subject string

	// Timeout and Calls are those of HTTPOptions.
	Timeout time.Duration
	Calls   int
}

// A NATSClient verifies and hashes passwords on a fleet's workers, over a broker that can neither
// read a password nor forge an answer; see docs/threat-model.md.
//
// A call draws two workers at random and asks the one that publishes the shorter wait. If it
// refuses, is gone or is silent for half the time, the call asks one other, so a password may be
// verified twice. Every call ends within its deadline, with an answer or an Error. The Error is
// password.ErrNotBegun as HTTPClient's is; for that the client believes the broker that nobody
// listens, and an unencrypted refusal that the worker has not opened the request.
//
// Its methods may be called from any goroutine.
type NATSClient struct {
	*client
	broker  Broker
	key     fleet.PublicKey
	subject fleet.Subject
	stop    func() // ends the subscription
}

var _ password.Verifier = (*NATSClient)(nil)

// NATS returns a client of the fleet with a public key, which is one line of text. It subscribes to
// the workers' news.
func NATS(b Broker, publicKey string, o NATSOptions) (*NATSClient, error) {
	core, err := newClient("NATSOptions", o.Timeout, o.Calls, isLastingOverNATS)
	if err != nil {
		return nil, err
	}
	key, err := fleet.ParsePublicKey(publicKey)
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}

	c := &NATSClient{client: core, broker: b, key: key, subject: fleet.Subject(cmp.Or(o.Subject, DefaultSubject))}
	// The queue group is asked if no news of a worker has come, or none is left.
	core.servers.list = []*server{{name: "the fleet at " + string(c.subject), send: c.sender(c.subject.Any()), lastResort: true}}

	stop, err := b.Subscribe(c.subject.News(), c.receive)
	if err != nil {
		return nil, fmt.Errorf("remote: news of the workers: %w", err)
	}
	c.stop = sync.OnceFunc(stop)
	return c, nil
}

// Close does what HTTPClient.Close does. It does not close the broker's connection.
func (c *NATSClient) Close(ctx context.Context) error {
	defer c.stop()
	return c.client.Close(ctx)
}

// maxWorkers bounds the workers that a client knows. Forged news can use it up, until it expires.
const maxWorkers = 1024

// receive learns from a message that is published as news.
func (c *NATSClient) receive(message []byte) {
	n, err := fleet.ParseNews(message)
	if err != nil {
		return
	}

	now := time.Now()
	c.servers.mu.Lock()
	defer c.servers.mu.Unlock()

	name := "worker " + n.Worker.String()
	list := slices.DeleteFunc(c.servers.list, func(s *server) bool {
		drains := n.Draining && s.name == name
		isQuiet := now.Sub(s.heard) > fleet.NewsQuiet
		return !s.lastResort && (drains || isQuiet)
	})
	i := slices.IndexFunc(list, func(s *server) bool { return s.name == name })
	if i < 0 && !n.Draining && len(list) <= maxWorkers { // the last resort is in the list, and no worker
		i = len(list)
		list = append(list, &server{name: name, send: c.sender(c.subject.Worker(n.Worker))})
	}
	if i >= 0 {
		list[i].report(now, n.Wait)
	}
	c.servers.list = list
}

var ops = map[string]fleet.Op{api.PathVerify: fleet.Verify, api.PathHash: fleet.Hash}

// sender returns a sender to those who listen to a subject.
func (c *NATSClient) sender(subject string) sender {
	return func(ctx context.Context, path string, q api.Request) (response, error) {
		body := encode(ctx, path, q)
		request, replyKey, err := c.key.Seal(ops[path], body)
		clear(body)
		if err != nil {
			return response{}, notSent{err}
		}
		defer replyKey.Wipe()

		reply, err := c.broker.Request(ctx, subject, request)
		if errors.Is(err, ErrNoWorker) {
			return response{}, notSent{err}
		}
		if err != nil {
			return response{}, err
		}

		status, body, err := replyKey.Open(reply)
		if errors.As(err, new(fleet.Refusal)) { // no worker has opened it
			err = notSent{err}
		}
		return response{status: status, body: body}, err
	}
}

// isLastingOverNATS reports whether the broker or a worker will reject each retry as well.
func isLastingOverNATS(err error) bool {
	refusal, refused := errors.AsType[fleet.Refusal](err)
	return errors.Is(err, ErrDenied) || refused && refusal != fleet.Busy
}
