// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package docs has no code. Its figures are those of report/report.json, which fount report made:
// go generate writes them into the documents, and makes the report's page anew.
package docs

//go:generate go run fount/cmd/internal/lab/quote report/report.json ../README.md performance.md claims.md design.md load.md
//go:generate go run fount/cmd/fount report -o report --from report/report.json
