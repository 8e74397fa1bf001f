import { statement } from '@figbase/kit/db'
import type { Db } from '../../db/schema.js'
import { toJson } from '../../db/to-json.js'
import { errorKeys } from '../../text/typing-errors.js'
import type { Generation } from '../port.js'

/** `words`: the text of a tsvector. `texts`: base64. */
export type NewEntry = { id: string; words: string; title_words: number; texts: string }

type Batch = { generation: Generation; entries: string }

const upserted = statement<never, Batch>(`
  insert into entry as e (generation, id, words, title_words, texts)
  select :generation::int, n.id, n.words::tsvector, n.title_words, decode(n.texts, 'base64')
    from json_to_recordset(:entries::json) as n (id uuid, words text, title_words int, texts text)
   order by n.id
  on conflict (generation, id) do update
    set words = excluded.words, title_words = excluded.title_words, texts = excluded.texts
   where (e.words, e.texts) is distinct from (excluded.words, excluded.texts)`)

/** Each id at most once. In the order of the ids, so that two processes cannot deadlock. Uses entry_pkey. */
export async function upsertEntries(
  db: Db,
  generation: Generation,
  entries: NewEntry[],
): Promise<void> {
  await upserted(db, { generation, entries: toJson(entries) })
}

const removed = statement<never>(`
  with gone as materialized (
    select e.id from entry e where e.generation = $1::int and e.id = any($2::uuid[])
     order by e.id for update
  )
  delete from entry e using gone g where e.generation = $1::int and e.id = g.id`)

/** Uses entry_pkey. */
export async function removeEntries(db: Db, generation: Generation, ids: string[]): Promise<void> {
  await removed(db, generation, ids)
}

const unknown = statement<{ word: string }>(`
  select n.word from unnest($2::text[]) n (word)
   where not exists (select from word w where w.generation = $1::int and w.word = n.word)`)

type NewWords = { generation: Generation; words: string }

const inserted = statement<never, NewWords>(`
  insert into word (generation, word, error_keys)
  select :generation::int, n.word, n.keys
    from json_to_recordset(:words::json) as n (word text, keys int[])
   order by n.word collate "C"
  on conflict do nothing`)

/** Words stay until their generation is dropped. Uses word_pkey. */
export async function insertWords(db: Db, generation: Generation, words: string[]): Promise<void> {
  if (words.length === 0) return
  const added = await unknown(db, generation, words)
  if (added.length === 0) return
  const rows = added.map(({ word }) => ({ word, keys: errorKeys(word) }))
  await inserted(db, { generation, words: toJson(rows) })
}
