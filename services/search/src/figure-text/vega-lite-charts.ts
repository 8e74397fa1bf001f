import { isOneOf, type Json, type JsonObject, objectOf, objectsIn } from './json-value.js'

const points = ['point', 'circle', 'square']
const discrete = ['nominal', 'ordinal']
const named = new Map(
  Object.entries({
    line: 'line chart',
    trail: 'line of varying width',
    area: 'area chart',
    tick: 'tick marks, strip plot',
    boxplot: 'box plot, median and quartiles',
    errorbar: 'error bar plot',
    errorband: 'error band',
    geoshape: 'map',
    rule: 'rule lines',
    text: 'text labels',
    image: 'images',
  }),
)

/** The names of the chart that a mark of Vega-Lite makes with an encoding. */
export function vegaLiteCharts(
  mark: string,
  definition: JsonObject,
  encoding: JsonObject,
): string[] {
  if (encoding.latitude || encoding.longitude) return ['map']
  if (points.includes(mark)) return pointCharts(encoding)
  if (mark === 'bar') return barCharts(definition, encoding)
  if (mark === 'rect') return isGrid(encoding) ? ['heatmap'] : ['rectangles']
  if (mark === 'arc') return [definition.innerRadius ? 'donut chart' : 'pie chart']
  const name = named.get(mark)
  if (!name) return []
  const names = [name]
  if (mark === 'line' && isSeries(encoding)) names.push('multiple series')
  if (isOverTime(encoding)) names.push('over time')
  if (isOneOf(definition.orient, ['horizontal'])) names.push('horizontal')
  if (definition.point) names.push('with points')
  if (mark === 'boxplot' && definition.extent === 'min-max')
    return ['box plot, median, min and max']
  return names
}

function pointCharts(encoding: JsonObject): string[] {
  const { x, y, size } = encoding
  if (!(x && y)) return ['dot plot']
  if (!(isMeasure(x) && isMeasure(y))) return size ? ['punch card, bubbles'] : ['dot plot']
  return size ? ['scatter plot', 'bubble plot'] : ['scatter plot']
}

function barCharts(definition: JsonObject, encoding: JsonObject): string[] {
  const { x, y, x2, y2 } = encoding
  if ([x, y].some(isBinned) && [x, y].some(isCount)) return ['histogram']
  if ((x2 && !isBinned(x)) || (y2 && !isBinned(y)))
    return ['ranged bar chart, Gantt chart, intervals']
  const names = ['bar chart']
  if (isHorizontal(definition, encoding)) names.push('horizontal bars')
  if (encoding.xOffset || encoding.yOffset) return ['grouped bar chart', ...names]
  if (isSeries(encoding)) names.unshift(...stackNames(objectOf(x).stack ?? objectOf(y).stack))
  if (isOverTime(encoding)) names.push('over time')
  return names
}

function stackNames(stack: Json | undefined): string[] {
  if (stack === null || stack === false) return ['layered, overlapping bars']
  return stack === 'normalize'
    ? ['normalized stacked bar chart, percentages']
    : ['stacked bar chart']
}

const isHorizontal = (definition: JsonObject, { x, y }: JsonObject) =>
  definition.orient === 'horizontal' || (isMeasure(x) && !!y && !isMeasure(y))

const isSeries = ({ color, detail, strokeDash }: JsonObject) =>
  [color, detail, strokeDash].some((channel) => !!objectOf(channel).field && !isMeasure(channel))

const isGrid = ({ x, y }: JsonObject) =>
  [x, y].every((channel) => isBinned(channel) || (!!channel && !isMeasure(channel)))

const isCount = (channel: Json | undefined) => objectOf(channel).aggregate === 'count'
const isBinned = (channel: Json | undefined) => !!objectOf(channel).bin

const isOverTime = ({ x, y }: JsonObject) =>
  objectsIn([x ?? null, y ?? null]).some(({ type, timeUnit }) => type === 'temporal' || !!timeUnit)

function isMeasure(channel: Json | undefined): boolean {
  const { type, aggregate, bin, timeUnit } = objectOf(channel)
  if (isOneOf(type, discrete)) return false
  return type === 'quantitative' || type === 'temporal' || !!aggregate || !!bin || !!timeUnit
}
