import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from './load/jobs.js'
import { median } from './measure.js'
import { type Product, startProduct } from './product.js'
import { type Seed, seed } from './seed.js'
import type { Progress } from './topology.js'

/** Median latencies of sequential requests. */
export type Hop = { title: string; nothingMs: number; readMs: number; writeMs: number }

type Setup = { title: string; url: string; seeded: Seed; times: Record<Kind, number[]> }
type Kind = 'nothing' | 'read' | 'write'

const rounds = 5
const timesARound = { quick: 40, full: 200 }

/**
 * Measures the same requests with more and more processes between client and database: all in one process, one process
 * per service, replicas with separate servers, and a load balancer. Alternates between them, so that other load on the
 * machine affects all of them.
 */
export async function measureHops(
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<Hop[]> {
  await using together = await startProduct('all-in-one', join(scratch, 'together'))
  await using apart = await startProduct('distributed', join(scratch, 'apart'))
  await using replicated = await startProduct('replicated', join(scratch, 'replicated'))
  const setups = [
    await setupFor('one process', together),
    await setupFor('one process per service', apart),
    await setupFor('replicas, with servers behind proxies', replicated, gatewayOf(replicated)),
    await setupFor('replicas, with a load balancer', replicated),
  ]
  const times = quick ? timesARound.quick : timesARound.full
  await progress('hops', async () => {
    for (const setup of setups) await ask(setup, times)
    for (const setup of setups) setup.times = { nothing: [], read: [], write: [] }
    for (let round = 0; round < rounds; round++) {
      for (const setup of setups) await ask(setup, times)
    }
  })
  return setups.map(({ title, times: { nothing, read, write } }) => ({
    title,
    nothingMs: median(nothing),
    readMs: median(read),
    writeMs: median(write),
  }))
}

const seeds = new Map<Product, Promise<Seed>>()

async function setupFor(title: string, product: Product, url = product.url): Promise<Setup> {
  const seeded = seeds.get(product) ?? seed(product.url, 1)
  seeds.set(product, seeded)
  return { title, url, seeded: await seeded, times: { nothing: [], read: [], write: [] } }
}

/** The URL of the first gateway, without the load balancer. */
function gatewayOf({ dataDir }: Product): string {
  const settings = JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))
  return String(settings.FIGBASE_TEST_GATEWAYS).split(',')[0] ?? ''
}

async function ask({ url, seeded, times }: Setup, count: number): Promise<void> {
  const { headers, figures, crowded } = seeded
  const figure = `${api}/figure/${figures[0]}/`
  const body = JSON.stringify({ target_type: 'figure', target_id: crowded, content: 'A comment' })
  for (let n = 0; n < count; n++) {
    times.nothing.push(await timed(`${url}/healthz`, {}, 200))
    times.read.push(await timed(url + figure, { headers }, 200))
    times.write.push(await timed(`${url}${api}/comment/`, { method: 'POST', headers, body }, 201))
  }
}

async function timed(url: string, init: RequestInit, status: number): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, init)
  await response.arrayBuffer()
  if (response.status !== status) throw new Error(`${url}: ${response.status}`)
  return performance.now() - begun
}
