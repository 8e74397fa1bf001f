import { median } from '../measure.js'
import type { Filled } from './fill.js'

/** A product with its data, as one user asks it. */
export type Party = { url: string; headers: Record<string, string>; filled: Filled }

/** Reads whose cost must not grow with what there is. */
export const reads: Record<string, (filled: Filled) => string> = {
  'permission and size of a figure': ({ figure }) => `figure/${figure}/size/`,
  'list of workspaces': () => 'workspace/',
  'recent/': ({ workspace }) => `workspace/${workspace}/recent/`,
  'dashboard/': ({ workspace }) => `workspace/${workspace}/dashboard/`,
  'log/ of the workspace, 100 deep': ({ workspace }) =>
    `workspace/${workspace}/log/?deep=true&limit=100`,
  'log/ of an analysis': ({ analysis }) => `analysis/${analysis}/log/?deep=true&limit=100`,
  'log/ of a figure': ({ figure }) => `figure/${figure}/log/?deep=true&limit=100`,
}

/** The 50th and the 99th of 100 requests, one after the other, in milliseconds. */
export async function timed(party: Party, path: string, times: number) {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const begin = performance.now()
    await get(party, path)
    took.push(performance.now() - begin)
  }
  took.sort((a, b) => a - b)
  return { p50Ms: median(took), p99Ms: took[Math.ceil(times * 0.99) - 1] ?? 0 }
}

export async function get({ url, headers }: Party, path: string, status = 200): Promise<unknown> {
  return ask(`${url}${api}${path}`, { headers }, status)
}

export async function post(party: Pick<Party, 'url' | 'headers'>, path: string, body: object) {
  const init = { method: 'POST', headers: party.headers, body: JSON.stringify(body) }
  return (await ask(`${party.url}${api}${path}`, init, 201)) as { api_id: string }
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
