import { join } from 'node:path'
import { withoutBrowser } from '@figbase/kit/testing/chromium'
import { api } from '../load/jobs.js'
import { median, settle } from '../measure.js'
import { type Product, startProduct } from '../product.js'
import type { Progress } from '../topology.js'
import { measurePaints, type PagePaint } from './paints.js'
import { figureCount, newPlace, type Place, revisionCount } from './place.js'

/** CPU time of a page and of the request of the API for the same object, with PostgreSQL. */
export type PageCost = {
  title: string
  pageMs: number
  apiMs: number
  pageCpuMs: number
  apiCpuMs: number
  pageBytes: number
}

export type PagesReport = { costs: PageCost[]; paints: PagePaint[] }

const rounds = 5
const timesARound = { quick: 20, full: 200 }

type Pair = { title: string; page: string; read: string }

const pairsOf = ({ workspace, analysis, figure, revision }: Place): Pair[] => [
  { title: 'a workspace', page: `/workspace/${workspace}/`, read: `workspace/${workspace}/` },
  {
    title: `an analysis with ${figureCount} figures`,
    page: `/analysis/${analysis}/`,
    read: `analysis/${analysis}/`,
  },
  {
    title: `a figure with ${revisionCount} revisions`,
    page: `/figure/${figure}/`,
    read: `figure/${figure}/`,
  },
  { title: 'a revision', page: `/r/${revision}/`, read: `revision/${revision}/` },
]

/** Measures what pages cost, as a ratio to the request of the API for the same object. */
export async function measurePages(
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<PagesReport> {
  await using product = await startProduct('all-in-one', join(scratch, 'pages'))
  const place = await progress('figures', () => newPlace(product.url))
  const count = quick ? timesARound.quick : timesARound.full
  const costs: PageCost[] = []
  for (const pair of pairsOf(place)) {
    costs.push(await progress(pair.title, () => compare(product, place, pair, count)))
  }
  const paints = withoutBrowser
    ? []
    : await progress('first paints', () => measurePaints(product.url, place))
  return { costs, paints }
}

async function compare(product: Product, { headers }: Place, pair: Pair, count: number) {
  const ask = async (url: string) => {
    const response = await fetch(url, { headers: { ...headers, accept: 'text/html' } })
    const { byteLength } = await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
    return byteLength
  }
  async function measure(url: string) {
    const before = cpuOf(product)
    const times: number[] = []
    let bytes = 0
    for (let n = 0; n < count; n++) {
      const begun = performance.now()
      bytes = await ask(url)
      times.push(performance.now() - begun)
    }
    return { ms: median(times), cpuMs: (cpuOf(product) - before) / count, bytes }
  }
  const urls = { page: product.url + pair.page, read: `${product.url}${api}/${pair.read}` }
  for (const url of Object.values(urls)) for (let n = 0; n < count; n++) await ask(url)
  await settle(product.trees)
  const pages = []
  const reads = []
  for (let round = 0; round < rounds; round++) {
    pages.push(await measure(urls.page))
    reads.push(await measure(urls.read))
  }
  return {
    title: pair.title,
    pageMs: median(pages.map(({ ms }) => ms)),
    apiMs: median(reads.map(({ ms }) => ms)),
    pageCpuMs: median(pages.map(({ cpuMs }) => cpuMs)),
    apiCpuMs: median(reads.map(({ cpuMs }) => cpuMs)),
    pageBytes: pages[0]?.bytes ?? 0,
  }
}

function cpuOf({ trees }: Product) {
  const { serversMs, postgresMs } = trees.cpu()
  return serversMs + postgresMs
}
