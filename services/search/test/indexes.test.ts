import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import {
  claimChanges,
  finishChanges,
  nextDueMs,
  postponeChanges,
  releaseChanges,
  renewClaims,
} from '../src/queries/changes.js'
import {
  findPicture,
  readDescriptors,
  readPassages,
  readRecognizedTexts,
  readVectors,
} from '../src/queries/likenesses.js'
import {
  beforeAllChanges,
  listChangedPictures,
  listChangedPlaces,
  listChangedVectors,
} from '../src/queries/loaded-likenesses.js'
import {
  listBelow,
  listCreationTimes,
  listNewestRevisions,
  listRevisionsOf,
  removePlaces,
} from '../src/queries/places.js'
import { type EngineDatabase, startEngineDatabase } from './engine-service.js'

const id = randomUUID()

let at: EngineDatabase
before(async () => {
  at = await startEngineDatabase()
  // 20,000 revisions in 1000 figures, all with a likeness and a change.
  await sql`
    with figure as (
      select gen_random_uuid() as id, gen_random_uuid() as workspace from generate_series(1, 1000)
    ), made as (
      insert into place (id, type, workspace_id, analysis_id, item_id, created_on, changed_on)
      select gen_random_uuid(), 'figure_revision', f.workspace, f.workspace, f.id, now(),
             now() - n * interval '1 s'
        from figure f, generate_series(1, 20) n
      returning id
    ), likenesses as (
      insert into likeness (revision_id, changed_on)
      select id, now() - row_number() over () * interval '1 s' from made
    )
    insert into change (id, priority, due_on)
    select id, 1, now() + interval '1 d' from made`.execute(at.db)
  await sql`vacuum analyze`.execute(at.db)
})
after(() => at[Symbol.asyncDispose]())

type Values = string[] | Record<string, string>

/** The statements by name: how to run them, their text, their values, the indexes that they use. */
const statements: Record<string, [(tx: Tx) => Promise<unknown>, RegExp, Values, string[]]> = {
  'changes that are due': [
    (tx) => claimChanges(tx, 100, 1000),
    /with due as/,
    ['100', '1000'],
    ['change_due_idx', 'change_pkey'],
  ],
  'finished changes': [
    (tx) => finishChanges(tx, []),
    /with done as/,
    [`'{${id}}'`, `'{1}'`, `'{f}'`, `'{f}'`],
    ['change_pkey'],
  ],
  'renewed claims': [
    (tx) => renewClaims(tx, [id], 1),
    /and claimed_until is not null/,
    [`'{${id}}'`, '1'],
    ['change_pkey'],
  ],
  'the next change that is due': [
    (tx) => nextDueMs(tx),
    /as ms from \(/,
    ['100'],
    ['change_due_idx'],
  ],
  'postponed changes': [
    (tx) => postponeChanges(tx, [id], 1),
    /update change set claimed_until = null, due_on/,
    [`'{${id}}'`, '1'],
    ['change_pkey'],
  ],
  'released changes': [
    (tx) => releaseChanges(tx, [id]),
    /update change set claimed_until = null, attempts/,
    [`'{${id}}'`],
    ['change_pkey'],
  ],
  'objects below another': [
    (tx) => listBelow(tx, id, id, 10),
    /from place p where p.workspace_id/,
    [`'${id}'`, `'${id}'`, '10'],
    ['place_workspace_idx', 'place_analysis_idx', 'place_item_idx'],
  ],
  'revisions of a figure': [
    (tx) => listRevisionsOf(tx, id, id, 10),
    /select id from place\s+where item_id/,
    [`'${id}'`, `'${id}'`, '10'],
    ['place_item_idx'],
  ],
  'newest revisions of figures': [
    (tx) => listNewestRevisions(tx, [id]),
    /as revision_id/,
    [`'{${id}}'`],
    ['place_pkey', 'place_item_newest_idx'],
  ],
  'creation times': [
    (tx) => listCreationTimes(tx, [id]),
    /as ms from place/,
    [`'{${id}}'`],
    ['place_pkey'],
  ],
  'removed places': [
    (tx) => removePlaces(tx, [id]),
    /delete from place/,
    [`'{${id}}'`],
    ['place_pkey'],
  ],
  'changed vectors': [
    (tx) => listChangedVectors(tx, 'a model', beforeAllChanges, 10),
    /l\.vector end as content/,
    { changedOn: 'now()', id: `'${id}'`, limit: '10', model: `'a model'` },
    ['likeness_changed_idx', 'place_pkey'],
  ],
  'changed pictures': [
    (tx) => listChangedPictures(tx, 1, beforeAllChanges, 10),
    /l\.picture_global end as content/,
    { changedOn: 'now()', id: `'${id}'`, limit: '10', version: '1' },
    ['likeness_changed_idx', 'place_pkey'],
  ],
  'changed places': [
    (tx) => listChangedPlaces(tx, beforeAllChanges, 10),
    /from place p\s+where \(p\.changed_on/,
    { changedOn: 'now()', id: `'${id}'`, limit: '10' },
    ['place_changed_idx'],
  ],
  'texts to embed': [
    (tx) => readPassages(tx, id),
    /passages_hash as hash from likeness/,
    [`'${id}'`],
    ['likeness_pkey'],
  ],
  'vectors of documents': [
    (tx) => readVectors(tx, [id], 'a model'),
    /select revision_id as id, vector/,
    { ids: `'{${id}}'`, model: `'a model'` },
    ['likeness_pkey'],
  ],
  'a picture': [
    (tx) => findPicture(tx, id),
    /select picture from likeness/,
    [`'${id}'`],
    ['likeness_pkey'],
  ],
  'recognized texts': [
    (tx) => readRecognizedTexts(tx, [id]),
    /recognized_text as text/,
    [`'{${id}}'`],
    ['likeness_pkey'],
  ],
  descriptors: [
    (tx) => readDescriptors(tx, [id], 50),
    /picture_local as local/,
    [`'{${id}}'`, '50'],
    ['likeness_pkey'],
  ],
}

for (const [name, [run, text, values, indexes]] of Object.entries(statements)) {
  test(`${name}: found by ${indexes.join(' and ')}`, async () => {
    assertUses(await plansIn(at.transact, run, text, values), indexes)
  })
}
