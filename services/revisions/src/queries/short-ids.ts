import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

const reserved = statement<{ is_full: boolean; prefix: string | null }>(`
  with held as (
    select count(*) >= $3::int as is_full
      from (select from short_id_prefix p where p.username = $2 and not p.is_servers limit $3::int) p
  ), made as (
    insert into short_id_prefix (prefix, username, is_servers)
    select $1, $2, false from held where not held.is_full
    on conflict (prefix) do nothing
    returning prefix
  )
  select held.is_full, made.prefix from held left join made on true`)

/**
 * False if the prefix is taken, undefined if the user has reached the maximum. Concurrent requests may
 * exceed it by one each. By short_id_prefix_username_idx.
 */
export async function reservePrefix(
  db: Db,
  prefix: string,
  username: string,
  prefixesMax: number,
): Promise<boolean | undefined> {
  const [row] = await reserved(db, prefix, username, prefixesMax)
  return row?.is_full ? undefined : row?.prefix === prefix
}

const ownPrefix = statement<{ prefix: string }>(`
  select p.prefix from short_id_prefix p
   where p.prefix = $1 and p.username = $2 and not p.is_servers`)

export async function hasPrefix(db: Db, prefix: string, username: string): Promise<boolean> {
  return (await ownPrefix(db, prefix, username)).length > 0
}

const retired = statement<{ is_retired: boolean }>(`
  select exists (select from retired_short_id where short_id = $1) as is_retired`)

/** Whether a purged revision had this short id. By retired_short_id_pkey. */
export async function isRetired(db: Db, shortId: string): Promise<boolean> {
  return (await retired(db, shortId))[0]?.is_retired ?? false
}

const incremented = statement<{ prefix: string; index: bigint }>(`
  insert into short_id_prefix as p (prefix, username, is_servers, next_index)
  values ($1, $2, true, 1)
  on conflict (username) where is_servers do update set next_index = p.next_index + 1
  returning p.prefix, p.next_index - 1 as index`)

/**
 * The next number below the prefix that the server has for this user. `prefix` is reserved if there is none
 * yet. By short_id_prefix_servers_key.
 */
export async function nextNumber(
  db: Db,
  prefix: string,
  username: string,
): Promise<{ prefix: string; index: number }> {
  const [row] = await incremented(db, prefix, username)
  if (!row) throw new Error('taking a short id number returned no row')
  return { prefix: row.prefix, index: Number(row.index) }
}

const named = statement<{ id: string }>('select r.id from revision r where r.short_id = $1')

/** By revision_short_id_key. */
export async function findByShortId(db: Db, shortId: string): Promise<string | undefined> {
  return (await named(db, shortId))[0]?.id
}
