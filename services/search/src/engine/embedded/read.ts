import { statement } from '@figbase/kit/db'
import type { Db } from '../../db/schema.js'
import { live } from './examined.js'

const texts = statement<{ id: string; texts: Buffer }>(`
  select e.id, e.texts from entry e
   where e.generation = ${live} and e.id = any($1::uuid[])`)

/** The packed texts of documents by their ids. Uses entry_pkey. */
export async function readTexts(db: Db, ids: string[]): Promise<Map<string, Buffer>> {
  return new Map((await texts(db, ids)).map((row) => [row.id, row.texts]))
}

const similar = statement<{ word: string }>(`
  select w.word from word w where w.generation = ${live} and w.error_keys && $1::int[]`)

/** Words that may become the same word by a typing error. Uses word_error_keys_idx. */
export async function findSimilarWords(db: Db, errorKeys: number[]): Promise<string[]> {
  return (await similar(db, errorKeys)).map(({ word }) => word)
}
