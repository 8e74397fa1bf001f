import { fullAt, load, type Station, stationsOf, stretchAt, unitsAt } from './capacity.js'
import type { ScalingReport } from './measure-scaling.js'
import { inOrder, short, titleOf } from './page.js'

const width = 760
const left = 215
const right = 705
const rowHeight = 21
const top = 76
const curveHeight = 190
const stretchMax = 6
const ticks = [0.1, 1, 10, 100, 1000]
const colors = { request: '#2563eb', background: '#c2410c', ink: '#1f2937', grid: '#d1d5db' }

/** The picture of the page: what is full at which load, and what waiting does to requests. */
export function pictureOf(report: ScalingReport): string {
  const stations = inOrder(stationsOf(report)).filter((one) => fullAt(one) < (ticks.at(-1) ?? 0))
  const smallest = Math.min(...stations.map(fullAt))
  const shown = ticks.filter((tick) => tick >= 1 || tick * 10 > smallest)
  const x = logScale(shown[0] ?? 1, shown.at(-1) ?? 1)
  const middle = top + stations.length * rowHeight + 82
  const bottom = middle + curveHeight
  const parts = [
    text(16, 24, 'What one of each part can do', 'size="15" weight="600"'),
    text(16, 43, `until it is ${percent} full, as a multiple of ${load.perSecond} requests/s`, ''),
    text(right, 43, 'in the background', `anchor="end" fill="${colors.background}"`),
    ...shown.map((tick) => grid(x(tick), top + 4, top + stations.length * rowHeight)),
    ...shown.map((tick) => text(x(tick), top - 2, `${tick} ×`, 'anchor="middle"')),
    ...stations.flatMap((station, row) => rowOf(station, x, top + row * rowHeight + 14)),
    text(16, middle - 34, 'How long requests take', 'size="15" weight="600"'),
    text(
      16,
      middle - 15,
      'as a multiple of the time without load, with as many of each as the table says',
      '',
    ),
    ...shown.map((tick) => grid(x(tick), middle - 8, bottom)),
    ...shown.map((tick) => text(x(tick), bottom + 18, `${tick} ×`, 'anchor="middle"')),
    ...curvesOf(report, x, shown, middle),
  ]
  const height = bottom + 34
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `  font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="12" fill="${colors.ink}">`,
    '<title>What each part can do, and how long requests take, by load</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

const percent = `${load.full * 100} %`

type Scale = (factor: number) => number

function logScale(from: number, to: number): Scale {
  const span = Math.log(to) - Math.log(from)
  return (factor) => left + ((right - left) * (Math.log(factor) - Math.log(from))) / span
}

function rowOf(station: Station, x: Scale, y: number): string[] {
  const color = station.isBackground ? colors.background : colors.request
  const [end, unit] = [x(fullAt(station)), station.unit === 'core' ? ', one core' : '']
  const name = titleOf(station.part) + unit
  return [
    text(
      left - 10,
      y + 4,
      name,
      `anchor="end" fill="${station.isBackground ? color : colors.ink}"`,
    ),
    `<path d="M${left} ${y}H${round(end)}" stroke="${color}" stroke-width="2"/>`,
    `<circle cx="${round(end)}" cy="${y}" r="5" fill="${color}"/>`,
    text(end + 10, y + 4, `${short(fullAt(station))} ×`, ''),
  ]
}

function curvesOf(report: ScalingReport, x: Scale, shown: number[], y0: number): string[] {
  const stations = stationsOf(report)
  const y = (stretch: number) => y0 + curveHeight - ((stretch - 1) / (stretchMax - 1)) * curveHeight
  const [from, to] = [shown[0] ?? 1, shown.at(-1) ?? 1]
  const factors = Array.from({ length: 400 }, (_, n) => from * (to / from) ** (n / 399))
  const levels = [1, 2, 4, 6].flatMap((level) => [
    `<path d="M${left} ${round(y(level))}H${right}" stroke="${colors.grid}"/>`,
    text(left - 10, y(level) + 4, `${level}`, 'anchor="end"'),
  ])
  const curves = [...sizesOf(stations)].flatMap(([sized, units]) => {
    const points = factors
      .map((factor) => ({ factor, stretch: stretchAt(stations, units, factor) }))
      .filter(({ stretch }) => stretch <= stretchMax)
    const last = points.at(-1)
    if (!last) return []
    const line = points.map(({ factor, stretch }) => `${round(x(factor))} ${round(y(stretch))}`)
    return [
      `<path d="M${line.join('L')}" fill="none" stroke="${colors.request}" stroke-width="2"/>`,
      text(x(last.factor) - 8, y(last.stretch) + 14, `for ${sized}`, 'anchor="end"'),
    ]
  })
  return [...levels, ...curves]
}

/** The units for each load; loads with the same units are one. */
function sizesOf(stations: Station[]): Map<string, number[]> {
  const names = new Map<string, string>()
  const sizes = new Map<string, number[]>()
  for (const factor of [1, ...load.factors]) {
    const units = stations.map((station) => unitsAt(station, factor))
    const ofRequests = units.filter((_, at) => !stations[at]?.isBackground).join()
    const before = names.get(ofRequests)
    const name = before ? `${before}, ${factor} ×` : `${factor} ×`
    names.set(ofRequests, name)
    if (before) sizes.delete(before)
    sizes.set(name, units)
  }
  return sizes
}

const grid = (x: number, from: number, to: number) =>
  `<path d="M${round(x)} ${from}V${to}" stroke="${colors.grid}"/>`

/** `style`: attributes with short names. */
function text(x: number, y: number, content: string, style: string): string {
  const attributes = style
    .replace('size=', 'font-size=')
    .replace('weight=', 'font-weight=')
    .replace('anchor=', 'text-anchor=')
  return `<text x="${round(x)}" y="${round(y)}"${attributes && ` ${attributes}`}>${content}</text>`
}

const round = (value: number) => Number(value.toFixed(1))
