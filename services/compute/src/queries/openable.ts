import { statement } from '@figbase/kit/db'
import type { Selectable } from 'kysely'
import type { Db, InstanceTable } from '../db/schema.js'

/** A running instance, with what it takes to reach its notebook server. */
export type OpenableRow = Pick<
  Selectable<InstanceTable>,
  'id' | 'run_id' | 'owner' | 'workspace_id' | 'address' | 'secrets_sealed'
>

const openable = statement<OpenableRow>(`
  select id, run_id, owner, workspace_id, address, secrets_sealed from instance
   where id = any($1::uuid[]) and desired = 'running' and observed = 'running' and address <> ''`)

/** Those of the instances that are running, and shall be. Uses instance_active_idx. */
export const listOpenable = (db: Db, ids: string[]): Promise<OpenableRow[]> => openable(db, ids)
