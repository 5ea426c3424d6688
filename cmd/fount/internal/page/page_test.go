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

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/files"
	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/nonce"
	"fount/cmd/internal/lab/password"
	"fount/cmd/internal/lab/scale"
	"fount/internal/test/require"
)

// studies have a headline each.
var studies = []lab.Study{nonce.Study, scale.Study, password.Study, logins.Study, files.Study(files.Servers{})}

// results answer all questions, on a machine whose name is a script. The table of the first study
// has more columns than are shown, an error, and figures that are not known.
func results(share measure.Share) (list []lab.Result) {
	evil := `</title><script>document.body.innerHTML = ""</script> of a long name, with all that its maker writes after it`
	for _, s := range studies {
		h := s.Headline
		first := lab.Column{Name: "first", Unit: h.Unit, Judged: true, Clock: h.Unit == ""}
		g := lab.Group{Name: h.Group + evil, Share: share, Columns: []lab.Column{first}}
		for i, b := range h.Bars {
			verdict := &lab.Verdict{Ratio: lab.Figure{Value: float64(6-i) / 6}, Is: lab.Below}
			if share > 1 {
				verdict.Is = lab.NotJudged
			}
			g.Rows = append(g.Rows, lab.Row{Name: b.Row, Base: 0, Figures: []*lab.Figure{lab.Of(float64(6 - i))}, Verdict: verdict})
		}
		list = append(list, lab.Result{
			Study: s.Name, Command: evil, Machine: machine.Facts{CPU: evil}, Groups: []lab.Group{g}, Notes: []string{evil},
		})
	}

	wide := &list[0].Groups[0]
	wide.Rows = append(wide.Rows, lab.Row{Name: evil, Error: evil},
		lab.Row{Name: "aMethodOfAVeryLongNameWithoutASpaceInIt", Figures: []*lab.Figure{nil}})
	for range 8 {
		wide.Columns = append(wide.Columns, lab.Column{Name: "one more", Unit: "sec"})
		for i := range 3 {
			wide.Rows[i].Figures = append(wide.Rows[i].Figures, lab.Of(1, 2, 3, 4, 5, 1e12))
		}
	}
	return list
}

// The figure of a finding is the ratio of its rows, if the machine was quiet.
func TestFindings(t *testing.T) {
	for share, want := range map[measure.Share][]string{
		0.95: {"1.50×", "0.83×", "1.50×", "3", "5"},
		0.5:  {"1.50×", "?", "1.50×", "?", "?"},
		1.1:  {"?", "?", "?", "3", "5"}, // in one round
	} {
		list := findings(studies, results(share))
		if len(list) != len(want) {
			t.Fatalf("%d findings, want %d", len(list), len(want))
		}
		for i, f := range list {
			if f.Figure != want[i] || (f.Figure == "?") != (f.Drawn == nil) {
				t.Errorf("share %v, %s: %s and %d bars, want %s", share, f.Study, f.Figure, len(f.Drawn), want[i])
			}
		}
	}
}

// On a telephone and on a wide screen the page is as wide as its frame, the first screen has all
// findings, no table is cut off or has more than seven columns, and what a machine says of itself
// is no part of the page's code.
func TestPageInABrowser(t *testing.T) {
	dir := t.TempDir()
	var page bytes.Buffer
	require.NoError(t, Write(&page, studies, results(0.95)))

	for name, content := range map[string][]byte{"report.html": page.Bytes(), "look.html": []byte(look)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	out := chromium(t, "--window-size=2100,3000", "--virtual-time-budget=20000", "--dump-dom", "file://"+filepath.Join(dir, "look.html"))
	_, found, _ := strings.Cut(string(out), "<pre>")
	found, _, _ = strings.Cut(found, "</pre>")

	var frames []struct{ Frame, Page, Cells, Columns, Sections, Rows, Figures, Charts float64 }
	if err := json.Unmarshal([]byte(html.UnescapeString(found)), &frames); err != nil || len(frames) != 2 {
		t.Fatalf("%v: %s", err, found)
	}

	for i, width := range []float64{390, 1280} {
		s := frames[i]
		if s.Frame != width || s.Page > width || s.Cells > width || s.Columns > 7 || s.Sections != 5 || s.Rows != 25 {
			t.Errorf("%+v, want a page of %v with 5 sections and 25 rows", s, width)
		}
		if s.Figures > 844 || width > 1000 && s.Charts > 844 {
			t.Errorf("%+v, want the findings on the first screen of %v", s, width)
		}
	}
}

const look = `<!DOCTYPE html><title>frames</title>
<iframe src="report.html" style="width:390px;height:844px;border:0"></iframe>
<iframe src="report.html" style="width:1280px;height:844px;border:0"></iframe>
<pre></pre>
<script>
onload = () => {
  document.querySelector("pre").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, all = what => [...page.querySelectorAll(what)];
    all("details").forEach(d => d.open = true);
    const end = (what, side) => Math.max(...all(what).map(e => e.getBoundingClientRect()[side]));
    return { Frame: frame.clientWidth, Page: page.documentElement.scrollWidth, Cells: end("th, td", "right"),
      Columns: Math.max(...all("tr").map(row => row.cells.length)), Sections: all("section").length, Rows: all("tbody tr").length,
      Figures: end(".figure", "bottom"), Charts: end("figure", "bottom") };
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
