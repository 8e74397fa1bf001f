import type { Cpu, ProcessTrees } from '../processes.js'

/** A product, and the credentials of the caller. */
export type Caller = { url: string; headers: Record<string, string>; trees: ProcessTrees }

/** CPU time in milliseconds for each search. */
export type Latency = Cpu & { searches: number; p50Ms: number; p95Ms: number; maxMs: number }

export type SearchBody = { search_type: string; query?: string; image?: string; k?: number }
export type Found = { score: number; object: { api_id: string } }[]

const api = '/api/v1.4.1/'

/** Sends a request, and resolves to the answer if it has this status. */
export async function post<Answer>(
  { url, headers }: Pick<Caller, 'url' | 'headers'>,
  path: string,
  body: object,
  status: number,
): Promise<Answer> {
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${url}${api}${path}`, init)
  const text = await response.text()
  if (response.status !== status) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

export const searchFor = (caller: Pick<Caller, 'url' | 'headers'>, body: SearchBody) =>
  post<Found>(caller, 'search/', body, 200)

/** Searches one after the other. */
export async function measureSearches(caller: Caller, bodies: SearchBody[]): Promise<Latency> {
  const before = caller.trees.cpu()
  const times = await timesOf(bodies, (body) => searchFor(caller, body))
  const after = caller.trees.cpu()
  return {
    ...spreadOf(times),
    searches: bodies.length,
    serversMs: (after.serversMs - before.serversMs) / bodies.length,
    postgresMs: (after.postgresMs - before.postgresMs) / bodies.length,
  }
}

/** The time of each piece of work in milliseconds. */
export async function timesOf<T>(all: T[], work: (one: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (const one of all) {
    const begun = performance.now()
    await work(one)
    times.push(performance.now() - begun)
  }
  return times
}

export function spreadOf(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) }
}
