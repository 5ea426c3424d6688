// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package hashing

import (
	"context"
	"errors"
	"testing"

	"fount/password"
)

// At the limit a hash is refused, and a place comes back from who ends and from who leaves before a turn.
func TestLimit(t *testing.T) {
	p := &plain{places: make(chan struct{}, 2), turns: make(chan struct{}, 1)}
	left, leave := context.WithCancel(t.Context())
	leave()
	for range 3 {
		end, err := p.begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := p.begin(left); !errors.Is(err, context.Canceled) {
				t.Fatalf("who left before a turn: %v", err)
			}
		}
		p.places <- struct{}{} // somebody waits
		_, err = p.begin(t.Context())
		if _, ok := errors.AsType[password.OverloadedError](err); !ok {
			t.Fatalf("at the limit: %v", err)
		}
		<-p.places
		end()
	}
}
