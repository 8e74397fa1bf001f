import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { RevisionState, SlideType } from '@figbase/proto/stories'
import { sql } from 'kysely'
import { purgeDeleted } from '../src/jobs/purge-deleted.js'
import {
  ann,
  deletedRevision,
  eve,
  failureOf,
  hiddenRevision,
  revision,
  type Started,
  start,
} from './test-service.js'

let at: Started
before(async () => {
  at = await start({ STORY_VERSIONS_MAX: '3', STORY_BYTES_MAX: '1000', STORY_SLIDES_MAX: '5' })
})
after(() => at[Symbol.asyncDispose]())

const update = async (id: string, change: object) =>
  (await at.stories.updateStory({ id, ...change }, ann)).story
const figure = (revisionId: string, dataJson = '') => ({
  type: SlideType.FIGURE,
  revisionId,
  dataJson,
})

test('only the newest versions are kept, and the size is theirs', async () => {
  const { id } = await at.create({ name: 'a'.repeat(10) })
  for (const n of [20, 30, 40]) await update(id, { name: 'a'.repeat(n) })
  const { versions } = await at.stories.listVersions({ storyId: id }, ann)
  assert.deepEqual(
    versions.map(({ version }) => version),
    [4, 3, 2],
  )
  const titleBytes = 2
  assert.equal(at.catalog.nodes.get(id)?.ownBytes, BigInt(20 + 30 + 40 + 3 * titleBytes))
  assert.equal(
    (await failureOf(at.stories.getVersion({ storyId: id, version: 1 }, ann))).code,
    Code.NotFound,
  )
  const { rows } = await sql<{ sum: string; size: string }>`
    select (select sum(size_bytes) from story_version where story_id = ${id})::text as sum,
           size_bytes::text as size from story where id = ${id}`.execute(at.ctx.db)
  assert.equal(rows[0]?.sum, rows[0]?.size)
})

test('members that the server owns are kept, removed for readers, and refused if forged', async () => {
  const { id } = await at.create({ slides: { slides: [{ ...figure(revision), id: 's' }] } })
  const owned = '{"mine":1,"methods":"ggplot","data":[1.0]}'
  await sql`update story_version set slides = ${JSON.stringify([
    { id: 's', type: 'figure', content: '', revisionId: revision, data: owned },
  ])} where story_id = ${id}`.execute(at.ctx.db)
  const slideOf = async (dataJson: string, revisionId: string = revision) =>
    (await update(id, { slides: { slides: [{ ...figure(revisionId, dataJson), id: 's' }] } }))
      ?.slides[0]
  const omitted = await slideOf('{"mine":2}')
  assert.deepEqual(JSON.parse(omitted?.dataJson ?? ''), { mine: 2, methods: 'ggplot', data: [1] })
  const repeated = await slideOf('{ "data" : [1], "methods":"ggplot" }')
  assert.deepEqual(JSON.parse(repeated?.dataJson ?? ''), { data: [1], methods: 'ggplot' })
  for (const [forged, field] of [
    ['{"methods":"mine"}', 'methods'],
    ['{"data":null}', 'data'],
    ['{"availability":""}', 'availability'],
    ['{"\\u006dethods":"mine"}', 'methods'],
  ] as const) {
    const { fields } = await failureOf(slideOf(forged))
    assert.deepEqual(fields, [`slides[0].slide_data.${field}`])
  }
})

test('states of the told revisions', async () => {
  const { id } = await at.create({ revisionIds: [revision] })
  await sql`update story_version set revision_ids = ${[revision, hiddenRevision, deletedRevision]}
    where story_id = ${id}`.execute(at.ctx.db)
  const { story } = await at.stories.getStory({ id }, eve)
  assert.deepEqual(
    story?.revisions.map(({ state, node }) => [state, node?.id]),
    [
      [RevisionState.VISIBLE, revision],
      [RevisionState.HIDDEN, undefined],
      [RevisionState.DELETED, undefined],
    ],
  )
  for (const hidden of [hiddenRevision, deletedRevision]) {
    const { fields } = await failureOf(at.create({ revisionIds: [revision, hidden] }))
    assert.deepEqual(fields, ['revisions[1]'])
  }
})

test('limits name the member', async () => {
  const slides = (count: number, content = '') => ({
    slides: { slides: Array.from({ length: count }, () => ({ type: SlideType.CUSTOM, content })) },
  })
  assert.deepEqual((await failureOf(at.create(slides(6)))).fields, ['slides'])
  assert.deepEqual((await failureOf(at.create(slides(4, 'x'.repeat(300))))).fields, ['slides'])
  const { id } = await at.create(slides(5))
  const tooMany = update(id, { revisions: { ids: [revision] } })
  assert.deepEqual((await failureOf(tooMany)).fields, ['revisions'])
})

test('stories that can no longer be restored are purged with their versions', async () => {
  const { id } = await at.create()
  const kept = await at.create()
  at.catalog.purgeable.push(id)
  await purgeDeleted.run(at.ctx, {}, new AbortController().signal, 1)
  const { rows } = await sql<{ story_id: string }>`
    select story_id from story_version where story_id in (${id}, ${kept.id})`.execute(at.ctx.db)
  assert.deepEqual(rows, [{ story_id: kept.id }])
})
