import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from './client.js'

export interface SearchResult {
  score: number
  object: { api_id: string; entity_type: string; [member: string]: unknown }
  highlight: Record<string, string[]>
}

export interface SearchBody {
  search_type: string
  query?: string
  keywords?: string[]
  image?: string
  k?: number
  workspace?: string
}

/** How long indexing may take. */
const indexingMsMax = 60_000

export async function search(me: Client, body: SearchBody): Promise<SearchResult[]> {
  return (await me.post<SearchResult[]>('search/', body, 200)).body
}

/** The ids of all objects with the words, in order. */
export async function idsOf(me: Client, query: string, more: object = {}): Promise<string[]> {
  const found = await search(me, { search_type: 'keyword', query, k: 100, ...more })
  return found.map(({ object }) => object.api_id)
}

/** Waits until a search finds exactly these objects, in any order. */
export async function findsOnly(
  me: Client,
  query: string,
  ids: string[],
  more: object = {},
): Promise<void> {
  const expected = [...ids].sort()
  const deadline = Date.now() + indexingMsMax
  for (;;) {
    const found = (await idsOf(me, query, more)).sort()
    if (found.join() === expected.join()) return
    if (Date.now() > deadline) assert.deepEqual(found, expected, `results for ${query}`)
    await delay(50)
  }
}

/** Waits until the texts of a revision, also those in its pictures, have been read and indexed. */
export async function indexed(me: Client, revision: string): Promise<void> {
  const deadline = Date.now() + indexingMsMax
  for (;;) {
    const { body } = await me.get<{ search: string | null }>(`revision/${revision}/status/`)
    if (body.search === 'indexed') return
    assert.ok(Date.now() < deadline, `${revision} is not indexed: ${body.search}`)
    await delay(50)
  }
}

let words = 0

/** A word that nothing else contains. */
export const newWord = (): string =>
  `zq${Date.now().toString(36)}${process.pid.toString(36)}${words++}x`
