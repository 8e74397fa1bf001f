import { median } from '../measure.js'
import type { Filled } from './fill.js'

/** A filled product, and the credentials of one user. */
export type Party = { url: string; headers: Record<string, string>; filled: Filled }

/** A GET, or a POST if there is a body. */
export type Question = { path: string; body?: object }

/** Reads with a cost that must not depend on the amount of data. */
const gets: Record<string, (filled: Filled) => string> = {
  'permission and size of a figure': ({ figure }) => `figure/${figure}/size/`,
  'list of workspaces': () => 'workspace/',
  'recent/': ({ workspace }) => `workspace/${workspace}/recent/`,
  'dashboard/': ({ workspace }) => `workspace/${workspace}/dashboard/`,
  'log/ of the workspace, 100 deep': ({ workspace }) =>
    `workspace/${workspace}/log/?deep=true&limit=100`,
  'log/ of an analysis': ({ analysis }) => `analysis/${analysis}/log/?deep=true&limit=100`,
  'log/ of a figure': ({ figure }) => `figure/${figure}/log/?deep=true&limit=100`,
}

export const reads: Record<string, (filled: Filled) => Question> = {
  ...Object.fromEntries(
    Object.entries(gets).map(([title, pathOf]) => [title, (at: Filled) => ({ path: pathOf(at) })]),
  ),
  'find_by_hash/, one hit': ({ digest }) => ({
    path: 'asset_revision/find_by_hash/',
    body: { hash_type: 'blake3', digest },
  }),
}

/** The 50th and 99th percentile of sequential requests in milliseconds. */
export async function timed(party: Party, { path, body }: Question, times: number) {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const begin = performance.now()
    if (body) await post(party, path, body, 200)
    else await get(party, path)
    took.push(performance.now() - begin)
  }
  took.sort((a, b) => a - b)
  return { p50Ms: median(took), p99Ms: took[Math.ceil(times * 0.99) - 1] ?? 0 }
}

export async function get({ url, headers }: Party, path: string, status = 200): Promise<unknown> {
  return ask(`${url}${api}${path}`, { headers }, status)
}

export async function post<Answer = { api_id: string }>(
  party: Pick<Party, 'url' | 'headers'>,
  path: string,
  body: object,
  status = 201,
) {
  const init = { method: 'POST', headers: party.headers, body: JSON.stringify(body) }
  return (await ask(`${party.url}${api}${path}`, init, status)) as Answer
}

export async function remove({ url, headers }: Party, path: string): Promise<void> {
  await ask(`${url}${api}${path}`, { method: 'DELETE', headers }, 204)
}

const api = '/api/v1.4.1/'

async function ask(url: string, init: RequestInit, status: number): Promise<unknown> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== status) throw new Error(`${url}: ${response.status} ${text}`)
  return text ? JSON.parse(text) : undefined
}
