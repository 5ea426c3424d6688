// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// What a dashboard asks.

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// A board is a dashboard of Grafana, as far as it is drawn.
type board struct {
	Title      string
	Panels     []panel
	Templating struct {
		List []struct {
			Name, Type string
			Query      any // of type query, a string
		}
	}
}

// A panel is one of type timeseries or stat, or a row.
type panel struct {
	Title, Type string
	FieldConfig struct {
		Defaults struct {
			Unit       string
			Thresholds struct {
				Steps []struct {
					Color string
					Value *float64
				}
			}
		}
	}
	Targets []struct {
		Expr, LegendFormat string
	}
}

func parseBoard(text []byte) (b board, err error) {
	if err := json.Unmarshal(text, &b); err != nil {
		return board{}, err
	}
	if len(b.queries()) == 0 {
		return board{}, errors.New("no panel has a query")
	}
	return b, nil
}

// queries are those of all panels.
func (b board) queries() (all []string) {
	for _, p := range b.Panels {
		for _, t := range p.Targets {
			all = append(all, t.Expr)
		}
	}
	return all
}

// aChoice is the query of a variable's values.
var aChoice = regexp.MustCompile(`^label_values\((.*), \w+\)$`)

// choices are the series whose labels are the values of variables.
func (b board) choices() (all []string) {
	for _, v := range b.Templating.List {
		if v.Type == "query" {
			text := fmt.Sprint(v.Query)
			if m := aChoice.FindStringSubmatch(text); m != nil {
				text = m[1]
			}
			all = append(all, text)
		}
	}
	return all
}

// expanded is a query in which all of each variable is chosen, and rates are over four scrapes, as Grafana has them.
func expanded(query string, scrape time.Duration) (string, error) {
	rate := fmt.Sprintf("%dms", 4*scrape.Milliseconds())
	query = strings.NewReplacer("$__rate_interval", rate, "$instance", ".*", "$pool", ".*").Replace(query)
	if at := strings.IndexByte(query, '$'); at >= 0 {
		return "", fmt.Errorf("%s: an unknown variable", query[at:])
	}
	return query, nil
}
