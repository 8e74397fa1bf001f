import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { actAsSystem } from '@figbase/kit/rpc'
import { assertUses, plansOf } from '@figbase/kit/testing'
import { NodeType } from '@figbase/proto/catalog'
import { RevisionState } from '@figbase/proto/search'
import { sql } from 'kysely'
import { embedFigureName } from '../src/jobs/likeness-names.js'
import { readRevisionState } from '../src/queries/revision-states.js'
import { type Started, start } from './test-service.js'
import type { Thing } from './world.js'

let started: Started
let figure: Thing
before(async () => {
  started = await start()
  const { world } = started
  const workspace = world.add(NodeType.WORKSPACE)
  figure = world.add(NodeType.FIGURE, world.add(NodeType.ANALYSIS, workspace))
})
after(() => started[Symbol.asyncDispose]())

async function stateOf({ id, version }: { id: string; version: number }, texts = 1) {
  const { state } = await started.client.getRevisionState({ id, version, texts }, actAsSystem())
  return RevisionState[state]
}

const addRevision = (more: Partial<Thing> = {}) =>
  started.world.add(NodeType.FIGURE_REVISION, figure, { code: 'plot()', ...more })

test('a revision is pending until all that is known of it is indexed', async () => {
  const revision = addRevision({ isProcessing: true })
  assert.equal(await stateOf(revision), 'PENDING', 'unknown')
  await started.index(revision)
  assert.equal(await stateOf(revision), 'PENDING', 'read during its processing')
  revision.isProcessing = false
  await started.index(revision)
  assert.equal(await stateOf(revision), 'INDEXED')
  assert.equal(await stateOf(revision, 2), 'PENDING', 'one more text was extracted')
  revision.version = 2
  assert.equal(await stateOf(revision), 'PENDING', 'updated')
  await started.index(revision)
  assert.equal(await stateOf(revision), 'INDEXED')
  assert.equal(await stateOf({ ...revision, version: 1 }), 'INDEXED', 'asked with an old version')
})

test('a change that waits and a job of the revision make it pending; a rebuild does not', async () => {
  const { ctx } = started
  const { db } = ctx
  const revision = addRevision()
  await started.index(revision)
  const waits = (priority: number) =>
    sql`insert into change (id, priority, due_on)
        values (${revision.id}, ${priority}, now() + interval '1 h')`.execute(db)
  await waits(1)
  assert.equal(await stateOf(revision), 'INDEXED')
  await sql`delete from change`.execute(db)
  await waits(0)
  assert.equal(await stateOf(revision), 'PENDING')
  await sql`delete from change`.execute(db)
  const runAt = new Date(Date.now() + 3_600_000)
  const { id } = revision
  await ctx.transact((tx) => ctx.enqueue(tx, embedFigureName, { id }, { key: id, runAt }))
  assert.equal(await stateOf(revision), 'PENDING')
  await sql`update job set state = 'dead' where key = ${id}`.execute(db)
  assert.equal(await stateOf(revision), 'INDEXED')
})

test('a picture that cannot be read, or whose job is dead, has failed', async () => {
  const { db } = started.ctx
  const [read, dead] = [addRevision(), addRevision()]
  await started.index(read, dead)
  await sql`update likeness set problem = 'is no picture' where revision_id = ${read.id}`.execute(
    db,
  )
  await sql`update likeness set picture = 'a hash' where revision_id = ${dead.id}`.execute(db)
  assert.equal(await stateOf(read), 'FAILED')
  assert.equal(await stateOf(dead), 'FAILED')
})

test('an asset revision has no picture to read', async () => {
  const workspace = started.world.add(NodeType.WORKSPACE)
  const asset = started.world.add(NodeType.ASSET, workspace)
  const revision = started.world.add(NodeType.ASSET_REVISION, asset, { code: 'x' })
  await started.index(revision)
  assert.equal(await stateOf(revision), 'INDEXED')
})

test('an unknown revision is pending', async () => {
  assert.equal(await stateOf({ id: randomUUID(), version: 1 }), 'PENDING')
})

test('the state is read by index', async () => {
  const { db, transact } = started.ctx
  await sql`
    with made as (
      insert into place (id, type, workspace_id, created_on)
      select gen_random_uuid(), 'figure_revision', gen_random_uuid(), now()
        from generate_series(1, 5000)
      returning id
    ), likenesses as (
      insert into likeness (revision_id) select id from made
    ), changes as (
      insert into change (id, priority, due_on) select id, 1, now() + interval '1 d' from made
    )
    insert into job (name, key, payload, priority, turn, state, run_at, attempts_max)
    select 'embed-figure', id::text, '{}', 1, 0, 'delayed', now() + interval '1 d', 1
      from made`.execute(db)
  await sql`analyze`.execute(db)
  const id = randomUUID()
  const plans = await plansOf(
    transact,
    (tx) => readRevisionState(tx, { id, version: 1, texts: 0, embeds: true }),
    /as "isPending"/,
    { id: `'${id}'`, version: '1', texts: '0', embeds: 'true' },
  )
  assertUses(plans, ['place_pkey', 'likeness_pkey', 'change_pkey', 'job_key_key'])
  await sql`truncate change, job`.execute(db)
})
