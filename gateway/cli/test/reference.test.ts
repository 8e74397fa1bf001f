import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFigbase } from '@figbase/client'
import { kinds, resolve, toNames } from '../src/reference.js'
import { type Reply, startFake } from './fake-server.js'

const id = '00000000-0000-4000-8000-000000000001'

/** The answers to the reads of all kinds in a batch. */
const batch = (statuses: Partial<Record<string, number>>): Record<string, Reply> => ({
  'POST /batch/': {
    json: {
      responses: kinds.map((kind) => ({
        status: statuses[kind] ?? 404,
        headers: {},
        body: { error: 'permission_denied', detail: 'you may not view it' },
      })),
    },
  },
})

async function resolved(text: string, replies: Record<string, Reply>) {
  await using server = await startFake(replies)
  const figbase = createFigbase({ url: server.url })
  const reference = await resolve(
    { figbase, workspace: undefined },
    text.replace('URL', server.url),
  )
  return { ...reference, requests: server.seen.length }
}

test('an id of any kind, with one request', async () => {
  for (const kind of kinds) {
    const found = await resolved(id, batch({ [kind]: 200 }))
    assert.deepEqual(found, { kind, api_id: id, requests: 1 })
  }
})

test('an id that is hidden or unknown', async () => {
  await assert.rejects(resolved(id, batch({ figure: 403 })), { status: 403 })
  await assert.rejects(resolved(id, batch({})), { code: 4 })
})

test('addresses of pages of this server only', async () => {
  assert.deepEqual(await resolved(`URL/r/${id}`, {}), { kind: 'revision', api_id: id, requests: 0 })
  assert.deepEqual(await resolved(`URL/story/${id}/?x=1#y`, {}), {
    kind: 'story',
    api_id: id,
    requests: 0,
  })
  const short = { 'GET /revision/Abc123xyz0/': { json: { api_id: id } } }
  assert.equal((await resolved('URL/r/Abc123xyz0', short)).api_id, id)
  for (const wrong of [`https://elsewhere.example/r/${id}`, 'URL/docs/', `URL/user/${id}`]) {
    await assert.rejects(resolved(wrong, {}), { code: 2 })
  }
})

test('a short id, and a workspace whose name looks like one', async () => {
  const short = { 'GET /revision/Abc123xyz0/': { json: { api_id: id } } }
  assert.equal((await resolved('Abc123xyz0', short)).kind, 'revision')
  const named = {
    'GET /workspace/': { json: { items: [{ api_id: id, name: 'Abc123xyz0' }], next: null } },
  }
  assert.equal((await resolved('Abc123xyz0', named)).kind, 'workspace')
  await assert.rejects(resolved('Nowhere', named), { code: 4 })
})

test('paths begin in the workspace of the user, unless they begin with a slash', () => {
  assert.deepEqual(toNames('a/b/c', undefined), ['a', 'b', 'c'])
  assert.deepEqual(toNames('b/c', 'a'), ['a', 'b', 'c'])
  assert.deepEqual(toNames('/x/y', 'a'), ['x', 'y'])
  assert.deepEqual(toNames('x/', undefined), ['x'])
  for (const wrong of ['a/b/c/d', 'a//b', '', '/']) {
    assert.throws(() => toNames(wrong, undefined), { code: 2 }, wrong)
  }
})
