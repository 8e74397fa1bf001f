import { type Database, type Keys, openData, type Resealed } from '@figbase/kit'
import { services } from '../all-in-one.js'
import { explainSchema } from '../explain-schema.js'
import type { Host } from '../main.js'

/** What became of a column: of which service and table it is, and how much was sealed anew. */
export type ResealedColumn = Resealed & { column: string }

/** Seals anew what a previous secret has sealed, in all services. */
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
