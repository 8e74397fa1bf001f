import { table } from '../report.js'
import type { PageCost } from './pages.js'
import type { PagePaint } from './paints.js'

/** Prints the costs of pages. */
export function printPages(costs: PageCost[]): void {
  const head = [
    'a page, one after the other',
    'ms',
    'API ms',
    'CPU ms',
    'API CPU ms',
    'CPU ratio',
    'KB',
  ]
  const rows = costs.map(({ title, pageMs, apiMs, pageCpuMs, apiCpuMs, pageBytes }) => [
    title,
    pageMs.toFixed(2),
    apiMs.toFixed(2),
    pageCpuMs.toFixed(2),
    apiCpuMs.toFixed(2),
    (pageCpuMs / apiCpuMs).toFixed(2),
    (pageBytes / 1000).toFixed(0),
  ])
  console.log(`\n${table([head, ...rows])}`)
}

/** Prints what pages cost on a slow phone. */
export function printPaints(paints: PagePaint[]): void {
  const head = ['a page on a slow phone', 'first paint ms', 'requests', 'KB received']
  const rows = paints.map(({ title, firstPaintMs, requests, bytes }) => [
    title,
    firstPaintMs.toFixed(0),
    String(requests),
    (bytes / 1000).toFixed(0),
  ])
  console.log(`\n${table([head, ...rows])}`)
}
