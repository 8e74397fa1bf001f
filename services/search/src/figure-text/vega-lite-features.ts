import { type JsonObject, objectOf, objectsIn } from './json-value.js'

const compositions: Record<string, string> = {
  hconcat: 'horizontally concatenated charts, side by side',
  vconcat: 'vertically concatenated charts, one above the other',
  concat: 'concatenated charts, dashboard',
  facet: 'trellis, facets, small multiples',
  repeat: 'repeated charts, small multiples',
}

/** How a view of Vega-Lite is composed and what a reader can do with it. */
export function vegaLiteFeatures(view: JsonObject): string[] {
  const { encoding, params, selection, resolve, transform } = view
  const channels = objectOf(encoding)
  const features = Object.keys(compositions).flatMap((key) =>
    view[key] ? [compositions[key] ?? ''] : [],
  )
  if (channels.row || channels.column || channels.facet) {
    features.push(compositions.facet ?? '')
  }
  if (channels.tooltip) features.push('tooltip')
  if (Object.values(objectOf(objectOf(resolve).scale)).includes('independent')) {
    const isLayer = Array.isArray(view.layer)
    features.push(isLayer ? 'dual axis, independent scales' : 'independent scales')
  }
  for (const param of [...objectsIn(params), ...Object.values(objectOf(selection))]) {
    features.push(...parameterFeatures(objectOf(param)))
  }
  for (const { stack, window, bin, timeUnit } of objectsIn(transform)) {
    if (stack) features.push('stacked')
    if (window) features.push('window transform')
    if (bin) features.push('binned')
    if (timeUnit) features.push('time unit')
  }
  return features
}

function parameterFeatures({ select, type, bind, value }: JsonObject): string[] {
  const selected = select ?? type
  const kind = typeof selected === 'string' ? selected : objectOf(selected).type
  const features = ['interactive']
  if (bind === 'scales') features.push('zoom and pan')
  else if (kind === 'interval') features.push('brush, drag a rectangle to select an interval')
  else if (kind === 'point' || kind === 'single' || kind === 'multi') {
    const isHover = /pointer|mouse/.test(String(objectOf(selected).on ?? ''))
    features.push(isHover ? 'highlight on hover' : 'click to select')
  }
  if (bind && bind !== 'scales') features.push('input control')
  return value !== undefined && !kind && !bind ? [] : features
}
