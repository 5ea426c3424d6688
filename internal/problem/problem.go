// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package problem has what all problem details of fount share: the body of an HTTP answer that is an
// error (RFC 9457).
package problem

import (
	"net/http"
	"time"
)

// MediaType is the media type of problem details in JSON.
const MediaType = "application/problem+json"

// MaxWait is the longest time until the next attempt that an answer names.
const MaxWait = 24 * time.Hour

// Details are the members that tell no more of an error than its status.
type Details struct {
	Type       string `json:"type"`                     // Blank
	Title      string `json:"title"`                    // the status in words
	Status     int    `json:"status"`                   // the HTTP status
	RetryAfter int64  `json:"retry_after_ms,omitempty"` // milliseconds until the next attempt
}

// Blank is the Type of problems whose Title says what the status means.
const Blank = "about:blank"

// New returns the details for a status. It rounds wait up to milliseconds and limits it to MaxWait;
// details without a wait, of 0 or less, have no retry_after_ms.
func New(status int, wait time.Duration) Details {
	wait = min(max(wait, 0), MaxWait)

	return Details{
		Type:       Blank,
		Title:      http.StatusText(status),
		Status:     status,
		RetryAfter: int64((wait + time.Millisecond - 1) / time.Millisecond),
	}
}

// RetryAfterSeconds returns the value of the header Retry-After, rounded up. If 0, it is not sent.
func (d Details) RetryAfterSeconds() int64 { return (d.RetryAfter + 999) / 1000 }
