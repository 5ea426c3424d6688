// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Prometheus's HTTP API.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fount/lab/show/figure"
)

// A client asks the Prometheus server at url.
type client struct{ url string }

// get asks for a path and puts the answer's data into to.
func (c client) get(ctx context.Context, path string, arguments url.Values, to any) error {
	request, err := http.NewRequestWithContext(ctx, "GET", c.url+path+"?"+arguments.Encode(), nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct {
		Error string
		Data  json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s: %s: %w", path, response.Status, err)
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return json.Unmarshal(answer.Data, to)
}

// A span is the time that is drawn, and how often Prometheus scrapes.
type span struct {
	start, end time.Time
	scrape     time.Duration
}

// step is the time between two points.
func (s span) step() time.Duration { return max(s.scrape, s.end.Sub(s.start)/200) }

// A series is the finite values of one series, by seconds since the start of the span.
type series struct {
	labels map[string]string
	points []figure.Point
}

// over returns the series of a query over a time, those without a finite value left out.
func (c client) over(ctx context.Context, query string, s span) (list []series, err error) {
	at := func(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1e3, 'f', 3, 64) }
	var data struct {
		Result []struct {
			Metric map[string]string
			Values [][2]any
		}
	}
	arguments := url.Values{"query": {query}, "start": {at(s.start)}, "end": {at(s.end)}, "step": {at(time.UnixMilli(s.step().Milliseconds()))}}
	if err := c.get(ctx, "/api/v1/query_range", arguments, &data); err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	for _, r := range data.Result {
		one := series{labels: r.Metric}
		for _, v := range r.Values {
			when, _ := v[0].(float64)
			text, _ := v[1].(string)
			y, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: the value %q", query, text)
			}
			if !math.IsNaN(y) && !math.IsInf(y, 0) {
				one.points = append(one.points, figure.Point{X: when - float64(s.start.UnixMilli())/1e3, Y: y})
			}
		}
		if len(one.points) > 0 {
			list = append(list, one)
		}
	}
	return list, nil
}

// name is a legend's text for the series.
func (s series) name(legend string) string {
	for label, v := range s.labels {
		legend = strings.ReplaceAll(legend, "{{"+label+"}}", v)
	}
	return legend
}
