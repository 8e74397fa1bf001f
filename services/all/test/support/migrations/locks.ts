import type pg from 'pg'
import { isSmall } from './small.js'

/** Work on a table: its files, rows read by sequential scans, and rows changed. */
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
 * Watches a migration inside its transaction. The returned function reports how the migration blocks writers of
 * existing tables for a time that grows with the number of rows.
 */
export async function watchLocks(
  client: pg.Client,
  schemas: string[],
): Promise<() => Promise<string[]>> {
  const measure = async () => {
    await client.query(`set search_path = ''`)
    const { rows } = await client.query<Work>(workOf, [schemas])
    return new Map(rows.map((work) => [work.name, work]))
  }
  const before = await measure()
  const isLarge = (name: string) => before.has(name) && !isSmall(name)
  return async () => {
    const after = await measure()
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
  if (now.files !== then.files) blocks.push(`${name} is rewritten, which blocks all access`)
  if (now.changed > then.changed) {
    blocks.push(`rows of ${name} are updated and stay locked until the migration ends`)
  }
  if (now.read > then.read && locked.length > 0) {
    blocks.push(`all of ${name} is scanned while writes are blocked to ${locked.join(', ')}`)
  }
  return blocks
}
