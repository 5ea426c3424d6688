// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Workers that are processes: the child's side.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Serve is what a process of a Run does: it binds itself to the core that it is told, takes tasks from in, one JSON
// object a line, and answers on out, until in ends. It is for a Run's Program only.
func Serve(in io.Reader, out io.Writer) error {
	dec, enc := json.NewDecoder(in), json.NewEncoder(out)
	var at post
	if err := dec.Decode(&at); err != nil {
		return fmt.Errorf("a core: %w", err)
	}
	if err := pin(at.CPU); err != nil {
		return err
	}
	for {
		var t task
		if err := dec.Decode(&t); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("a task: %w", err)
		}
		if err := serve(t, dec, enc); errors.Is(err, io.EOF) {
			return nil // the parent ended in the middle
		} else if err != nil {
			return err
		}
	}
}

// serve does one task. A method that can't be opened is told in place of being ready, and nothing follows.
func serve(t task, dec *json.Decoder, enc *json.Encoder) error {
	found := Matching(func(name string) bool { return name == t.Method })(t.setting())
	if len(found) == 0 {
		return enc.Encode(tally{Err: fmt.Sprintf("unknown method %q", t.Method)})
	}
	src, err := found[0].Open()
	if err != nil {
		return enc.Encode(tally{Err: err.Error()})
	}
	defer src.Close()
	var told error
	result := t.run(src, func() {
		if told = enc.Encode(tally{}); told != nil {
			return
		}
		var start int64
		if told = dec.Decode(&start); told != nil {
			return
		}
		for time.Now().UnixNano() < start {
		}
	})
	if told != nil {
		return told
	}
	return enc.Encode(result)
}
