import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from './load/jobs.js'
import { median } from './measure.js'
import { type Product, startProduct } from './product.js'
import { type Seed, seed } from './seed.js'
import type { Progress } from './topology.js'

/** Milliseconds of one request after the other, medians. */
export type Hop = { title: string; nothingMs: number; readMs: number; writeMs: number }

type Way = { title: string; url: string; seeded: Seed; times: Record<Kind, number[]> }
type Kind = 'nothing' | 'read' | 'write'

const rounds = 5
const timesARound = { quick: 40, full: 200 }

/**
 * The same requests on the same machine, with one more process on their way each time: everything in one, each service
 * in its own, servers of their own, and a load balancer in front. In turn, so that what else the machine does is
 * shared.
 */
export async function measureHops(
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<Hop[]> {
  await using together = await startProduct('all-in-one', join(scratch, 'together'))
  await using apart = await startProduct('distributed', join(scratch, 'apart'))
  await using replicated = await startProduct('replicated', join(scratch, 'replicated'))
  const ways = [
    await wayTo('one process', together),
    await wayTo('a process each, calls between them', apart),
    await wayTo(
      'the same in replicas, on servers behind proxies',
      replicated,
      gatewayOf(replicated),
    ),
    await wayTo('and a load balancer before the gateways', replicated),
  ]
  const times = quick ? timesARound.quick : timesARound.full
  await progress('hops', async () => {
    for (const way of ways) await ask(way, times)
    for (const way of ways) way.times = { nothing: [], read: [], write: [] }
    for (let round = 0; round < rounds; round++) {
      for (const way of ways) await ask(way, times)
    }
  })
  return ways.map(({ title, times: { nothing, read, write } }) => ({
    title,
    nothingMs: median(nothing),
    readMs: median(read),
    writeMs: median(write),
  }))
}

const seeds = new Map<Product, Promise<Seed>>()

async function wayTo(title: string, product: Product, url = product.url): Promise<Way> {
  const seeded = seeds.get(product) ?? seed(product.url, 1)
  seeds.set(product, seeded)
  return { title, url, seeded: await seeded, times: { nothing: [], read: [], write: [] } }
}

/** The first of its gateways, past the balancer. */
function gatewayOf({ dataDir }: Product): string {
  const told = JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))
  return String(told.FIGBASE_TEST_GATEWAYS).split(',')[0] ?? ''
}

async function ask({ url, seeded, times }: Way, count: number): Promise<void> {
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
