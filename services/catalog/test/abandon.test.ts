import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import {
  ada,
  assertError,
  bob,
  contents,
  createRevision,
  createTree,
  FIGURE_REVISION,
  get,
  nobody,
  notFound,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

async function reserve(id?: string) {
  const { figure } = await createTree(catalog)
  const request = { type: FIGURE_REVISION, parentId: figure.id, ...(id && { id }) }
  return (await catalog.client.reserve(request, ada)).id
}

test('its creator and the system can abandon a reservation, which frees the id', async () => {
  const id = newId()
  for (const as of [ada, system]) {
    await reserve(id)
    await catalog.client.abandon({ id: id.toUpperCase() }, as)
    await assertError(catalog.client.activate({ id }, ada), notFound)
    await catalog.client.abandon({ id }, as)
  }
  await reserve(id)
})

test('abandon does not change an active node', async () => {
  const { figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [3n])
  await catalog.client.abandon({ id: revision.id }, system)
  assert.deepEqual(await get(catalog, revision), revision)
})

test('abandon is 401 for an anonymous caller, and does nothing for other users or unknown reservations', async () => {
  const id = await reserve()
  const untouched = await contents(catalog)
  for (const other of [id, newId(), 'x']) {
    await assertError(catalog.client.abandon({ id: other }, nobody), unauthenticated)
    await catalog.client.abandon({ id: other }, bob)
  }
  assert.deepEqual(await contents(catalog), untouched)
})
