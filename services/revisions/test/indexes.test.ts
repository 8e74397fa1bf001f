import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineService } from '@figbase/kit/service'
import { assertUses, plansOf, startTestService, type TestService } from '@figbase/kit/testing'
import { sql } from 'kysely'
import { type Ctx, createContext } from '../src/context.js'
import { revisions } from '../src/index.js'
import { readProgress } from '../src/queries/progress.js'
import { listSummaries } from '../src/queries/summaries.js'
import { createTestCatalog } from './catalog.js'

let service: TestService
let ctx: Ctx
before(async () => {
  let made: Ctx | undefined
  const watched = defineService({
    ...revisions,
    periodic: [],
    context: (kit, cfg) => {
      made = createContext(kit as Ctx, cfg as Ctx['cfg'])
      return made
    },
  })
  const catalog = createTestCatalog()
  service = await startTestService(watched, {
    transport: 'local',
    peers: (router) => void catalog.routes(router),
  })
  assert.ok(made)
  ctx = made
  // 1000 figures with 20 revisions each. Each revision has two data objects, and half of them have a picture.
  await sql`
    with revised as (
      insert into revision (id, type, parent_id, revision_index, metadata, is_clean_room, is_processing,
                            created_by, created_on)
      select gen_random_uuid(), 'figure_revision', f, n, '{}', false, false, 'eve', now()
        from (select gen_random_uuid() as f from generate_series(1, 1000)) figure, generate_series(0, 19) n
      returning id
    ), stored as (
      insert into blob (id, storage, key, digest, size_bytes, refs)
      select b, 'default', 'blobs/' || b, md5(b::text) || md5(b::text), 1, 1
        from (select gen_random_uuid() as b from generate_series(1, 20000)) stored
      returning id
    ), placed as (
      select r.id as revision_id, b.id as blob_id, gen_random_uuid() as data_id, r.n
        from (select id, row_number() over () as n from revised) r
        join (select id, row_number() over () as n from stored) b using (n)
    ), held as (
      insert into external_data (id, revision_id, position, type, metadata, is_clean_room, blob_id, size_bytes,
                                 hash, created_by, created_on)
      select case position when 0 then data_id else gen_random_uuid() end, revision_id, position, 1, '{}', false,
             blob_id, 1, '', 'eve', now()
        from placed, generate_series(0, 1) position
    )
    insert into thumbnail (revision_id, data_id, width, height, digest)
    select revision_id, data_id, 60, 40, md5(data_id::text) from placed where n % 2 = 0`.execute(
    ctx.db,
  )
  await sql`analyze`.execute(ctx.db)
})
after(() => service[Symbol.asyncDispose]())

test('summaries and their thumbnail are read by index', async () => {
  await sql`
    insert into processing_failure (data_id, step, revision_id, reason)
    select id, 'picture', revision_id, 'damaged' from external_data where position = 1`.execute(
    ctx.db,
  )
  await sql`analyze processing_failure`.execute(ctx.db)
  const { rows } = await sql<{ id: string }>`
    select id from revision where parent_id = (select parent_id from revision limit 1)`.execute(
    ctx.db,
  )
  const ids = rows.map(({ id }) => id)
  const newestIds = ids.toReversed()
  const { rows: found, thumbnail } = await listSummaries(ctx.db, ids, newestIds)
  assert.equal(found.length, 20)
  const first = newestIds.find((id) => found.some((row) => row.id === id && row.thumbnail))
  assert.equal(thumbnail?.revision_id, first)
  const plans = await plansOf(
    ctx.transact,
    (tx) => listSummaries(tx, ids, newestIds),
    /with first as materialized/,
    [`'{${ids}}'`, `'{${newestIds}}'`],
  )
  assertUses(plans, [
    'revision_pkey',
    'thumbnail_pkey',
    'external_data_pkey',
    'blob_pkey',
    'processing_failure_revision_idx',
  ])
})

test('what remains to be processed is read by index', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into extracted_text (data_id, revision_id, source, text)
    select id, revision_id, 'plain', '' from external_data where position = 0
    returning revision_id as id`.execute(ctx.db)
  await sql`
    insert into job (name, key, payload, priority, turn, state, run_at, attempts_max)
    select 'extract-text', id::text, '{}', 1, 0, 'delayed', now() + interval '1 d', 1
      from revision`.execute(ctx.db)
  await sql`analyze`.execute(ctx.db)
  const id = rows[0]?.id ?? ''
  assert.deepEqual(await readProgress(ctx.db, id), { isPending: true, texts: 1 })
  const plans = await plansOf(ctx.transact, (tx) => readProgress(tx, id), /as "isPending"/, [
    `'${id}'`,
  ])
  assertUses(plans, ['job_key_key', 'extracted_text_revision_idx', 'external_data_pkey'])
})
