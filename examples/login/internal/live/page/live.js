// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

'use strict'

const kept = 120 // samples: a minute
const height = 200
const names = { naive: 'x/crypto in each handler', semaphore: 'x/crypto, as many at once as processors' }
const color = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()
const say = (id, text) => { document.getElementById(id).textContent = text }
const charts = {}
let samples = []

// draw makes one chart; log is for times that differ by powers of ten.
function draw (id, label, lines, log) {
  const box = document.getElementById(id)
  box.setAttribute('role', 'img')
  box.setAttribute('aria-label', label)
  const axis = { stroke: () => color('soft'), grid: { stroke: () => color('line'), width: 1 }, ticks: { show: false } }
  const powers = [1, 10, 100, 1000, 10000, 100000]
  const values = log
    ? { distr: 3, range: (u, min, max) => [1, powers.find(p => p >= Math.max(1000, max || 0)) || 100000] }
    : { range: (u, min, max) => [0, Math.max(1, (max || 0) * 1.1)] }
  charts[id] = new uPlot({
    width: box.clientWidth,
    height,
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: false, range: () => [-kept / 2, 0] }, y: values },
    axes: [{ ...axis, space: 60, size: 32, values: (u, ticks) => ticks.map(t => t + ' s') }, { ...axis, size: 56, ...(log && { splits: () => powers, values: () => powers.map(p => p.toLocaleString('en')) }) }],
    series: [{}, ...lines.map(l => ({ stroke: () => color(l), width: l === 'pool' ? 3 : 2, dash: l === 'demand' ? [6, 5] : undefined, points: { show: false }, spanGaps: true }))]
  }, [[], ...lines.map(() => [])], box)
  new ResizeObserver(() => charts[id].setSize({ width: box.clientWidth, height })).observe(box)
}

const per = n => (n > 0 && n < 9.95 ? n.toFixed(1) : Math.round(n)) + ' /s'
const ms = n => n == null ? '–' : n < 10 ? n.toFixed(1) + ' ms' : Math.round(n).toLocaleString('en') + ' ms'

// smooth is the mean of two seconds up to each sample: how many come in half a second is chance.
const smooth = values => values.map((v, i) => {
  const last = values.slice(Math.max(0, i - 3), i + 1)
  return v == null ? null : last.reduce((sum, v) => sum + v, 0) / last.length
})

function show () {
  const last = samples.at(-1)
  if (!last) return
  const x = samples.map(s => s.time - last.time)
  const of = (i, what) => samples.map(s => s.services[i][what])
  charts.goodput.setData([x, smooth(samples.map(s => s.demand)), smooth(of(1, 'goodput')), smooth(of(0, 'goodput'))])
  charts.wait.setData([x, of(1, 'wait'), of(0, 'wait')])
  charts.cpu.setData([x, smooth(of(1, 'cpu')), smooth(of(0, 'cpu'))])
  charts.me.setData([x, ...[1, 0].map(i => of(i, 'me').map(v => v == null ? null : Math.max(1, v)))])
  // The cards say the mean of two seconds, or the slowest of them: half a second is too short to be read.
  const recent = samples.slice(-4)
  const mean = of => recent.reduce((sum, s) => sum + of(s), 0) / recent.length
  for (const [i, id] of ['pool', 'rival'].entries()) {
    for (const what of ['goodput', 'refused', 'late']) document.querySelector(`#${id} .${what}`).textContent = per(mean(s => s.services[i][what]))
    document.querySelector(`#${id} .me`).textContent = ms(recent.map(s => s.services[i].me).reduce((a, b) => b == null ? a : Math.max(a ?? 0, b), null))
  }
  say('came', `${Math.round(mean(s => s.demand))} people a second come to sign in.`)
  say('state', '') // which screen readers say: not twice a second
  document.body.dataset.samples = samples.length
}

function press (demand) {
  for (const b of document.querySelectorAll('#demand button')) b.setAttribute('aria-pressed', Number(b.value) === demand)
}

draw('goodput', 'Sign-ins a second, of the last minute', ['demand', 'rival', 'pool'])
draw('wait', 'Median wait, of the last minute', ['rival', 'pool'])
draw('me', 'Slowest ordinary request, of the last minute', ['rival', 'pool'], true)
draw('cpu', 'Processors in use, of the last minute', ['rival', 'pool'])
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => Object.values(charts).forEach(c => c.redraw()))

const events = new EventSource('events')
events.addEventListener('start', e => {
  const first = JSON.parse(e.data)
  document.querySelector('#rival h2').textContent = names[first.rival]
  say('policy', first.policy)
  say('capacity', Math.round(first.capacity))
  say('patience', first.patience === 1 ? 'a second' : first.patience + ' seconds')
  say('limit', first.limit)
  press(first.demand)
  samples = first.past
  show()
})
events.addEventListener('sample', e => {
  samples = [...samples.slice(1 - kept), JSON.parse(e.data)]
  show()
})
events.onerror = () => {
  say('came', '')
  say('state', 'The program has ended, or can’t be reached.')
}

for (const button of document.querySelectorAll('#demand button')) {
  button.addEventListener('click', async () => {
    const answer = await fetch('demand', { method: 'POST', body: new URLSearchParams({ x: button.value }) })
    if (answer.ok) press(Number(button.value))
  })
}
