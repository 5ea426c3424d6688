// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// Who matches errors by methods, as fount/backoff does, finds the time to wait, in the error itself and without a detour.
func TestOverloadedErrorSaysWhen(t *testing.T) {
	err := fmt.Errorf("login: %w", OverloadedError{After: 1300 * time.Millisecond})
	type retryAfter interface {
		error
		RetryAfter() time.Duration
	}
	found, ok := errors.AsType[retryAfter](err)
	if !ok || found.RetryAfter() != 1300*time.Millisecond {
		t.Errorf("RetryAfter is %v, %v; want 1.3s", found, ok)
	}
	if _, ok := found.(OverloadedError); !ok {
		t.Errorf("%T says when to try again, want OverloadedError", found)
	}
	if errors.Unwrap(found) != nil {
		t.Errorf("there is %v behind it, want nothing", errors.Unwrap(found))
	}
}
