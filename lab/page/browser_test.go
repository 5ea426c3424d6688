// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The page as a browser shows it. Chromium, where it is installed, opens it in frames of two widths, and a script outside the
// page looks at what it makes of it.

package page

import (
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
)

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

const look = `<!DOCTYPE html><title>frames</title>
<iframe src="report.html" style="width:390px;height:3000px;border:0"></iframe>
<iframe src="report.html" style="width:1200px;height:3000px;border:0"></iframe>
<pre></pre>
<script>
onload = () => {
  document.querySelector("pre").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument;
    return { Frame: frame.clientWidth, Page: page.documentElement.scrollWidth, Sections: page.querySelectorAll("section").length };
  }));
};
</script>
`

// On a telephone and on a wide screen the page is as wide as its frame.
func TestPageInABrowser(t *testing.T) {
	dir := examined(t, "a processor of a long name, with all that its maker writes after it: CPU @ 2.20GHz")
	if err := Make(dir, typed); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "look.html"), []byte(look), 0o644); err != nil {
		t.Fatal(err)
	}
	out := chromium(t, "--window-size=2100,3000", "--virtual-time-budget=20000", "--dump-dom", "file://"+filepath.Join(dir, "look.html"))
	_, found, _ := strings.Cut(string(out), "<pre>")
	found, _, _ = strings.Cut(found, "</pre>")
	var frames []struct{ Frame, Page, Sections float64 }
	if err := json.Unmarshal([]byte(html.UnescapeString(found)), &frames); err != nil || len(frames) != 2 {
		t.Fatalf("%v: %s", err, found)
	}
	for i, width := range []float64{390, 1200} {
		if s := frames[i]; s.Frame != width || s.Page > width || s.Sections < 5 {
			t.Errorf("%+v, want a page of %v with its sections", s, width)
		}
	}
}
