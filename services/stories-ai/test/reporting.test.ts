import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import { sql } from 'kysely'
import { settleStoryJob } from '../src/jobs/settle-story.js'
import {
  ann,
  failureOf,
  gone,
  type Started,
  start,
  unavailable,
  workspaceId,
} from './test-service.js'

let at: Started
before(async () => {
  at = await start()
})
after(() => at[Symbol.asyncDispose]())
afterEach(() => at.catalog.failures.clear())

const settle = (storyId: string) =>
  settleStoryJob.run(at.ctx, { storyId }, new AbortController().signal, 1)
const count = async (table: string, id: string) => {
  const column = table === 'story' ? 'id' : 'story_id'
  const found = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
    at.ctx.db,
  )
  return found.rows[0]?.n
}
const nodeOf = (id: string) => at.catalog.nodes.get(id)

test('if catalog does not respond, a creation succeeds, and the job activates the story', async () => {
  at.catalog.fail('activate', unavailable(), unavailable(), unavailable())
  const { id, node } = await at.create({ description: 'd' })
  assert.deepEqual(
    [node?.name, node?.description, node?.workspaceId, node?.createdBy],
    ['Spring', 'd', workspaceId, 'ann'],
  )
  assert.equal(nodeOf(id)?.active, false)
  await settle(id)
  assert.equal(nodeOf(id)?.active, true)
  assert.equal(nodeOf(id)?.ownBytes, node?.sizeBytes)
})

test('if the workspace was deleted meanwhile, a creation is refused, and leaves nothing', async () => {
  at.catalog.fail('activate', gone())
  const failure = await failureOf(at.stories.createStory({ workspaceId, name: 'a' }, ann))
  assert.deepEqual([failure.code, failure.fields], [Code.InvalidArgument, ['workspace']])
  const rows = await sql<{ n: number }>`
    select count(*)::int as n from story s join story_version v on v.story_id = s.id
     where v.name = 'a'`.execute(at.ctx.db)
  assert.equal(rows.rows[0]?.n, 0)
})

test('the job removes a story whose workspace was deleted before it was activated', async () => {
  at.catalog.fail('activate', unavailable(), unavailable(), unavailable(), gone())
  const { id } = await at.create()
  await settle(id)
  assert.equal(await count('story', id), 0)
  assert.equal(await count('story_version', id), 0)
})

test('a refused reservation leaves nothing', async () => {
  at.catalog.fail('reserve', gone())
  const failure = await failureOf(at.stories.createStory({ workspaceId, name: 'b' }, ann))
  assert.deepEqual(failure.fields, ['workspace'])
})

test('if catalog does not respond, an update succeeds, and the job applies it', async () => {
  const { id } = await at.create()
  at.catalog.fail('activateUpdate', unavailable(), unavailable(), unavailable())
  const { story } = await at.stories.updateStory({ id, name: 'Summer' }, ann)
  assert.deepEqual(
    [story?.node?.name, story?.node?.updatedBy, story?.version],
    ['Summer', 'ann', 2],
  )
  assert.equal(nodeOf(id)?.name, 'Spring')
  const read = await at.stories.getStory({ id }, ann)
  assert.equal(
    read.story?.node?.name,
    'Summer',
    'the name of the version, although catalog is behind',
  )
  assert.equal(await count('story_update', id), 1)
  const [updateId = ''] = at.catalog.updates.keys()
  const known = await at.stories.findExisting(
    { ids: [id, updateId, workspaceId, 'x'] },
    actAsSystem(),
  )
  assert.deepEqual(known.ids.sort(), [id, updateId].sort())
  await settle(id)
  assert.equal(nodeOf(id)?.name, 'Summer')
  assert.equal(nodeOf(id)?.ownBytes, story?.node?.sizeBytes)
  assert.equal(await count('story_update', id), 0)
})

test('a later update that was applied first is not replaced by an earlier one', async () => {
  const { id } = await at.create()
  at.catalog.fail('activateUpdate', unavailable(), unavailable(), unavailable())
  await at.stories.updateStory({ id, name: 'First' }, ann)
  await at.stories.updateStory({ id, name: 'Second' }, ann)
  await settle(id)
  assert.equal(nodeOf(id)?.name, 'Second')
  assert.equal(at.catalog.updates.size, 0)
})

test('an update of a story that was deleted meanwhile is refused, and the job gives up', async () => {
  const { id } = await at.create()
  at.catalog.fail('activateUpdate', gone(), gone())
  assert.equal(
    (await failureOf(at.stories.updateStory({ id, name: 'x' }, ann))).code,
    Code.NotFound,
  )
  await settle(id)
  assert.equal(await count('story_update', id), 0)
  assert.equal(await count('story_version', id), 2, 'a restoration brings the version back')
})

test('an update is refused if catalog may have given up its reservation', async (t) => {
  const { id } = await at.create()
  const { now } = at.catalog
  t.after(() => {
    at.catalog.now = now
  })
  const reserved = at.catalog.updates.size
  at.catalog.now = () => new Date(Date.now() - 3_600_000)
  const failure = await failureOf(at.stories.updateStory({ id, name: 'x' }, ann))
  assert.equal(failure.code, Code.Unavailable)
  assert.equal(await count('story_version', id), 1)
  assert.equal(at.catalog.updates.size, reserved, 'the reservation was abandoned')
})

test('a stale version is refused before anything is reserved', async () => {
  const { id } = await at.create()
  const calls = at.catalog.calls.length
  const failure = await failureOf(
    at.stories.updateStory({ id, name: 'x', expectedVersion: 7 }, ann),
  )
  assert.equal(failure.error, 'version_mismatch')
  assert.equal(at.catalog.calls.length, calls)
})
