import { chartOfCall } from './chart-calls.js'
import { type CodeText, emptyCodeText } from './code-text.js'
import {
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  objectsIn,
  titleTexts,
} from './json-value.js'

const tracesMax = 200

export const isPlotly = (json: Json): json is JsonObject =>
  isObject(json) &&
  Array.isArray(json.data) &&
  (isObject(json.layout) || objectsIn(json.data).some(({ type, x, y }) => !!type && !!(x ?? y)))

/** What a figure of Plotly in JSON says. */
export function readPlotly({ data, layout }: JsonObject): CodeText {
  const text = emptyCodeText()
  for (const trace of objectsIn(data).slice(0, tracesMax)) {
    const type = typeof trace.type === 'string' ? trace.type : 'scatter'
    const isLine = /^scatter(gl)?$/.test(type) && !/^markers/.test(String(trace.mode ?? ''))
    text.charts.push(isLine ? 'line chart' : (chartOfCall(type) ?? type))
    if (trace.orientation === 'h') text.charts.push('horizontal')
    if (trace.error_y || trace.error_x) text.features.push('error bars')
    text.titles.push(...titleTexts(trace.name), ...titleTexts(objectOf(trace.colorbar).title))
    for (const key of ['x', 'y', 'labels', 'text', 'locations'] as const) {
      const values = trace[key]
      if (!Array.isArray(values)) continue
      for (const value of values.slice(0, tracesMax))
        if (typeof value === 'string') text.values.push(value)
    }
  }
  const settings = objectOf(layout)
  text.titles.push(...titleTexts(settings.title))
  for (const [key, axis] of Object.entries(settings)) {
    if (/^[xyz]axis\d*$|^coloraxis|^legend$|^scene$/.test(key))
      text.titles.push(...titleTexts(objectOf(axis).title))
  }
  for (const { text: note } of objectsIn(settings.annotations))
    text.titles.push(...titleTexts(note))
  if (settings.barmode === 'stack') text.charts.push('stacked bar chart')
  if (settings.barmode === 'group') text.charts.push('grouped bar chart')
  return text
}
