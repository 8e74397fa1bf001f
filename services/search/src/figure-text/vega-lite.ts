import { type CodeText, emptyCodeText } from './code-text.js'
import { dataName } from './data-name.js'
import {
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  objectsIn,
  titleTexts,
} from './json-value.js'
import { splitIdentifier } from './split-identifier.js'
import { vegaLiteCharts } from './vega-lite-charts.js'
import { vegaLiteFeatures } from './vega-lite-features.js'

const depthMax = 12
const viewsMax = 100
const rowsMax = 200
const composed = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'] as const
const prices = ['open', 'high', 'low', 'close']
const operationNames = new Map(
  Object.entries({
    average: 'mean',
    sum: 'sum of',
    count: 'number of records',
    stdev: 'standard deviation of',
  }),
)

export const isVegaLite = (json: Json): json is JsonObject =>
  isObject(json) && ('encoding' in json || 'mark' in json || composed.some((key) => key in json))

/** What a specification of Vega-Lite says. Its `description` counts as a comment. */
export function readVegaLite(specification: JsonObject): CodeText {
  const text = emptyCodeText()
  let views = 0
  const visit = (view: JsonObject, inherited: JsonObject, depth: number) => {
    if (depth > depthMax || ++views > viewsMax) return
    const encoding = { ...inherited, ...objectOf(view.encoding) }
    text.titles.push(...titleTexts(view.title))
    if (typeof view.description === 'string') text.comments.push(view.description)
    readMark(view.mark, encoding, text)
    for (const [name, channel] of Object.entries(objectOf(view.encoding))) {
      for (const each of objectsIn(channel)) readChannel(name, each, text)
    }
    readChannel('facet', objectOf(view.facet), text)
    for (const channel of Object.values(objectOf(view.facet)))
      readChannel('facet', objectOf(channel), text)
    text.features.push(...vegaLiteFeatures(view))
    readData(objectOf(view.data), text)
    for (const step of objectsIn(view.transform)) readTransform(step, text)
    for (const key of composed) {
      for (const child of objectsIn(view[key])) visit(child, encoding, depth + 1)
    }
  }
  visit(specification, {}, 0)
  if (prices.every((price) => text.fields.includes(price))) text.charts.unshift('candlestick chart')
  return text
}

function readMark(mark: Json | undefined, encoding: JsonObject, text: CodeText) {
  const definition = objectOf(mark)
  const type = typeof mark === 'string' ? mark : definition.type
  if (typeof type !== 'string') return
  text.charts.push(...vegaLiteCharts(type, definition, encoding))
  if (definition.tooltip) text.features.push('tooltip')
}

function readChannel(name: string, channel: JsonObject, text: CodeText) {
  for (const owner of [
    channel,
    objectOf(channel.axis),
    objectOf(channel.legend),
    objectOf(channel.header),
  ]) {
    text.titles.push(...titleTexts(owner.title))
  }
  if (name === 'text' && typeof channel.value === 'string') text.titles.push(channel.value)
  if (typeof channel.datum === 'string') text.values.push(channel.datum)
  const words = [...operationsOf(channel), ...fieldNames(channel.field)]
  if (words.length > 0) text.fields.push(words.join(' '))
  if (Array.isArray(channel.sort)) addValues(channel.sort, text)
  const { domain, scheme } = objectOf(channel.scale)
  if (Array.isArray(domain)) addValues(domain, text)
  if (
    objectOf(channel.scale).domainMid !== undefined ||
    /redblue|spectral|brbg|prgn|piyg|puor|rdy/i.test(String(scheme))
  ) {
    text.features.push('diverging color scale')
  }
}

const operationsOf = ({ aggregate, bin, timeUnit }: JsonObject): string[] => [
  ...(typeof aggregate === 'string' ? [operationNames.get(aggregate) ?? aggregate] : []),
  ...Object.entries(objectOf(aggregate)).flatMap(([name, field]) => [
    name === 'argmax' ? 'highest' : name === 'argmin' ? 'lowest' : name,
    ...fieldNames(field),
  ]),
  ...(bin ? ['binned'] : []),
  ...(typeof timeUnit === 'string' ? [timeUnitWords(timeUnit)] : []),
]

/** `utcyearmonth` is `year month`. */
const timeUnitWords = (unit: string) =>
  (
    unit.match(/year|quarter|month|week|dayofyear|day|date|hours|minutes|seconds|milliseconds/g) ??
    []
  ).join(' ')

const fieldNames = (field: Json | undefined): string[] =>
  typeof field === 'string'
    ? [splitIdentifier(field)]
    : Array.isArray(field)
      ? field.flatMap(fieldNames)
      : []

function readData({ url, values, name }: JsonObject, text: CodeText) {
  if (typeof url === 'string') text.data.push(dataName(url))
  if (typeof name === 'string') text.data.push(splitIdentifier(name))
  const rows = objectsIn(values).slice(0, rowsMax)
  if (rows.length > 0) text.features.push('inline data')
  for (const row of rows) addValues(Object.values(row), text)
  for (const key of Object.keys(rows[0] ?? {})) text.fields.push(splitIdentifier(key))
}

function readTransform(step: JsonObject, text: CodeText) {
  const operations = ['aggregate', 'joinaggregate', 'window'].flatMap((key) => objectsIn(step[key]))
  for (const { op, field, as } of operations) {
    const name = typeof op === 'string' ? (operationNames.get(op) ?? op) : ''
    text.fields.push([name, ...fieldNames(field)].join(' '), ...fieldNames(as))
  }
  for (const key of ['as', 'groupby', 'fold', 'timeUnit'] as const) {
    text.fields.push(...fieldNames(step[key]))
  }
  for (const key of [
    'regression',
    'loess',
    'density',
    'quantile',
    'impute',
    'lookup',
    'sequence',
  ]) {
    if (key in step) text.features.push(key)
  }
  if (typeof step.calculate === 'string') addValues(quoted(step.calculate), text)
  if (typeof step.filter === 'string') addValues(quoted(step.filter), text)
}

const quoted = (expression: string) =>
  [...expression.slice(0, 2000).matchAll(/'([^']{2,100})'|"([^"]{2,100})"/g)].map(
    ([, a, b]) => a ?? b ?? '',
  )

function addValues(values: Json[], text: CodeText) {
  for (const value of values.slice(0, rowsMax)) {
    if (typeof value === 'string' && /\p{L}{2}/u.test(value) && value.length <= 200)
      text.values.push(value)
  }
}
