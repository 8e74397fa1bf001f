import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import {
  ada,
  type Bench,
  bob,
  contents,
  FIGURE_REVISION,
  get,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  system,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

async function reserve(id?: string) {
  const { figure } = await makeTree(bench)
  const request = { type: FIGURE_REVISION, parentId: figure.id, ...(id && { id }) }
  return (await bench.client.reserve(request, ada)).id
}

test('its maker and the system take a reservation back, and the id is free again', async () => {
  const id = newId()
  for (const as of [ada, system]) {
    await reserve(id)
    await bench.client.abandon({ id: id.toUpperCase() }, as)
    await refused(bench.client.activate({ id }, ada), notFound)
    await bench.client.abandon({ id }, as)
  }
  await reserve(id)
})

test('an active node stays as it is', async () => {
  const { figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [3n])
  await bench.client.abandon({ id: revision.id }, system)
  assert.deepEqual(await get(bench, revision), revision)
})

test('anonymous is 401; a stranger, or what is no reservation, changes nothing', async () => {
  const id = await reserve()
  const untouched = await contents(bench)
  for (const other of [id, newId(), 'x']) {
    await refused(bench.client.abandon({ id: other }, nobody), unauthenticated)
    await bench.client.abandon({ id: other }, bob)
  }
  assert.deepEqual(await contents(bench), untouched)
})
