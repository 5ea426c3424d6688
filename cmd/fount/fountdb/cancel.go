// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A canceler has the server cancel the query of a context that ends. It asks until the query has ended: PostgreSQL ignores a request
// that comes between two messages of one query, and would compute on until it writes to a connection that is gone.
type canceler struct {
	conn *pgconn.PgConn
	stop context.CancelFunc
	done chan struct{}
}

const (
	cancelEvery = 100 * time.Millisecond
	cancelTime  = 5 * time.Second // after that the connection is given up
)

// HandleCancel and HandleUnwatchAfterCancel make a canceler a ctxwatch.Handler.
func (c *canceler) HandleCancel(context.Context) {
	ctx, stop := context.WithTimeout(context.Background(), cancelTime)
	deadline, _ := ctx.Deadline()
	_ = c.conn.Conn().SetDeadline(deadline) // fails on a closed connection, whose query has ended
	c.stop, c.done = stop, make(chan struct{})
	go func() {
		defer close(c.done)
		tick := time.NewTicker(cancelEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			_ = c.conn.CancelRequest(ctx) // if it does not arrive, the next one may
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	}()
}

// HandleUnwatchAfterCancel is documented with HandleCancel.
func (c *canceler) HandleUnwatchAfterCancel() {
	c.stop()
	<-c.done
	_ = c.conn.Conn().SetDeadline(time.Time{})
}
