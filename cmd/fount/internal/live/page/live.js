// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

'use strict'

const kept = 60 // samples: a minute
const $ = selector => document.querySelector(selector)
const samples = []

// The ways by their names in the figures; those that are in none are not shown.
let ways = [
  ['goroutines', 'A goroutine for each login', 'golang.org/x/crypto’s bcrypt, one at a time on a core'],
  ['semaphore', 'A semaphore with a bounded queue', 'golang.org/x/crypto’s bcrypt, one at a time on a core'],
  ['pool', 'fount’s pool', 'fount’s bcrypt, several at once on a core']
]
let answered, other

const time = ms => ms >= 1000 ? (ms / 1000).toFixed(1) + ' s' : ms.toFixed(ms && ms < 10 ? 1 : 0) + ' ms'

function add (to, tag, html, way) {
  to.insertAdjacentHTML('beforeend', `<${tag} class="${way}">${html}</${tag}>`)
  return to.lastElementChild
}

function chart (id, lines, text) {
  const axis = { stroke: () => getComputedStyle(document.body).color, grid: { stroke: '#8884', width: 1 } }
  const box = $('#' + id)
  const plot = new uPlot({
    width: box.clientWidth,
    height: 220,
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: false, range: [-kept, 0] }, y: { range: (u, min, max) => [0, Math.max(1, 1.1 * max)] } },
    axes: [
      { ...axis, values: (u, ticks) => ticks.map(t => t + ' s') },
      { ...axis, size: 70, values: (u, ticks) => ticks.map(text) }
    ],
    series: [{}, ...lines.map(line => ({
      stroke: () => getComputedStyle(line, '::before').borderTopColor,
      width: 2,
      dash: line.id ? [6, 5] : undefined,
      points: { show: false }
    }))]
  }, [[], ...lines.map(() => [])], box)
  new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: 220 })).observe(box)
  return plot
}

// begin makes the table and the charts for the ways of the first figures.
function begin (second) {
  ways = ways.filter(([way]) => second[way])
  $('#cost').textContent = second.cost
  range.value = 100 / 3 * Math.log10(second.asked)
  for (const [way, name, hash] of ways) {
    add($('tbody'), 'tr', `<th>${name}<small>${hash}</small></th><td><td><td><td>`, way)
  }
  const key = id => ways.map(([way, name]) => add($(`#${id} + .key`), 'li', name, way))
  answered = chart('answered', [$('#came'), ...key('answered')], n => n)
  other = chart('other', key('other'), time)
}

function show () {
  const last = samples.at(-1)
  const x = samples.map((s, i) => i + 1 - samples.length)
  const of = what => ways.map(([way]) => samples.map(s => s[way][what]))
  answered.setData([x, samples.map(s => s.asked), ...of('answered')])
  other.setData([x, ...of('other_ms')])
  const recent = samples.slice(-10)
  for (const [way] of ways) {
    const sum = what => recent.reduce((n, s) => n + s[way][what], 0)
    const counts = ['answered', 'late', 'refused'].map(sum)
    const ended = counts.reduce((a, b) => a + b)
    const texts = counts.map(n => ended ? Math.round(100 * n / ended) + ' %' : '-')
    texts.push(time(Math.max(...recent.map(s => s[way].other_ms))))
    for (const [i, text] of texts.entries()) $(`tr.${way}`).cells[i + 1].textContent = text
  }
  $('#asked').textContent = last.asked
  $('[role=status]').textContent = last.had
}

// The slider goes from one login a second to a thousand, by powers of ten.
const range = $('input')
range.addEventListener('change', () => fetch('rate?x=' + Math.round(10 ** (3 * range.value / 100)), { method: 'POST' }))

const events = new EventSource('events')
events.onmessage = e => {
  const second = JSON.parse(e.data)
  if (!second) return // the first is not over
  if (!samples.length) begin(second)
  samples.push(second)
  samples.splice(0, samples.length - kept)
  show()
}
events.onerror = () => { $('[role=status]').textContent = 'The program has ended.' }
