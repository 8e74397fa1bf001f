import { createVectorIndex } from '@figbase/search/semantic'

export type VectorSpeed = {
  upsertsPerSecond: number
  /** Growth of the memory of the process per 100,000 vectors. */
  bytesPer100000: number
  /** Of a search for 10 neighbors among all vectors. */
  p50Ms: number
  p95Ms: number
  /** The same, in one of 100 workspaces. */
  workspaceP95Ms: number
}

const dimensions = 512
const topicsCount = 200
const searches = 200
const batch = 1000

/**
 * Searches among `count` random vectors around 200 topics, so that many are near a query. Prints the speed and the
 * memory of the index.
 */
export async function measureVectors(count = 100_000): Promise<VectorSpeed> {
  await using index = createVectorIndex({ dimensions, exactRowsMax: 200_000, rowsMax: count })
  const topics = Array.from({ length: topicsCount }, () => randomVector())
  const before = process.memoryUsage().rss
  let upsertMs = 0
  for (let first = 0; first < count; first += batch) {
    const rows = Array.from({ length: Math.min(batch, count - first) }, (_, n) => {
      return rowOf(first + n, topics)
    })
    upsertMs += await timed(() => index.upsert(rows))
  }
  globalThis.gc?.()
  const grown = process.memoryUsage().rss - before
  const workspaces = Array.from({ length: 100 }, (_, n) => `workspace-${n}`)
  const all = await searchTimes(workspaces)
  const one = await searchTimes(['workspace-1'])
  const speed = {
    upsertsPerSecond: Math.round((1000 * count) / upsertMs),
    bytesPer100000: Math.round((grown / count) * 100_000),
    p50Ms: quantile(all, 0.5),
    p95Ms: quantile(all, 0.95),
    workspaceP95Ms: quantile(one, 0.95),
  }
  console.log(
    `${count} vectors: search p50 ${speed.p50Ms.toFixed(1)} ms, p95 ${speed.p95Ms.toFixed(1)} ms, ` +
      `in one of 100 workspaces p95 ${speed.workspaceP95Ms.toFixed(1)} ms; ` +
      `${speed.upsertsPerSecond} upserts/s; ${Math.round(speed.bytesPer100000 / 2 ** 20)} MiB per 100,000`,
  )
  return speed

  async function searchTimes(roots: string[]) {
    const times: number[] = []
    for (let n = 0; n < searches; n++) {
      const query = near(topics[n % topicsCount])
      times.push(await timed(() => index.nearest(query, { roots, recent: [] }, 10)))
    }
    return times.sort((a, b) => a - b)
  }
}

const rowOf = (n: number, topics: Float32Array[]) => ({
  id: `revision-${n}`,
  createdMs: n,
  place: {
    workspaceId: `workspace-${n % 100}`,
    analysisId: `analysis-${n % 1000}`,
    itemId: `figure-${n % 20_000}`,
    hiddenBy: null,
  },
  vector: near(topics[n % topicsCount]),
})

const near = (topic: Float32Array | undefined) => randomVector((n) => topic?.[n] ?? 0)

/** Of length 1, about half of it in the direction of the base. */
function randomVector(base = (_n: number) => 0): Float32Array {
  const spread = Math.sqrt(12 / dimensions)
  const vector = new Float32Array(dimensions)
  for (let n = 0; n < dimensions; n++) vector[n] = base(n) + (Math.random() - 0.5) * spread
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const quantile = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
