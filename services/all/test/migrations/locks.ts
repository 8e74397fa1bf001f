import type pg from 'pg'
import { isSmall } from './small.js'

/** What was done to a table: the files that it is in, its rows that were read one after the other, and changed. */
type Work = { name: string; files: string | null; read: number; changed: number }

const workOf = `
  select coalesce(i.inhparent, c.oid)::regclass::text as name,
         string_agg(pg_relation_filenode(c.oid)::text, ' ' order by c.oid) as files,
         sum(pg_stat_get_xact_tuples_returned(c.oid))::int as read,
         sum(pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid))::int as changed
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
   where c.relnamespace = any(select oid from pg_namespace where nspname = any($1))
     and c.relkind in ('r', 'p')
   group by 1`

const writersWait = `
  select distinct coalesce(i.inhparent, c.oid)::regclass::text as name
    from pg_locks l join pg_class c on c.oid = l.relation
    left join pg_inherits i on i.inhrelid = c.oid
   where l.pid = pg_backend_pid() and l.granted and c.relkind in ('r', 'p')
     and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

/**
 * Watches a migration inside its transaction. What it answers tells how the migration so far keeps those waiting
 * who write to the tables that were there, for the longer the more rows there are.
 */
export async function watchLocks(
  client: pg.Client,
  schemas: string[],
): Promise<() => Promise<string[]>> {
  const look = async () => {
    await client.query(`set search_path = ''`)
    const { rows } = await client.query<Work>(workOf, [schemas])
    return new Map(rows.map((work) => [work.name, work]))
  }
  const before = await look()
  const isLarge = (name: string) => before.has(name) && !isSmall(name)
  return async () => {
    const after = await look()
    const { rows } = await client.query<{ name: string }>(writersWait)
    const locked = rows.map(({ name }) => name).filter(isLarge)
    return [...before.values()].flatMap((then) => {
      const now = after.get(then.name)
      return now && isLarge(then.name) ? blocksOf(then, now, locked) : []
    })
  }
}

function blocksOf(then: Work, now: Work, locked: string[]): string[] {
  const { name } = now
  const blocks: string[] = []
  if (now.files !== then.files) blocks.push(`${name} is written anew, while nobody can use it`)
  if (now.changed > then.changed) {
    blocks.push(`rows of ${name} are changed, and stay locked until the migration ends`)
  }
  if (now.read > then.read && locked.length > 0) {
    blocks.push(`all of ${name} is read, while nobody can write to ${locked.join(', ')}`)
  }
  return blocks
}
