// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleetnode

import (
	"time"

	"fount/internal/fleet"
)

// ID returns the worker's: it listens for requests on fleet.Subject.Worker(ID) too.
func (n *Node) ID() fleet.WorkerID { return n.id }

// News returns what clients must know of the worker to choose it. It is to be published every 100 ms, on connecting, and when Drain
// begins.
func (n *Node) News(now time.Time) []byte {
	return n.look(now).AppendTo(nil, fleet.MaxNews)
}

// look returns the news of now.
func (n *Node) look(now time.Time) fleet.News {
	news := fleet.News{Worker: n.id}
	if n.estimates != nil {
		e := n.estimates() // with no lock held: it takes the pool's
		news.Wait = e.Wait
		for _, k := range e.Kinds {
			news.Kinds = append(news.Kinds, fleet.Estimate{Cost: fleet.CostOfPolicy(k.Policy), Alone: k.Alone, Drain: k.Drain})
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	news.Draining = n.closing
	return news
}
