import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { UsageOf } from './runs.js'

const sumBy = (column: string) =>
  statement<{ gb: bigint }>(`
    select coalesce(sum(data_volume_gb), 0)::bigint as gb from instance where ${column} = $1 and observed <> 'gone'`)

const sums: Record<UsageOf['column'], ReturnType<typeof sumBy>> = {
  instance_id: sumBy('id'),
  workspace_id: sumBy('workspace_id'),
  holder_id: sumBy('holder_id'),
}

/** The sizes of the volumes that exist. Uses instance_pkey, instance_kept_idx or instance_volume_idx. */
export async function sumVolumes(db: Db, { column, id }: UsageOf): Promise<bigint> {
  return (await sums[column](db, id))[0]?.gb ?? 0n
}
