import type { Database, Resealed } from '@figbase/kit/db'
import type { Keys } from '@figbase/kit/keys'
import { openData } from '@figbase/kit/service'
import { services } from '../all-in-one.js'
import { explainSchema } from '../explain-schema.js'
import type { Host } from '../main.js'

/** The result for a column (`service.table.column`). */
export type ResealedColumn = Resealed & { column: string }

/** Re-encrypts the values of all services that were sealed with a previous secret. */
export async function resealAll(
  databaseOf: (service: string) => Promise<Database>,
  keys: Keys,
  { env }: Host,
  signal: AbortSignal,
): Promise<ResealedColumn[]> {
  const resealed: ResealedColumn[] = []
  for (const { name, migrations, sealed = [] } of services) {
    if (sealed.length === 0) continue
    await using data = await openData(name, migrations, await databaseOf(name), {
      LOG_LEVEL: 'silent',
      ...env,
    }).catch(explainSchema)
    for (const column of sealed) {
      const found = await column.reseal(data, keys, signal)
      resealed.push({ ...found, column: `${name}.${column.name}` })
    }
  }
  return resealed
}
