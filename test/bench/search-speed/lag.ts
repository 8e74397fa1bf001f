import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, post, searchFor, spreadOf } from './requests.js'

/** From the answer to a write until a search finds it, in milliseconds. */
export type Lag = {
  writes: number
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  maxMs: number
}

const word = 'lagwatched'
const found = 100
const pollMs = 50
const endMsMax = 120_000

/** Creates figures at a constant rate for some seconds, and searches for them all the time. */
export async function measureLag(caller: Caller, perSecond: number, seconds: number): Promise<Lag> {
  const { api_id: workspace } = await post<Created>(caller, 'workspace/', { name: 'Lag' }, 201)
  const { api_id: analysis } = await post<Created>(
    caller,
    'analysis/',
    { name: 'Lag', workspace },
    201,
  )
  const answered = new Map<string, number>()
  const lags: number[] = []
  let writing = true
  const write = async () => {
    const body = { name: word, analysis }
    const { api_id: id } = await post<Created>(caller, 'figure/', body, 201)
    answered.set(id, performance.now())
  }
  const see = (id: string) => {
    const since = answered.get(id)
    if (since === undefined) return
    answered.delete(id)
    lags.push(performance.now() - since)
  }
  const watch = async () => {
    const end = performance.now() + seconds * 1000 + endMsMax
    while (writing || answered.size > 0) {
      if (performance.now() > end) throw new Error(`search does not find ${answered.size} objects`)
      // Equal hits: the newest come first.
      const body = { search_type: 'keyword', query: word, k: found }
      for (const { object } of await searchFor(caller, body)) see(object.api_id)
      await sleep(pollMs)
    }
  }
  const writeAll = async () => {
    const begun = performance.now()
    const written: Promise<void>[] = []
    for (let n = 0; n < perSecond * seconds; n++) {
      await sleep(Math.max(0, begun + (n * 1000) / perSecond - performance.now()))
      written.push(write())
    }
    await Promise.all(written)
    writing = false
  }
  await Promise.all([writeAll(), watch()])
  const sorted = lags.toSorted((a, b) => a - b)
  return {
    ...{ writes: lags.length, perSecond, ...spreadOf(lags) },
    p99Ms: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0,
  }
}

type Created = { api_id: string }
