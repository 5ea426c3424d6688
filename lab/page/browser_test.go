// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The page as a browser shows and prints it. Chromium, where it is installed, opens it in frames of several widths, and a
// script outside the page looks at what it makes of it.

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

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

// A shown is what a browser made of the page in a frame.
type shown struct {
	Frame     float64  // its width
	Page      float64  // the width of the page: more than the frame's must be scrolled to the side
	Letters   float64  // the least height of letters in plots, in pixels
	Plots     int      // that are seen
	Hidden    int      // texts of these plots that are cut off at the edge of theirs
	Scrolling int      // tables that are wider than their box, and scroll in it
	Cut       int      // and those that do not scroll
	Names     []string // of those that scroll
}

const look = `<!DOCTYPE html><title>frames</title>
<iframe src="report.html" style="width:390px;height:3000px;border:0"></iframe>
<iframe src="report.html" style="width:1200px;height:3000px;border:0"></iframe>
<iframe src="broken.html" style="width:390px;height:3000px;border:0"></iframe>
<pre></pre>
<script>
onload = () => {
  document.querySelector("pre").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {
    const d = frame.contentDocument, seen = [...d.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width > 0);
    const texts = seen.flatMap(s => [...s.querySelectorAll("text")].map(t => [s, t]));
    const wide = [...d.querySelectorAll("table")].filter(t => t.scrollWidth > t.parentElement.clientWidth + 1);
    const scrolls = wide.filter(t => ["auto", "scroll"].includes(frame.contentWindow.getComputedStyle(t.parentElement).overflowX));
    return {
      Frame: frame.clientWidth, Page: d.documentElement.scrollWidth, Plots: seen.length,
      Letters: Math.min(...texts.map(([s, t]) => t.getAttribute("font-size") * s.getBoundingClientRect().width / s.viewBox.baseVal.width)),
      Hidden: texts.filter(([s, t]) => { const a = s.getBoundingClientRect(), b = t.getBoundingClientRect();
        return b.left < a.left - 1 || b.right > a.right + 1; }).length,
      Scrolling: scrolls.length, Cut: wide.length - scrolls.length, Names: scrolls.map(t => t.caption.innerText),
    };
  }));
};
</script>
`

// On a telephone the page is as wide as the screen: its plots are drawn anew with letters that can be read, and wide tables
// scroll in a box of their own. On a wide screen nothing scrolls. A page without its rules for telephones has none of this.
func TestPageInABrowser(t *testing.T) {
	dir := copied(t)
	_, raw := pageOf(t, dir)
	without := regexp.MustCompile(`(?s)@media screen and \(max-width.*?\n\}`).ReplaceAll(raw, nil)
	without = bytes.ReplaceAll(without, []byte("overflow-x: auto;"), nil)
	for name, content := range map[string][]byte{"broken.html": without, "look.html": []byte(look)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"--window-size=2100,3000", "--virtual-time-budget=20000", "--dump-dom", "file://" + filepath.Join(dir, "look.html")}
	if keep := os.Getenv("FOUNT_SCREENSHOT"); keep != "" {
		chromium(t, "--window-size=1100,9000", "--screenshot="+keep, "file://"+filepath.Join(dir, Page))
	}
	_, found, _ := strings.Cut(string(chromium(t, args...)), "<pre>")
	found, _, _ = strings.Cut(found, "</pre>")
	var frames []shown
	if err := json.Unmarshal([]byte(html.UnescapeString(found)), &frames); err != nil || len(frames) != 3 {
		t.Fatalf("%v: %s", err, found)
	}
	plots := bytes.Count(raw, []byte("<figure>"))
	if s := frames[0]; s.Frame != 390 || s.Page > 390 || s.Letters < 11 || s.Hidden > 0 || s.Plots != plots || s.Scrolling < 3 || s.Cut > 0 {
		t.Errorf("on a telephone: %+v, want a page of 390, letters of 11, %d plots, and tables that scroll", s, plots)
	}
	if s := frames[1]; s.Frame != 1200 || s.Page > 1200 || s.Letters < 11 || s.Hidden > 0 || s.Plots != plots || s.Scrolling+s.Cut > 0 {
		t.Errorf("on a wide screen: %+v, want a page of 1200 and %d plots; nothing scrolls", s, plots)
	}
	if s := frames[2]; s.Letters > 8 || s.Cut == 0 || s.Page <= 390 { // the negative control
		t.Errorf("without rules for telephones: %+v", s)
	}
}

// Printed, no page but the last is half empty, and none ends with a heading.
func TestPageInPrint(t *testing.T) {
	pdftotext, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed (poppler-utils)")
	}
	dir := copied(t)
	root, _ := pageOf(t, dir)
	pdf := filepath.Join(dir, "report.pdf")
	chromium(t, "--no-pdf-header-footer", "--print-to-pdf="+pdf, "file://"+filepath.Join(dir, Page))
	out, err := exec.Command(pdftotext, "-bbox-layout", pdf, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	heads := map[string]bool{}
	for d := range root.Descendants() {
		if d.Type == html.ElementNode && (d.Data == "h2" || d.Data == "h3" || d.Data == "caption" || d.Data == "code") {
			heads[text(d)] = true
		}
	}
	pages := printed(t, out)
	if len(pages) < 5 {
		t.Fatalf("%d pages", len(pages))
	}
	for i, p := range pages[:len(pages)-1] {
		if p.used < 0.5 {
			t.Errorf("page %d is used to %.0f %%", i+1, 100*p.used)
		}
		if heads[p.last] {
			t.Errorf("page %d ends with %q", i+1, p.last)
		}
	}
}

// A sheet is a printed page: how far down its text goes, and its last line.
type sheet struct {
	used float64
	last string
}

var (
	aPage = regexp.MustCompile(`(?s)<page width="[0-9.]+" height="([0-9.]+)">(.*?)</page>`)
	aLine = regexp.MustCompile(`(?s)<line [^>]*yMax="([0-9.]+)">(.*?)</line>`)
	aWord = regexp.MustCompile(`<word [^>]*>(.*?)</word>`)
)

// printed reads pdftotext's layout.
func printed(t *testing.T, layout []byte) (sheets []sheet) {
	t.Helper()
	for _, page := range aPage.FindAllSubmatch(layout, -1) {
		var height, lowest float64
		var s sheet
		fmt.Sscan(string(page[1]), &height)
		for _, line := range aLine.FindAllSubmatch(page[2], -1) {
			var bottom float64
			fmt.Sscan(string(line[1]), &bottom)
			if bottom < lowest {
				continue
			}
			lowest = bottom
			var words []string
			for _, w := range aWord.FindAllSubmatch(line[2], -1) {
				words = append(words, html.UnescapeString(string(w[1])))
			}
			s.last = strings.Join(words, " ")
		}
		s.used = lowest / height
		sheets = append(sheets, s)
	}
	return sheets
}

// Without a browser: what it needs for all that is on the page.
func TestPageHasRules(t *testing.T) {
	for _, want := range []string{"@media screen and (max-width: 46rem)", ".narrow { display: block; }", "overflow-x: auto", ".head, article, figure, table, tr { break-inside: avoid; }",
		".head, h2, h3, caption, thead { break-after: avoid; }"} {
		if !strings.Contains(pageCSS, want) {
			t.Errorf("the style sheet has no %s", want)
		}
	}
	root, _ := pageOf(t, copied(t))
	for d := range root.Descendants() {
		if d.Type == html.ElementNode && d.Data == "table" && attribute(d.Parent, "class") != "table" {
			t.Errorf("the table %q has no box to scroll in", attribute(d.Parent, "aria-label"))
		}
	}
}
