import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { createEmbeddedEngine } from '../src/engine/embedded/embedded-engine.js'
import { findAll } from '../src/engine/embedded/find-all.js'
import { findAny } from '../src/engine/embedded/find-any.js'
import { findLimits } from '../src/engine/embedded/limits.js'
import { findSimilarWords, readTexts } from '../src/engine/embedded/read.js'
import { insertWords, removeEntries } from '../src/engine/embedded/write.js'
import { type EngineDatabase, startEngineDatabase } from './engine-service.js'

const generation = 1
const workspaceId = randomUUID()
const filter = { roots: [workspaceId], recent: [workspaceId] }
const page = { limit: 10, offset: 0, withHighlights: false }
const query = {
  ...{ match: "'word1' & 'other1'", exact: "'word1'", loose: "'word1'", corrected: null },
  ...{ together: "'word1':A", inOrder: "'word1':A" },
}
const limits = {
  ...findLimits,
  rankedMax: 100,
  candidatesMax: 100,
  matchedMax: 1000,
  newestMax: 500,
}

let at: EngineDatabase
before(async () => {
  at = await startEngineDatabase()
  const { db } = at
  const engine = createEmbeddedEngine(db)
  await engine.create(generation)
  // 20,000 objects, each with two of 10,000 words.
  await sql`
    insert into place (id, type, workspace_id, analysis_id, item_id, created_on)
    select gen_random_uuid(), 'figure', ${workspaceId}, gen_random_uuid(), gen_random_uuid(), now()
      from generate_series(1, 20000)`.execute(db)
  await sql`
    insert into entry (generation, id, words, texts)
    select ${generation}, id, array_to_tsvector(array['word' || n % 10000, 'other' || n % 9999]), ''
      from (select id, row_number() over () as n from place) p`.execute(db)
  await sql`
    insert into word (generation, word, error_keys)
    select ${generation}, 'word' || n, array[n, n + 1] from generate_series(1, 20000) n`.execute(db)
  await engine.publish(generation)
  await sql`vacuum analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: Record<string, string> | string[],
) =>
  plansIn(at.transact, run, text, values).then((plans) =>
    // The table of the live generation has one row.
    plans.map((plan) => plan.replace(/Seq Scan on live_index/g, '')),
  )

const text = (value: string) => `$$${value}$$`
const numbers = {
  limit: '10',
  offset: '0',
  matchedMax: '1000',
  newestMax: '500',
  firstMax: '200',
  lookedUpMax: '1000',
}
const filterValues = { roots: `'{${workspaceId}}'`, recent: `'{}'`, types: 'null', ...numbers }
const newestIndexes = ['workspace', 'analysis', 'item'].map((name) => `place_${name}_newest_idx`)

test('documents with all words are found with indexes', async () => {
  const { match, exact, loose, together, inOrder } = query
  const texts = Object.entries({ match, exact, loose, together, inOrder })
  const values = {
    ...Object.fromEntries(texts.map(([name, value]) => [name, text(value)])),
    rankedMax: '100',
    enoughMax: '100',
  }
  const find = (tx: Tx) => findAll(tx, query, filter, page, limits)
  const plans = await plansOf(find, /with matched/, { ...filterValues, ...values })
  assertUses(plans, ['entry_1_words_idx', 'entry_1_pkey', 'place_pkey', ...newestIndexes])
})

test('documents with one of the words are found with indexes', async () => {
  const find = (tx: Tx) => findAny(tx, [query, query], filter, page, limits)
  const lists = (value: string) => text(`{"${value}","${value}"}`)
  const values = {
    ...{ matches: lists(query.match), exacts: lists(query.exact), looses: lists(query.loose) },
    ...{ correcteds: text('{null,null}'), candidatesMax: '100', readMax: '250' },
  }
  const plans = await plansOf(find, /importance/, { ...filterValues, ...values })
  assertUses(plans, ['entry_1_words_idx', 'entry_1_pkey', 'place_pkey', ...newestIndexes])
})

test('similar words are found with the index on their keys', async () => {
  const find = (tx: Tx) => findSimilarWords(tx, [1, 2])
  assertUses(await plansOf(find, /error_keys && /, [`'{1,2}'`]), ['word_1_error_keys_idx'])
  const add = (tx: Tx) => insertWords(tx, generation, ['word1'])
  const known = await plansOf(add, /select from word w/, [`${generation}`, `'{word1}'`])
  assertUses(known, ['word_1_pkey'])
})

test('texts are read and documents removed with the primary key', async () => {
  const id = randomUUID()
  const read = (tx: Tx) => readTexts(tx, [id])
  assertUses(await plansOf(read, /e\.texts/, [`'{${id}}'`]), ['entry_1_pkey'])
  const remove = (tx: Tx) => removeEntries(tx, generation, [id])
  const plans = await plansOf(remove, /delete from entry/, [`${generation}`, `'{${id}}'`])
  assertUses(plans, ['entry_1_pkey'])
  assert.equal(plans.length, 2)
})
