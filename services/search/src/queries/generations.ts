import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Generation } from '../engine/port.js'

/** An index, as far as it is built. */
export type IndexGeneration = {
  generation: Generation
  state: 'live' | 'building' | 'old'
  engine: string
  version: string
  page_token: string
  objects: bigint
  total: bigint
}

const all = statement<IndexGeneration>(`
  select generation, state, engine, version, page_token, objects, total from index_generation
   order by generation`)

/** The live one, the one that is being built, and old ones until they are dropped. */
export function listGenerations(db: Db): Promise<IndexGeneration[]> {
  return all(db)
}

/** The generations to which changes are written. */
export async function writtenGenerations(db: Db): Promise<Generation[]> {
  const written = (await all(db)).filter(({ state }) => state !== 'old')
  return written.map(({ generation }) => generation)
}

type NewGeneration = Pick<IndexGeneration, 'engine' | 'version'> & { total: string }

const inserted = statement<never, NewGeneration>(`
  insert into index_generation (generation, state, engine, version, total)
  select coalesce(max(generation), 0) + 1, 'building', :engine, :version, :total::bigint
    from index_generation
  on conflict do nothing`)

/** Does nothing if one is being built. */
export async function beginGeneration(db: Db, generation: NewGeneration): Promise<void> {
  await inserted(db, generation)
}

type Progress = { generation: Generation; pageToken: string; added: number }

const advanced = statement<never, Progress>(`
  update index_generation set page_token = :pageToken, objects = objects + :added::bigint
   where generation = :generation and state = 'building'`)

export async function advanceGeneration(db: Db, progress: Progress): Promise<void> {
  await advanced(db, progress)
}

const retired = statement<never>(`update index_generation set state = 'old' where generation = $1`)

/** Nothing is written to it any more, and it is to be dropped. */
export async function retireGeneration(db: Db, generation: Generation): Promise<void> {
  await retired(db, generation)
}

const deleted = statement<never>('delete from index_generation where generation = $1')

/** After it was dropped. */
export async function deleteGeneration(db: Db, generation: Generation): Promise<void> {
  await deleted(db, generation)
}

const old = statement<never>(`update index_generation set state = 'old' where generation <> $1`)
const live = statement<never>(`update index_generation set state = 'live' where generation = $1`)

/** Makes a generation the live one in a transaction, and retires the others. */
export async function publishGeneration(tx: Db, generation: Generation): Promise<void> {
  await old(tx, generation)
  await live(tx, generation)
}
