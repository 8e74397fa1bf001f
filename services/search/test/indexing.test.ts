import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NodeType } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import { SearchUnavailable } from '../src/engine/port.js'
import { moveSubtree } from '../src/indexing/move-subtree.js'
import { claimChanges, countChanges, finishChanges, insertChanges } from '../src/queries/changes.js'
import { listBelow, upsertPlaces } from '../src/queries/places.js'
import { type Started, start } from './test-service.js'
import type { Thing } from './world.js'

let started: Started
let workspace: Thing
let analysis: Thing
before(async () => {
  started = await start()
  const { world } = started
  workspace = world.add(NodeType.WORKSPACE)
  analysis = world.add(NodeType.ANALYSIS, workspace)
  world.share('ann', workspace)
})
after(() => started[Symbol.asyncDispose]())

const noId = '00000000-0000-0000-0000-000000000000'
let words = 0
const newWord = () => `wq${(words++).toString(36)}zz`

test('an object is found by its name, description, code, metadata, files and comments', async () => {
  const { world, index, find } = started
  const [name, description] = [newWord(), newWord()]
  const [code, key, comment] = [newWord(), newWord(), newWord()]
  const figure = world.add(NodeType.FIGURE, analysis, { name: `A ${name}`, description })
  const revision = world.add(NodeType.FIGURE_REVISION, figure, {
    code: `plot(${code})`,
    metadata: { [key]: { list: ['value'] } },
    comment: `Is it ${comment}?`,
  })
  await index(figure, revision)
  for (const word of [name, description]) assert.deepEqual(await find('ann', word), [figure.id])
  for (const word of [code, key, comment, revision.id])
    assert.deepEqual(await find('ann', word), [revision.id])
})

test('a story is found by its name and its slides', async () => {
  const { world, index, find } = started
  const [name, slide] = [newWord(), newWord()]
  const workspace = analysis.parent
  const story = world.add(NodeType.STORY, workspace, { name, slides: `# ${slide}` })
  await index(story)
  for (const word of [name, slide]) assert.deepEqual(await find('ann', word), [story.id])
  assert.equal(world.calls.get('readStories'), 1)
})

test('a changed object is found by its new words only, and a purged one no longer', async () => {
  const { world, index, find } = started
  const [before, later] = [newWord(), newWord()]
  const figure = world.add(NodeType.FIGURE, analysis, { name: before })
  await index(figure)
  figure.name = later
  await index(figure)
  assert.deepEqual(await find('ann', before), [])
  assert.deepEqual(await find('ann', later), [figure.id])
  world.things.delete(figure.id)
  await index(figure)
  const { rows } = await sql`select from place where id = ${figure.id}`.execute(started.ctx.db)
  assert.equal(rows.length, 0)
})

test('the revisions of a renamed figure are indexed without another change', async () => {
  const { world, index, settled, ctx } = started
  const figure = world.add(NodeType.FIGURE, analysis)
  await index(figure, world.add(NodeType.FIGURE_REVISION, figure))
  // Until the indexer has nothing to do.
  await sleep(500)
  await sql`insert into change (id, renames_revisions) values (${figure.id}::uuid, true)`.execute(
    ctx.db,
  )
  ctx.indexer.wake()
  await settled()
})

test('everything below an object that was moved or deleted has a new place', async () => {
  const { world, index, ctx } = started
  const other = world.add(NodeType.WORKSPACE)
  const moved = world.add(NodeType.ANALYSIS, workspace)
  const figures = Array.from({ length: 3 }, () => world.add(NodeType.FIGURE, moved))
  const revision = world.add(NodeType.FIGURE_REVISION, figures[0])
  await index(moved, ...figures, revision)
  const places = async () => {
    const { rows } = await sql<{ workspace_id: string; hidden_by: string | null }>`
      select workspace_id, hidden_by from place where analysis_id = ${moved.id}`.execute(ctx.db)
    return new Set(rows.map((row) => `${row.workspace_id} ${row.hidden_by}`))
  }
  const { signal } = new AbortController()
  moved.parent = other
  await moveSubtree(ctx, moved.id, signal)
  assert.deepEqual(await places(), new Set([`${other.id} null`]))
  moved.isDeleted = true
  await moveSubtree(ctx, moved.id, signal)
  assert.deepEqual(await places(), new Set([`${other.id} ${moved.id}`]))
  moved.isDeleted = false
  await moveSubtree(ctx, moved.id, signal)
  assert.deepEqual(await places(), new Set([`${other.id} null`]))
})

test('a place that was read earlier does not replace a later one', async () => {
  const { world, index, ctx } = started
  const figure = world.add(NodeType.FIGURE, analysis)
  await index(figure)
  const ids = { id: figure.id, type: 'figure' as const, itemId: figure.id, hiddenBy: null }
  const place = { ...ids, analysisId: analysis.id, createdOn: figure.createdOn }
  const [early, late] = [randomUUID(), randomUUID()]
  const { listedOn } = await listBelow(ctx.db, figure.id, noId, 1)
  assert.ok(listedOn)
  const moved = await upsertPlaces(ctx.db, [{ ...place, workspaceId: late }])
  assert.deepEqual(moved, new Set([figure.id]))
  const stale = await upsertPlaces(ctx.db, [{ ...place, workspaceId: early }], listedOn)
  assert.deepEqual(stale, new Set())
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from place where id = ${figure.id}`.execute(ctx.db)
  assert.equal(rows[0]?.workspace_id, late)
})

test('an object that cannot be read does not hold up the others, and is retried', async () => {
  const { world, index, find, ctx } = started
  const word = newWord()
  const figure = world.add(NodeType.FIGURE, analysis)
  const [bad, good] = ['bad', 'good'].map((code) =>
    world.add(NodeType.FIGURE_REVISION, figure, { code: `${word} ${code}` }),
  ) as [Thing, Thing]
  world.broken.add(bad.id)
  await insertChanges(ctx.db, [bad.id, good.id])
  ctx.indexer.wake()
  while ((await find('ann', word)).length === 0) await sleep(10)
  assert.deepEqual(await find('ann', word), [good.id])
  assert.equal(await countChanges(ctx.db), 1n)
  world.broken.delete(bad.id)
  await index(bad)
  assert.deepEqual((await find('ann', word)).sort(), [bad.id, good.id].sort())
})

test('an object that failed is indexed when it is due, without another change', async () => {
  const { world, find, ctx } = started
  const word = newWord()
  const figure = world.add(NodeType.FIGURE, analysis)
  const revision = world.add(NodeType.FIGURE_REVISION, figure, { code: word })
  world.broken.add(revision.id)
  await insertChanges(ctx.db, [revision.id])
  ctx.indexer.wake()
  const isPostponed = sql<{ is: boolean }>`select due_on > now() as is from change`
  while (!(await isPostponed.execute(ctx.db)).rows[0]?.is) await sleep(10)
  world.broken.delete(revision.id)
  await started.settled()
  assert.deepEqual(await find('ann', word), [revision.id])
})

test('while the engine is unavailable, changes wait, and are not taken for failures', async () => {
  const { world, find, ctx } = started
  const { engine } = ctx
  const word = newWord()
  const figure = world.add(NodeType.FIGURE, analysis, { name: word })
  let checks = 0
  ctx.engine = {
    ...engine,
    server: { name: 'one', isAvailable: async () => ++checks > 3 },
    write: async (...batch) => {
      if (checks <= 3) throw new SearchUnavailable('away')
      return engine.write(...batch)
    },
  }
  await insertChanges(ctx.db, [figure.id])
  ctx.indexer.wake()
  while (checks < 2) await sleep(10)
  const { rows } = await sql<object>`
    select attempts, due_on <= now() as is_due, claimed_until from change`.execute(ctx.db)
  assert.deepEqual(rows, [{ attempts: 0, is_due: true, claimed_until: null }])
  await started.settled()
  assert.deepEqual(await find('ann', word), [figure.id])
  assert.equal(checks, 4)
  ctx.engine = engine
})

test('changes are kept while a service is unavailable', async () => {
  const { world, index, find, ctx } = started
  const word = newWord()
  const figure = world.add(NodeType.FIGURE, analysis, { name: word })
  const calls = () => world.calls.get('readPlaces') ?? 0
  const callsBefore = calls()
  world.isAvailable = false
  await insertChanges(ctx.db, [figure.id])
  ctx.indexer.wake()
  while (calls() === callsBefore) await sleep(10)
  world.isAvailable = true
  assert.equal(await countChanges(ctx.db), 1n)
  await index(figure)
  assert.deepEqual(await find('ann', word), [figure.id])
})

test('a change during the indexing stays, and is due at once', async () => {
  const indexer = { start() {}, wake() {}, [Symbol.asyncDispose]: async () => {} }
  await using other = await start({
    prepare: (ctx) => Object.assign(ctx, { indexer }),
    settle: false,
  })
  const { db } = other.ctx
  const id = randomUUID()
  await insertChanges(db, [id])
  const claimed = await claimChanges(db, 10, 60_000)
  assert.deepEqual(
    claimed.map((change) => change.id),
    [id],
  )
  await insertChanges(db, [id])
  assert.deepEqual(await claimChanges(db, 10, 60_000), [], 'still claimed')
  assert.equal(await finishChanges(db, claimed), true)
  const again = await claimChanges(db, 10, 60_000)
  assert.equal(again.length, 1)
  assert.equal(await finishChanges(db, again), false)
  assert.equal(await countChanges(db), 0n)
})

test('many changes are indexed with few calls', async () => {
  const { world, index, find } = started
  const word = newWord()
  const figures = Array.from({ length: 90 }, () =>
    world.add(NodeType.FIGURE, analysis, { name: word }),
  )
  world.calls.clear()
  await index(...figures)
  assert.equal((await find('ann', word)).length, 90)
  assert.ok((world.calls.get('readPlaces') ?? 0) <= 2)
  assert.equal(world.calls.get('readContents'), undefined, 'figures have no content')
})
