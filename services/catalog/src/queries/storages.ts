import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

/** The storage settings of a workspace or an organization. */
export type StorageRow = { vendor: string; params: string }

const found = statement<StorageRow>(`
  select c.vendor, c.params::text as params
    from container_storage c
    join node n on n.id = c.node_id
    left join organization o on o.node_id = n.organization_id
   where c.node_id = $1 and o.allow_per_workspace_storage is not false`)

/** Undefined when there are none, or the organization no longer allows them. */
export async function findStorage(db: Db, nodeId: string): Promise<StorageRow | undefined> {
  return (await found(db, nodeId))[0]
}

/**
 * SQL for the storage id of new data in the workspace of the node `n`, with `organizationJoin`: the workspace's own
 * storage if the organization allows it, else the organization's; null: the default. Uses container_storage_pkey.
 */
export const newDataStorage = `coalesce(
  (select c.storage_id from container_storage c
    where c.node_id = n.workspace_id and o.allow_per_workspace_storage is not false),
  (select c.storage_id from container_storage c where c.node_id = w.organization_id))`

const saved = statement<never, NewStorage & { by: string }>(`
  insert into container_storage (node_id, storage_id, vendor, params, changed_by)
  values (:nodeId, :storageId, :vendor, :params::json, :by)
  on conflict (node_id) do update
     set storage_id = excluded.storage_id, vendor = excluded.vendor, params = excluded.params,
         changed_by = excluded.changed_by, changed_on = now()`)

export type NewStorage = StorageRow & { nodeId: string; storageId: string }

export async function saveStorage(tx: Tx, storage: NewStorage, by: string): Promise<void> {
  await saved(tx, { ...storage, by })
}

const deleted = statement<never>('delete from container_storage where node_id = $1')

export async function deleteStorage(tx: Tx, nodeId: string): Promise<void> {
  await deleted(tx, nodeId)
}
