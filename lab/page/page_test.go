// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/lab"
	"fount/lab/machine"
)

// results are of a machine whose name is a script, with bars, lines, an error, and unknowns.
func results() []lab.Result {
	evil := `</title><script>document.body.innerHTML = ""</script> of a long name, with all that its maker writes after it`
	six := []float64{1, 2, 3, 4, 5, 6}
	bars := lab.Group{Name: evil, Columns: []lab.Column{{Name: "ns", Unit: "ns/op"}, {Name: "p99", Unit: "p99-ns/op"}}, Rows: []lab.Row{
		{Name: evil, Figures: []*lab.Figure{lab.Of(six...), nil}}, {Name: "failed", Error: evil},
		{Name: "aMethodOfAVeryLongNameWithoutASpaceInIt", Figures: []*lab.Figure{lab.Once(3), lab.Once(1e12)}},
	}}
	lines := lab.Group{Name: "lines", X: "cores", Columns: bars.Columns[:1], Rows: []lab.Row{
		{Name: "fount, 1 core", X: 1, Figures: []*lab.Figure{lab.Of(six...)}}, {Name: "fount, 2 cores", X: 2, Figures: []*lab.Figure{lab.Once(9)}},
		{Name: evil, Figures: []*lab.Figure{lab.Once(2)}},
	}}
	return []lab.Result{
		{Study: "one", Command: evil, Machine: machine.Facts{CPU: evil}, Groups: []lab.Group{bars, lines}, Notes: []string{evil}},
		{Study: "two", Groups: []lab.Group{{Name: "empty", X: "cores", Columns: bars.Columns}}},
	}
}

// On a telephone and on a wide screen the page is as wide as its frame, with all its parts, and
// what a machine says of itself is no part of its code.
func TestPageInABrowser(t *testing.T) {
	dir := t.TempDir()
	var page bytes.Buffer
	if err := Write(&page, results()); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"report.html": page.Bytes(), "look.html": []byte(look)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := chromium(t, "--window-size=2100,3000", "--virtual-time-budget=20000", "--dump-dom", "file://"+filepath.Join(dir, "look.html"))
	_, found, _ := strings.Cut(string(out), "<pre>")
	found, _, _ = strings.Cut(found, "</pre>")
	var frames []struct{ Frame, Page, Sections, Rows, Dots float64 }
	if err := json.Unmarshal([]byte(html.UnescapeString(found)), &frames); err != nil || len(frames) != 2 {
		t.Fatalf("%v: %s", err, found)
	}
	for i, width := range []float64{390, 1200} {
		if s := frames[i]; s.Frame != width || s.Page > width || s.Sections != 2 || s.Rows != 6 || s.Dots != 2 {
			t.Errorf("%+v, want a page of %v with 2 sections, 6 rows and 2 lines", s, width)
		}
	}
}

const look = `<!DOCTYPE html><title>frames</title>
<iframe src="report.html" style="width:390px;height:3000px;border:0"></iframe>
<iframe src="report.html" style="width:1200px;height:3000px;border:0"></iframe>
<pre></pre>
<script>
onload = () => {
  document.querySelector("pre").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, count = what => page.querySelectorAll(what).length;
    return { Frame: frame.clientWidth, Page: page.documentElement.scrollWidth, Sections: count("section"), Rows: count("tbody tr"), Dots: count("path.dots") };
  }));
};
</script>
`

// chromium runs the browser without a screen and returns what it prints.
func chromium(t *testing.T, args ...string) []byte {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		require.Skip(t, "chromium", "chromium is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--allow-file-access-from-files", "--user-data-dir=" + t.TempDir()}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return out
}
