import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Figbase, paths } from '@figbase/client'

type Search = paths['/search/']['post']['requestBody']['content']['application/json']

/** How long indexing may take. */
const indexingMsMax = 60_000

export const search = (me: Figbase, body: Search) => me.post('/search/', { body })

/** The ids of all objects with the words, in order. */
export async function idsOf(
  me: Figbase,
  query: string,
  more: Partial<Search> = {},
): Promise<string[]> {
  const found = await search(me, { search_type: 'keyword', query, k: 100, ...more })
  return found.map(({ object }) => object.api_id)
}

/** Waits until a search finds exactly these objects, in any order. */
export async function findsOnly(
  me: Figbase,
  query: string,
  ids: string[],
  more: Partial<Search> = {},
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

let words = 0

/** A word that nothing else contains. */
export const newWord = (): string =>
  `zq${Date.now().toString(36)}${process.pid.toString(36)}${words++}x`
