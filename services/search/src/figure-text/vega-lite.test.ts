import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from './json-value.js'
import { isVegaLite, readVegaLite } from './vega-lite.js'

const quantity = (field: string) => ({ field, type: 'quantitative' })
const category = (field: string) => ({ field, type: 'nominal' })
const charts = (specification: JsonObject) => readVegaLite(specification).charts.join('; ')

test('names charts by their marks and encodings', () => {
  const [x, y] = [quantity('Horsepower'), quantity('Miles_per_Gallon')]
  assert.equal(charts({ mark: 'point', encoding: { x, y } }), 'scatter plot')
  assert.match(charts({ mark: 'circle', encoding: { x, y, size: y } }), /bubble plot/)
  assert.match(charts({ mark: 'bar', encoding: { x: category('a'), y } }), /^bar chart$/)
  assert.match(charts({ mark: 'bar', encoding: { x, y: category('a') } }), /horizontal/)
  const counted = { x: { bin: true, field: 'a' }, y: { aggregate: 'count' } }
  assert.equal(charts({ mark: { type: 'bar' }, encoding: counted }), 'histogram')
  const stacked = { x: category('a'), y, color: category('b') }
  assert.match(charts({ mark: 'bar', encoding: stacked }), /stacked bar chart/)
  assert.match(
    charts({ mark: 'rect', encoding: { x: category('a'), y: category('b') } }),
    /heatmap/,
  )
  assert.match(charts({ mark: { type: 'arc', innerRadius: 50 }, encoding: {} }), /donut/)
  assert.match(charts({ mark: 'geoshape' }), /map/)
  assert.match(charts({ mark: 'line', encoding: { x: { timeUnit: 'year' }, y } }), /over time/)
})

test('views inherit the encoding of a layer', () => {
  const layer = [{ mark: 'rule' }, { mark: 'bar' }]
  const encoding = { x: category('date'), y: quantity('low'), y2: { field: 'high' } }
  const fields = [
    { calculate: '1', as: 'open' },
    { calculate: '1', as: 'close' },
  ]
  const specification = { layer, encoding, transform: fields }
  assert.match(charts(specification), /^candlestick chart; rule lines; ranged bar chart/)
})

test('collects titles, columns with their operations, data, constants and the behavior', () => {
  const text = readVegaLite({
    title: { text: 'Weather', subtitle: ['in', 'Seattle'] },
    data: { url: 'data/seattle-weather.csv' },
    params: [{ name: 'brush', select: { type: 'interval' } }],
    transform: [{ filter: "datum.city !== 'Tacoma'" }],
    hconcat: [
      {
        mark: { type: 'bar', tooltip: true },
        encoding: {
          x: { timeUnit: 'utcyearmonth', field: 'date', axis: { title: 'Month' } },
          y: { aggregate: 'mean', field: 'max_temp' },
        },
      },
    ],
  })
  assert.deepEqual(text.titles, ['Weather', 'in', 'Seattle', 'Month'])
  assert.deepEqual(text.fields, ['year month date', 'mean max temp'])
  assert.deepEqual(text.data, ['seattle weather'])
  assert.deepEqual(text.values, ['Tacoma'])
  assert.match(text.features.join('; '), /horizontally.*interactive; brush.*tooltip/)
})

test('survives values of any type, and names of built-in properties', () => {
  const odd = [null, 1, 'constructor', ['toString'], { type: 'constructor' }, { type: {} }]
  for (const value of odd) {
    const keys = [
      'mark',
      'encoding',
      'data',
      'transform',
      'params',
      'layer',
      'title',
      'facet',
      'resolve',
    ]
    const specification = Object.fromEntries(keys.map((key) => [key, value]))
    assert.ok(isVegaLite(specification))
    const { charts } = readVegaLite(specification)
    for (const chart of charts) assert.equal(typeof chart, 'string')
    const encoding = { x: { aggregate: value, field: value, timeUnit: value, scale: value } }
    for (const field of readVegaLite({ mark: 'bar', encoding }).fields)
      assert.equal(typeof field, 'string')
  }
})

test('stops at a depth and at a number of views', () => {
  let deep: JsonObject = { mark: 'bar' }
  for (let n = 0; n < 5000; n++) deep = { layer: [deep] }
  assert.deepEqual(readVegaLite(deep).charts, [])
  const wide = { layer: Array.from({ length: 10_000 }, () => ({ mark: 'geoshape' })) }
  assert.ok(readVegaLite(wide).charts.length < 1000)
})
