import { setTimeout as sleep } from 'node:timers/promises'
import type { DownloadJob, DownloadResult, UploadJob, UploadResult } from './load/jobs.js'
import { settle } from './measure.js'
import type { Product } from './product.js'
import type { Seed } from './seed.js'
import type { Worker } from './worker.js'

export type Transfer = {
  title: string
  megabytesPerSecond: number
  peakBytes: number
  /** Increase over the idle memory before the first transfer. */
  growthBytes: number
}
export type Memory = { atRestBytes: number; transfers: Transfer[] }

type Size = { title: string; bytes: number; times: number }

const mebibyte = 2 ** 20
const sampleMs = 200
const restMs = 3000
const transferMsMax = 300_000

const sizes: Size[] = [
  { title: '512 MB', bytes: 512 * mebibyte, times: 1 },
  { title: '2 GB', bytes: 2048 * mebibyte, times: 1 },
  { title: '8 x 200 MB at once', bytes: 200 * mebibyte, times: 8 },
]
const quickSizes: Size[] = [
  { title: '64 MB', bytes: 64 * mebibyte, times: 1 },
  { title: '8 x 25 MB at once', bytes: 25 * mebibyte, times: 8 },
]

/** Measures the memory of all processes, including PostgreSQL, during transfers of large files. */
export async function measureMemory(
  product: Product,
  seed: Seed,
  generator: Worker,
  quick: boolean,
): Promise<Memory> {
  await settle(product.trees)
  await sleep(restMs)
  const atRestBytes = product.trees.memory()
  const transfers: Transfer[] = []
  const watch = async (title: string, bytes: number, work: () => Promise<{ seconds: number }>) => {
    const { result, peakBytes } = await peakWhile(product, work)
    const megabytesPerSecond = bytes / 1e6 / result.seconds
    const growthBytes = peakBytes - atRestBytes
    transfers.push({ title, megabytesPerSecond, peakBytes, growthBytes })
    return result
  }
  for (const { title, bytes, times } of quick ? quickSizes : sizes) {
    const figure = seed.slots[0] ?? ''
    const common = { origin: product.url, headers: seed.headers }
    let objects: string[] = []
    await watch(`upload ${title}`, bytes * times, async () => {
      const job: UploadJob = { kind: 'upload', ...common, figure, bytes, times }
      const result = await generator.ask<UploadResult>(job, transferMsMax)
      objects = result.objects
      return result
    })
    await watch(`download ${title}`, bytes * times, async () => {
      const job: DownloadJob = { kind: 'download', ...common, objects }
      const result = await generator.ask<DownloadResult>(job, transferMsMax)
      if (result.bytes < (bytes * times * 4) / 3) throw new Error('a download was incomplete')
      return result
    })
  }
  return { atRestBytes, transfers }
}

async function peakWhile<T>({ trees }: Product, work: () => Promise<T>) {
  let peakBytes = trees.memory()
  const sample = () => {
    peakBytes = Math.max(peakBytes, trees.memory())
  }
  const timer = setInterval(sample, sampleMs)
  try {
    const result = await work()
    sample()
    return { result, peakBytes }
  } finally {
    clearInterval(timer)
  }
}
