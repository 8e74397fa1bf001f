import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NodeType } from '@figbase/proto/catalog'
import { sql } from 'kysely'
import { requestRebuild } from '../src/index.js'
import { rebuildIndex } from '../src/indexing/rebuild.js'
import { listGenerations } from '../src/queries/generations.js'
import { type Started, start } from './test-service.js'
import { World } from './world.js'

function newWorld(figures: number) {
  const world = new World()
  const workspace = world.add(NodeType.WORKSPACE)
  const analysis = world.add(NodeType.ANALYSIS, workspace)
  world.share('ann', workspace)
  const things = Array.from({ length: figures }, () =>
    world.add(NodeType.FIGURE, analysis, { name: 'spectrum' }),
  )
  return { world, workspace, analysis, things }
}

const { signal } = new AbortController()
/** Waits until the first index is built: its job begins a little after the start. */
async function firstBuilt({ ctx, settled }: Started) {
  for (;;) {
    const { rows } = await sql`select from job where name = 'rebuild-index'`.execute(ctx.db)
    if (rows.length === 0) return settled()
    await sleep(10)
  }
}
const countOf = async ({ find }: Started) => (await find('ann', 'spectrum')).length

test('an installation with objects is indexed at the first start', async () => {
  const { world, things } = newWorld(30)
  await using started = await start({ world })
  while ((await countOf(started)) < things.length) await sleep(10)
  await firstBuilt(started)
  assert.equal(await countOf(started), things.length)
})

test('a rebuild finds what the index had lost, and replaces it', async () => {
  const { world, things } = newWorld(30)
  await using started = await start({ world })
  await firstBuilt(started)
  const { ctx } = started
  const [live] = await listGenerations(ctx.db)
  await ctx.engine.remove(
    live?.generation ?? 0,
    things.slice(0, 10).map(({ id }) => id),
  )
  while ((await countOf(started)) > 20) await sleep(10)
  const progress: number[] = []
  const result = await rebuildIndex(ctx, signal, ({ objects }) => void progress.push(objects))
  assert.equal(await countOf(started), 30)
  assert.deepEqual(result, { objects: 32, total: 32 })
  assert.deepEqual(
    progress,
    [...progress].sort((a, b) => a - b),
  )
  const after = await listGenerations(ctx.db)
  assert.deepEqual(
    after.map(({ state }) => state),
    ['live'],
  )
  assert.ok((after[0]?.generation ?? 0) > (live?.generation ?? 0))
})

test('changes during a rebuild are in both indexes, and searches go on', async () => {
  const { world, analysis, things } = newWorld(40)
  await using started = await start({ world })
  await firstBuilt(started)
  const rebuilding = rebuildIndex(started.ctx, signal, () => {})
  const added = world.add(NodeType.FIGURE, analysis, { name: 'spectrum' })
  const [changed] = things
  if (changed) changed.name = 'interferogram'
  await started.index(added, { id: changed?.id ?? '' })
  await rebuilding
  assert.equal(await countOf(started), 40)
  assert.deepEqual(await started.find('ann', 'interferogram'), [changed?.id])
})

test('an interrupted rebuild is continued, and the old index serves until it ends', async () => {
  const { world } = newWorld(30)
  await using started = await start({ world })
  await firstBuilt(started)
  const { ctx } = started
  const stopping = new AbortController()
  const interrupted = rebuildIndex(ctx, stopping.signal, () => stopping.abort())
  await assert.rejects(interrupted)
  assert.equal((await listGenerations(ctx.db)).length, 2)
  assert.equal(await countOf(started), 30)
  await using restarted = await start({ world, databaseUrl: started.databaseUrl, settle: false })
  assert.equal(await countOf(restarted), 30)
  await rebuildIndex(restarted.ctx, signal, () => {})
  assert.equal((await listGenerations(ctx.db)).length, 1)
  assert.equal(await countOf(restarted), 30)
})

test('a rebuild that is requested from outside is done by the service', async () => {
  const { world } = newWorld(5)
  await using started = await start({ world })
  await firstBuilt(started)
  const database = { url: started.databaseUrl, isPooled: false, directUrl: started.databaseUrl }
  await using requested = await requestRebuild({ database, env: {} })
  while ((await requested.read()) !== 'finished') await sleep(20)
  // A search that began with the old index may find it dropped.
  for (let tries = 0; (await countOf(started)) < 5; tries++) assert.ok(tries < 3)
})
