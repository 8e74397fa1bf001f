import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import {
  deleteExports,
  findExport,
  insertExport,
  listExpired,
  listExportsOf,
  listUnknown,
  setStored,
} from '../src/queries/exports.js'
import {
  deleteStories,
  findStory,
  findStoryLocked,
  listExistingIds,
  listSlides,
  listTelling,
  saveVersion,
} from '../src/queries/stories.js'
import { listUnsettled } from '../src/queries/updates.js'
import { findVersion, listSavedBy, listVersions } from '../src/queries/versions.js'
import { type Started, start } from './test-service.js'

const id = '00000000-0000-4000-8000-000000000001'
const quoted = `'${id}'`

let at: Started
before(async () => {
  at = await start()
  const { db } = at.ctx
  await sql`
    insert into story (id, version, size_bytes, created_by, created_on, is_silent)
    select ('00000000-0000-4000-8000-' || lpad(s::text, 12, '0'))::uuid, 20, 20, 'ann', now(), false
      from generate_series(1, 2000) s`.execute(db)
  await sql`
    insert into story_version (story_id, version, name, revision_ids, slides, size_bytes, saved_by, saved_on)
    select id, v, 'a', array[gen_random_uuid()], '[]', 1, 'ann', now() from story, generate_series(1, 20) v`.execute(
    db,
  )
  await sql`
    insert into story_update (id, story_id, author, is_silent, note)
    select gen_random_uuid(), id, 'ann', false, '' from story`.execute(db)
  await sql`
    insert into story_export (id, story_id, owner, format, created_on)
    select id, id, 'ann' || row_number() over (), 'markdown', now() - row_number() over () * interval '1 minute'
      from story`.execute(db)
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[] | Record<string, string>,
) => plansIn(at.ctx.transact, run, text, values)

test('stories and versions are found by their keys', async () => {
  const keys = ['story_pkey', 'story_version_pkey']
  assertUses(await plansOf((tx) => findStory(tx, id), /where s\.id = \$1/, [quoted]), keys)
  assertUses(await plansOf((tx) => findStoryLocked(tx, id), /for no key/, [quoted]), ['story_pkey'])
  const texts = await plansOf((tx) => listSlides(tx, [id]), /select v\.story_id, v\.slides/, [
    `'{${id}}'`,
  ])
  assertUses(texts, keys)
  const told = await plansOf((tx) => listTelling(tx, id, 100), /revision_ids @>/, [quoted, '100'])
  assertUses(told, ['story_version_revisions_idx', 'story_pkey'])
  const one = (tx: Tx) => findVersion(tx, id, 3)
  assertUses(await plansOf(one, /and version = \$2/, [quoted, '3']), ['story_version_pkey'])
  const list = (tx: Tx) => listVersions(tx, id, 9, 5)
  assertUses(await plansOf(list, /version < \$2/, [quoted, '9', '5']), ['story_version_pkey'])
  const own = await plansOf((tx) => listSavedBy(tx, 'ann', id, 2), /distinct on/, [
    "'ann'",
    quoted,
    '2',
  ])
  assertUses(own, ['story_version_saved_by_idx'])
})

test('a version is saved by keys', async () => {
  const version = {
    storyId: id,
    updateId: '00000000-0000-4000-9000-000000000001',
    savedBy: 'ann',
    savedOn: new Date().toISOString(),
    isSilent: false,
    revisionsVisible: false,
    opened: {},
    note: '',
    versionsMax: 10,
    reservedForMs: 60_000,
  }
  const content = { name: 'a', description: null, revisionIds: [], slides: [] }
  const plans = await plansOf((tx) => saveVersion(tx, version, content), /update story s/, {
    storyId: quoted,
    updateId: `'${version.updateId}'`,
    savedBy: "'ann'",
    savedOn: `'${version.savedOn}'`,
    isSilent: "'f'",
    revisionsVisible: "'f'",
    opened: "'{}'",
    note: "''",
    versionsMax: '10',
    reservedForMs: '60000',
    name: "'a'",
    description: 'null',
    revisionIds: "'{}'",
    slides: "'[]'",
    sizeBytes: '1',
  })
  assertUses(plans, ['story_pkey', 'story_version_pkey'])
})

test('updates and purges use indexes', async () => {
  const unsettled = await plansOf(
    (tx) => listUnsettled(tx, id),
    /from story_update where story_id/,
    [quoted],
  )
  assertUses(unsettled, ['story_update_story_idx'])
  const ids = `'{${id}}'`
  const existing = await plansOf((tx) => listExistingIds(tx, [id]), /select id from story where/, [
    ids,
  ])
  assertUses(existing, ['story_pkey', 'story_update_pkey'])
  assertUses(await plansOf((tx) => deleteStories(tx, [id]), /delete from story where/, [ids]), [
    'story_pkey',
  ])
})

test('exports are found by their key, owner, story and age', async () => {
  const day = 24 * 60 * 60_000
  const found = await plansOf((tx) => findExport(tx, id, day), /where id = \$1 and created/, [
    quoted,
    String(day),
  ])
  assertUses(found, ['story_export_pkey'])
  const row = { id: crypto.randomUUID(), storyId: id, owner: 'ann', format: 'markdown' as const }
  const limits = { keptMax: 5, retentionMs: day }
  const inserted = await plansOf(
    (tx) => insertExport(tx, row, limits),
    /insert into story_export/,
    {
      id: `'${row.id}'`,
      storyId: quoted,
      owner: "'ann'",
      format: "'markdown'",
      keptMax: '5',
      retentionMs: String(day),
    },
  )
  assertUses(inserted, ['story_export_owner_idx'])
  const file = { id, sizeBytes: 1, fileName: 'a', revisionIds: [] }
  const values = { id: quoted, sizeBytes: '1', fileName: "'a'", revisionIds: "'{}'" }
  const stored = await plansOf((tx) => setStored(tx, file), /update story_export/, values)
  assertUses(stored, ['story_export_pkey'])
  const expired = await plansOf((tx) => listExpired(tx, day, 10), /order by created_on/, [
    String(day),
    '10',
  ])
  assertUses(expired, ['story_export_created_idx'])
  const ids = `'{${id}}'`
  const ofStory = await plansOf((tx) => listExportsOf(tx, [id], 10), /where story_id = any/, [
    ids,
    '10',
  ])
  assertUses(ofStory, ['story_export_story_idx'])
  const unknown = await plansOf(
    (tx) => listUnknown(tx, [id]),
    /select id from story_export where id = any/,
    [ids],
  )
  assertUses(unknown, ['story_export_pkey'])
  const deleted = await plansOf((tx) => deleteExports(tx, [id]), /delete from story_export/, [ids])
  assertUses(deleted, ['story_export_pkey'])
})
