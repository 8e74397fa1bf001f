import { type Contract, contractOf } from '../contract.js'
import { deployment, VERSIONS } from '../deployment.js'
import type { Document } from './operations.js'
import { type Api, apiOf, changesSite, planOf } from './plans.js'
import { FuzzReport } from './report.js'
import { Worker } from './worker.js'

export type FuzzOptions = {
  seed: number
  /** The number of the first request. */
  first: number
  count: number
  concurrency: number
  /** After so long, no further requests are sent. */
  msMax: number
  /** Leaves out operations that would change the site for other tests. */
  isShared: boolean
}

/** Sends the requests of the seed, and checks each answer. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, first, count, concurrency, msMax, isShared } = options
  const report = new FuzzReport(seed)
  const apis: Api[] = []
  const contracts = new Map<string, Contract>()
  for (const version of VERSIONS) {
    apis.push(await loadApi(version))
    contracts.set(version, await contractOf(version))
  }
  const end = performance.now() + msMax
  let next = first
  const work = async () => {
    const worker = new Worker(report, contracts, isShared)
    while (next < first + count && performance.now() < end) {
      const plan = planOf(apis, seed, next++)
      if (!(isShared && changesSite(plan))) await worker.send(plan)
    }
    worker.end()
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (next < first + count) {
    report.failedOutside(`only ${next - first} of ${count} requests could be sent in time`)
  }
  return report
}

async function loadApi(version: string): Promise<Api> {
  const url = new URL(`/api/${version}/openapi.json`, deployment.origin)
  const response = await fetch(url, { headers: { connection: 'close' } })
  return apiOf(version, (await response.json()) as Document)
}
