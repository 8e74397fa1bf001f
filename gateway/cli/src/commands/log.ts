import type { Schemas } from '@figbase/client'
import { type CommonOptions, connect } from '../connection.js'
import { printTable, show } from '../output.js'
import { resolve } from '../reference.js'
import { toTime } from '../text.js'

/** Shows what happened to an object and in it, newest first. */
export async function log(
  text: string,
  { limit, ...options }: CommonOptions & { limit: number },
): Promise<void> {
  const connection = await connect(options)
  const { kind, api_id: id } = await resolve(connection, text)
  const query = { deep: true, limit }
  // With `deep`, the answer is not the list of its type.
  const answer: unknown = await connection.figbase.get(`/${kind}/{id}/log/`, {
    path: { id },
    query,
  })
  const { items } = answer as { items: Schemas['Activity'][] }
  const entries = items.map(({ thumbnail, ...entry }) => entry)
  show(options.json, entries, () =>
    printTable(
      entries.map((entry) => [
        toTime(entry.timestamp),
        entry.username,
        entry.action,
        entry.target_type,
        entry.target_name,
      ]),
    ),
  )
}
