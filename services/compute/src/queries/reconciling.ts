import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { type InstanceRow, instanceColumns } from './instances.js'

/** An instance with what only the reconciler reads. */
export type ActiveRow = InstanceRow & {
  secrets_sealed: Buffer
  api_key_id: string | null
  old_api_key_id: string | null
  /** Whether the next attempt may begin. */
  is_due: boolean
  /** Whether the volume is deleted now if the instance is terminated. */
  is_removal_due: boolean
}

const isRemovalDue = 'coalesce(i.removes_on <= clock_timestamp(), true)'

const activeColumns = `
  ${instanceColumns}, i.secrets_sealed, i.api_key_id, i.old_api_key_id,
  coalesce(i.retry_on <= clock_timestamp(), true) as is_due,
  ${isRemovalDue} as is_removal_due`

/** As in instance_active_idx, without volumes that are kept for a while. */
const isActive = `(
  desired = 'running' or observed in ('none', 'starting', 'running')
  or desired = 'terminated' and observed <> 'gone' and ${isRemovalDue}
  or api_key_id is not null or old_api_key_id is not null)`

const active = statement<ActiveRow>(`
  select ${activeColumns} from instance i where ${isActive} and id > $1 order by id limit $2`)

/** Those that are not at rest, after an id. Uses instance_active_idx. */
export const listActive = (db: Db, after: string, limit: number): Promise<ActiveRow[]> =>
  active(db, after, limit)

export const lowestId = '00000000-0000-0000-0000-000000000000'

const byIds = statement<ActiveRow>(`
  select ${activeColumns} from instance i where i.id = any($1::uuid[])`)

/** Unknown ids are omitted. Uses instance_pkey. */
export const listByIds = (db: Db, ids: string[]): Promise<ActiveRow[]> => byIds(db, ids)

type Keys = {
  secretsSealed: Buffer
  apiKeyId: string | null
  oldApiKeyId: string | null
}

const keysSet = statement<{ version: number }, Keys & Pick<InstanceRow, 'id' | 'version'>>(`
  update instance set secrets_sealed = :secretsSealed, api_key_id = :apiKeyId, old_api_key_id = :oldApiKeyId,
         version = version + 1
   where id = :id and version = :version
  returning version`)

/** The new version of the row; undefined if it was changed since `row` was read. Uses instance_pkey. */
export async function setKeys(
  db: Db,
  { id, version }: Pick<InstanceRow, 'id' | 'version'>,
  keys: Keys,
): Promise<number | undefined> {
  return (await keysSet(db, { ...keys, id, version }))[0]?.version
}
