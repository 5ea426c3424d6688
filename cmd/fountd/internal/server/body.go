// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"fount/remote/api"
)

// firstRoom is the room that a body of unknown length gets at first, in bytes: nearly all have fewer. More comes as it
// arrives, so that a client can't have room made by announcing a length.
const firstRoom = 2 << 10

// readBody reads a request's body as a whole, at most api.MaxRequest bytes, into memory that the caller wipes. It reads on to
// the end, for only then net/http watches whether the client leaves.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, reason api.Reason, detail string) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil || kind != api.MediaType:
		return nil, api.ReasonMediaType, "the Content-Type is not " + api.MediaType
	case r.Header.Get("Content-Encoding") != "":
		return nil, api.ReasonMediaType, "the body has a Content-Encoding; want none"
	case r.ContentLength > api.MaxRequest:
		return nil, api.ReasonTooLarge, tooLarge
	}
	body = make([]byte, 0, firstRoom)
	for {
		if len(body) == cap(body) {
			larger := append(make([]byte, 0, min(2*cap(body), api.MaxRequest+1)), body...)
			clear(body)
			body = larger
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > api.MaxRequest:
			clear(body)
			return nil, api.ReasonTooLarge, tooLarge
		case err == io.EOF:
			http.NewResponseController(w).SetReadDeadline(time.Time{}) // the wait for the answer is no part of requestTime
			return body, "", ""
		case errors.Is(err, os.ErrDeadlineExceeded):
			clear(body)
			return nil, api.ReasonInvalid, "the request did not come within " + requestTime.String()
		case err != nil:
			clear(body)
			return nil, api.ReasonInvalid, "the body did not come as a whole"
		}
	}
}

const tooLarge = "the body is longer than 32768 bytes"
