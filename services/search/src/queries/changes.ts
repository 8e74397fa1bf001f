import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** An object that must be indexed again. */
export type Change = {
  id: string
  /** Everything below it has a new place, or was deleted or restored. */
  movesSubtree: boolean
  /** The names that its revisions are found by have changed. */
  renamesRevisions: boolean
}

export type ClaimedChange = Change & {
  seq: bigint
  attempts: number
  /** When it was claimed: the time of the database. */
  claimed_on: string
}

const merged = `
  on conflict (id) do update
    set seq = nextval('change_seq'), priority = 0, attempts = 0, due_on = now(),
        moves_subtree = change.moves_subtree or excluded.moves_subtree,
        renames_revisions = change.renames_revisions or excluded.renames_revisions`

/** SQL that inserts `collected (item, place)`. In the order of the ids, so that two processes cannot deadlock. */
export const insertingChanges: string = `
  insert into change (id, moves_subtree, renames_revisions)
  select (c.item->>'id')::uuid, bool_or((c.item->>'movesSubtree')::boolean),
         bool_or((c.item->>'renamesRevisions')::boolean)
    from collected c group by 1 order by 1
  ${merged}`

const inserted = statement<never>(`
  insert into change (id)
  select distinct id from unnest($1::uuid[]) a (id) order by id ${merged}`)

export async function insertChanges(db: Db, ids: string[]): Promise<void> {
  await inserted(db, ids)
}

const rebuilt = statement<never>(`
  insert into change (id, priority)
  select distinct a.id, 1 from unnest($1::uuid[]) a (id) order by a.id
  on conflict (id) do update set seq = nextval('change_seq')`)

/**
 * Objects that did not change, for a new index. A change that waits already serves it, too; one that is being indexed
 * is repeated, because it may have begun before the new index.
 */
export async function insertRebuilt(db: Db, ids: string[]): Promise<void> {
  await rebuilt(db, ids)
}

const rebuiltCount = statement<{ waiting: number }>(`
  select count(*)::int as waiting from change where priority = 1 and attempts < 5`)

/** How many of these wait. Those that failed five times are not waited for. Uses change_due_idx. */
export async function countRebuilt(db: Db): Promise<number> {
  return (await rebuiltCount(db))[0]?.waiting ?? 0
}

const claimed = statement<{
  id: string
  seq: bigint
  attempts: number
  claimed_on: string
  moves_subtree: boolean
  renames_revisions: boolean
}>(`
  with due as materialized (
    select c.id from change c
     where c.due_on <= now() and (c.claimed_until is null or c.claimed_until < now())
     order by c.priority, c.due_on, c.seq limit $1 for update skip locked
  )
  update change c
     set claimed_until = now() + $2::bigint * interval '1 ms', attempts = c.attempts + 1
    from due where c.id = due.id
  returning c.id, c.seq, c.attempts, now() as claimed_on, c.moves_subtree, c.renames_revisions`)

/** Claims the oldest changes that are due for a time. Uses change_due_idx. */
export async function claimChanges(
  db: Db,
  limit: number,
  claimMs: number,
): Promise<ClaimedChange[]> {
  const rows = await claimed(db, limit, claimMs)
  return rows.map(({ moves_subtree: movesSubtree, renames_revisions, ...row }) => ({
    ...row,
    movesSubtree,
    renamesRevisions: renames_revisions,
  }))
}

const renewed = statement<never>(`
  update change set claimed_until = now() + $2::bigint * interval '1 ms'
   where id = any($1::uuid[]) and claimed_until is not null`)

/** Extends the claims, while the work goes on. Uses change_pkey. */
export async function renewClaims(db: Db, ids: string[], claimMs: number): Promise<void> {
  await renewed(db, ids, claimMs)
}

const finished = statement<{ id: string }>(`
  with done as materialized (
    select * from unnest($1::uuid[], $2::bigint[], $3::boolean[], $4::boolean[])
      as d (id, seq, moves_subtree, renames_revisions)
  ), held as materialized (
    -- Locked, because a row that changes during this statement is not in its snapshot.
    select c.id, c.seq = d.seq as is_done from done d join change c on c.id = d.id
     order by c.id for update of c
  ), gone as (
    delete from change c using held h where c.id = h.id and h.is_done
  ), lost as (
    insert into change (id, moves_subtree, renames_revisions)
    select d.id, d.moves_subtree, d.renames_revisions from done d
     where not exists (select from held h where h.id = d.id) order by d.id
    on conflict do nothing
    returning id
  ), again as (
    update change c set claimed_until = null from held h where c.id = h.id and not h.is_done
    returning c.id
  )
  select id from again union all select id from lost`)

/**
 * Removes changes that are indexed. Returns whether some must be indexed again: they changed meanwhile, or the claim
 * had ended and another process has finished them, so that this process may have written what it had read before. They
 * are due. Uses change_pkey.
 */
export async function finishChanges(db: Db, changes: ClaimedChange[]): Promise<boolean> {
  const again = await finished(
    db,
    changes.map(({ id }) => id),
    changes.map(({ seq }) => String(seq)),
    changes.map(({ movesSubtree }) => movesSubtree),
    changes.map(({ renamesRevisions }) => renamesRevisions),
  )
  return again.length > 0
}

const postponed = statement<never>(`
  update change set claimed_until = null, due_on = now() + $2::bigint * interval '1 ms'
   where id = any($1::uuid[])`)

/** Uses change_pkey. */
export async function postponeChanges(db: Db, ids: string[], delayMs: number): Promise<void> {
  await postponed(db, ids, delayMs)
}

const released = statement<never>(`
  update change set claimed_until = null, attempts = greatest(0, attempts - 1)
   where id = any($1::uuid[])`)

/** Ends the claims of changes that were not tried. Uses change_pkey. */
export async function releaseChanges(db: Db, ids: string[]): Promise<void> {
  await released(db, ids)
}

const nextDue = statement<{ ms: number | null }>(`
  select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from (
    (select greatest(due_on, claimed_until) as due from change
      where priority = 0 order by due_on limit $1)
    union all
    (select greatest(due_on, claimed_until) from change where priority = 1 order by due_on limit $1)
  ) next`)

/** When the next change is due, in milliseconds; undefined: there is none. Uses change_due_idx. */
export async function nextDueMs(db: Db): Promise<number | undefined> {
  return (await nextDue(db, nextMax))[0]?.ms ?? undefined
}

/** Of the changes that are due first, some may be claimed for longer than others wait. */
const nextMax = 100

const counted = statement<{ pending: string }>('select count(*) as pending from change')

export async function countChanges(db: Db): Promise<bigint> {
  return BigInt((await counted(db))[0]?.pending ?? 0)
}
