// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

'use strict'

const kept = 60 // samples: a minute
const $ = selector => document.querySelector(selector)
const samples = []

function chart (id, lines) {
  const axis = { stroke: '#888', grid: { stroke: '#8884', width: 1 } }
  const box = $('#' + id)
  const plot = new uPlot({
    width: box.clientWidth,
    height: 220,
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: false, range: [-kept, 0] }, y: { range: (u, min, max) => [0, Math.max(1, 1.1 * max)] } },
    axes: [{ ...axis, values: (u, ticks) => ticks.map(t => t + ' s') }, { ...axis, size: 60 }],
    series: [{}, ...lines.map(name => ({ stroke: name, width: 2, dash: name === 'gray' ? [6, 5] : undefined, points: { show: false } }))]
  }, [[], ...lines.map(() => [])], box)
  new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: 220 })).observe(box)
  return plot
}

const answered = chart('answered', ['gray', '#d9620f', '#3a7fd5'])
const other = chart('other', ['#d9620f', '#3a7fd5'])

function show () {
  const last = samples.at(-1)
  const x = samples.map((s, i) => i + 1 - samples.length)
  const of = (way, what) => samples.map(s => s[way][what])
  answered.setData([x, samples.map(s => s.asked), of('goroutines', 'answered'), of('pool', 'answered')])
  other.setData([x, of('goroutines', 'other_ms'), of('pool', 'other_ms')])
  for (const way of ['goroutines', 'pool']) {
    const { answered, late, refused, other_ms: other } = last[way]
    for (const [i, text] of [answered + '/s', late + '/s', refused + '/s', other.toFixed(other < 10 ? 1 : 0) + ' ms'].entries()) {
      document.querySelectorAll(`#${way} dd`)[i].textContent = text
    }
  }
  $('output').textContent = last.asked
  $('[role=status]').textContent = ''
}

// The slider goes from one login a second to a thousand, by powers of ten.
const range = $('input')
range.addEventListener('change', () => fetch('rate?x=' + Math.round(10 ** (3 * range.value / 100)), { method: 'POST' }))

const events = new EventSource('events')
events.onmessage = e => {
  const second = JSON.parse(e.data)
  if (!second) return // the first is not over
  samples.push(second)
  if (samples.length === 1) range.value = 100 / 3 * Math.log10(samples[0].asked)
  samples.splice(0, samples.length - kept)
  show()
}
events.onerror = () => { $('[role=status]').textContent = 'The program has ended.' }
