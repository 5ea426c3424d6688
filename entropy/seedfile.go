// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import "fount/internal/seedfile"

// seedFileSource lists the seed file, which package pools reads and mixes itself.
var seedFileSource = source{
	name:    "seed file",
	passive: true,
	absent:  seedfile.Absent,
	given:   seedfile.Bytes,
	fill:    func([]byte) (int, error) { return 0, errDry },
}
