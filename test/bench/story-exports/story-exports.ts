import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuAtRest, median, settle } from '../measure.js'
import { type Product, startProduct } from '../product.js'
import type { Progress } from '../topology.js'
import { api, type Caller, type Filled, fill, type Size, signUp } from './fill.js'

export type Cost = { seconds: number; cpuSeconds: number; growthBytes: number }
export type StoryExportsReport = {
  slides: number
  pictureBytes: number
  atRestBytes: number
  /** All pictures, downloaded one after the other: what an export does at least. */
  downloads: Cost
  exports: (Cost & { format: string; sizeBytes: number; ratio: number; cpuRatio: number })[]
}

/** A server without Chromium refuses `pdf`. */
const allFormats = ['markdown', 'pptx', 'pdf']
const sampleMs = 100
const exportMsMax = 600_000

/** Exports a story with a figure on each slide, in turns with downloads of its pictures. */
export async function measureStoryExports(
  size: Size,
  scratch: string,
  progress: Progress,
): Promise<StoryExportsReport> {
  // Search would read the text of 200 pictures of noise for minutes, and each measurement waits for an idle product.
  const settings = { OCR_ENABLED: 'false' }
  await using product = await startProduct('all-in-one', join(scratch, 'story-exports'), {
    settings,
  })
  const caller = await signUp(product)
  const filled = await progress(`a story of ${size.slides} figures`, () => fill(caller, size))
  const atRest = await cpuAtRest(product.trees)
  const atRestBytes = product.trees.memory()
  const formats = await progress('a first export of each format', () => offered(caller, filled))
  const costs = new Map<string, Cost[]>()
  const sizes = new Map<string, number>()
  const measure = async (name: string, work: () => Promise<void>) => {
    const before = product.trees.cpu()
    const { seconds, peakBytes } = await watched(product, work)
    await settle(product.trees)
    const after = product.trees.cpu()
    const used = (of: 'serversMs' | 'postgresMs') =>
      Math.max(0, after[of] - before[of] - atRest[of] * seconds) / 1000
    const cpuSeconds = used('serversMs') + used('postgresMs')
    const cost = { seconds, cpuSeconds, growthBytes: peakBytes - atRestBytes }
    costs.set(name, [...(costs.get(name) ?? []), cost])
  }
  for (let round = 1; round <= size.rounds; round++) {
    await progress(`round ${round} of ${size.rounds}`, async () => {
      await measure('downloads', () => download(caller, filled))
      for (const format of formats) {
        await measure(format, async () => {
          sizes.set(format, await exported(caller, filled.story, format))
        })
      }
    })
  }
  const of = (name: string): Cost => medians(costs.get(name) ?? [])
  const ratio = (name: string, part: 'seconds' | 'cpuSeconds') => {
    const floor = costs.get('downloads') ?? []
    return median((costs.get(name) ?? []).map((cost, i) => cost[part] / (floor[i] ?? cost)[part]))
  }
  return {
    slides: size.slides,
    pictureBytes: filled.pictureBytes,
    atRestBytes,
    downloads: of('downloads'),
    exports: formats.map((format) => ({
      format,
      ...of(format),
      sizeBytes: sizes.get(format) ?? 0,
      ratio: ratio(format, 'seconds'),
      cpuRatio: ratio(format, 'cpuSeconds'),
    })),
  }
}

/** The highest memory may be that of an earlier round; so are caches of the servers. */
const medians = (costs: Cost[]): Cost => ({
  seconds: median(costs.map(({ seconds }) => seconds)),
  cpuSeconds: median(costs.map(({ cpuSeconds }) => cpuSeconds)),
  growthBytes: median(costs.map(({ growthBytes }) => growthBytes)),
})

async function watched({ trees }: Product, work: () => Promise<void>) {
  let peakBytes = trees.memory()
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, trees.memory())
  }, sampleMs)
  const begin = performance.now()
  try {
    await work()
    return { seconds: (performance.now() - begin) / 1000, peakBytes }
  } finally {
    clearInterval(timer)
  }
}

async function download({ origin, headers }: Caller, { pictures, pictureBytes }: Filled) {
  let bytes = 0
  for (const id of pictures) {
    const response = await fetch(`${origin}${api}/data/${id}/?dl=1`, { headers })
    for await (const chunk of response.body ?? []) bytes += chunk.length
  }
  if (bytes !== pictureBytes) throw new Error(`${bytes} bytes instead of ${pictureBytes}`)
}

type Task = { status: string; error: string | null; result: { size_bytes: number } }

/** The formats of this server. The first export of each starts child processes, too. */
async function offered(caller: Caller, { story }: Filled): Promise<string[]> {
  const formats: string[] = []
  for (const format of allFormats) {
    try {
      await exported(caller, story, format)
      formats.push(format)
    } catch (error) {
      if (!String(error).endsWith(' 501')) throw error
    }
  }
  return formats
}

async function exported(caller: Caller, story: string, format: string): Promise<number> {
  const path = `story/${story}/export/`
  const { task_id } = await caller.post<{ task_id: string }>(path, { format })
  for (const end = performance.now() + exportMsMax; performance.now() < end; await sleep(50)) {
    const { status, error, result } = await caller.get<Task>(`tasks/${task_id}/`)
    if (status === 'SUCCESS') return result.size_bytes
    if (status !== 'PENDING' && status !== 'STARTED') throw new Error(`${status}: ${error}`)
  }
  throw new Error('the export did not end')
}
