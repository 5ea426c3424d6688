// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"fount/lab"
	"fount/lab/hashes"
	"fount/lab/logins"
	"fount/lab/model"
	"fount/lab/nonce"
	"fount/lab/recovery"
	"fount/lab/scale"
	"fount/lab/seeds"
	"fount/lab/source"
)

// studies are those of fount bench and of fount report, in their order.
var studies = []lab.Study{
	nonce.Study,
	source.Study,
	seeds.Study,
	scale.Study,
	scale.Tail,
	model.Study,
	hashes.Study,
	logins.Study,
	recovery.Study,
}
