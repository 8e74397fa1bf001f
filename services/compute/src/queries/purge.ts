import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { type InstanceRow, instanceColumns } from './instances.js'

const ofWorkspaces = statement<InstanceRow>(`
  select ${instanceColumns} from instance i
   where i.workspace_id = any($1::uuid[]) and not i.is_purged and (i.desired <> 'terminated' or i.observed <> 'gone')
   order by i.workspace_id limit $2`)

/** Those that are not being purged yet and may have a volume. Uses instance_in_workspace_idx. */
export const listToPurge = (
  db: Db,
  workspaceIds: string[],
  limit: number,
): Promise<InstanceRow[]> => ofWorkspaces(db, workspaceIds, limit)

const removed = statement<never>(`
  update instance set is_purged = true
   where workspace_id = any($1::uuid[]) and not is_purged and desired = 'terminated' and observed = 'gone'`)

/** Marks those without a volume as purged. Uses instance_in_workspace_idx. */
export async function markPurged(db: Db, workspaceIds: string[]): Promise<void> {
  await removed(db, workspaceIds)
}

const purged = statement<{ id: string }>(`
  with gone as materialized (
    select id from instance
     where is_purged and observed = 'gone' and api_key_id is null and old_api_key_id is null
     order by id limit $1 for update skip locked
  ), events as (
    delete from instance_event where instance_id = any(array(select id from gone))
  ), runs as (
    delete from run where instance_id = any(array(select id from gone)) and holder_id = workspace_id
  ), billed as (
    select distinct instance_id as id from run
     where instance_id = any(array(select id from gone)) and holder_id <> workspace_id
  ), kept as (
    update instance set is_purged = false where id = any(array(select id from billed))
  ), deleted as (
    delete from instance where id in (select id from gone except select id from billed)
  )
  select id from gone`)

/**
 * Deletes instances that are purged and of which the driver has nothing any more, with their events and their ledger.
 * What an organization pays for is kept. Returns how many were handled. Uses instance_purged_idx.
 */
export async function deletePurged(db: Db, limit: number): Promise<number> {
  return (await purged(db, limit)).length
}

const owners = statement<{ owner: string }>(`
  select distinct owner from instance where desired <> 'terminated' and owner > $1 order by owner limit $2`)

/** The owners of instances that are not terminated, after a name. Uses instance_owner_idx. */
export async function listOwners(db: Db, after: string, limit: number): Promise<string[]> {
  return (await owners(db, after, limit)).map(({ owner }) => owner)
}

const ofOwners = statement<InstanceRow>(`
  select ${instanceColumns} from instance i
   where i.owner = any($1::text[]) and i.desired <> 'terminated' order by i.owner limit $2`)

/** Those that are not terminated. Uses instance_owner_idx. */
export const listOfOwners = (db: Db, usernames: string[], limit: number): Promise<InstanceRow[]> =>
  ofOwners(db, usernames, limit)
