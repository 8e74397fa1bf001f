import assert from 'node:assert/strict'
import { test } from 'node:test'

type Kinds = { kinds: ReadonlyMap<string, string> }

/** Neither package exports its kinds, and they cannot import each other. */
const kindsIn = async (path: string) => {
  const { kinds } = (await import(new URL(`../../../../${path}`, import.meta.url).href)) as Kinds
  return Object.fromEntries([...kinds].filter(([, kind]) => kind !== 'data').sort())
}

test('imports of Git repositories and `figbase publish` agree on the kinds of files', async () => {
  const imported = await kindsIn('services/revisions/dist/src/domain/git-files.js')
  const published = await kindsIn('gateway/client/dist/src/groups.js')
  assert.equal(published.png, 'image')
  assert.deepEqual(imported, published)
})
