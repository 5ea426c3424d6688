// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix && !plan9 && !js

package top

// Systems without job control.

import tea "charm.land/bubbletea/v2"

func suspend() tea.Msg { return nil }
