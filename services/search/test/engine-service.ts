import { statement } from '@figbase/kit/db'
import { defineService, type Kit } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { migrations } from '../src/db/migrations/index.js'
import type { Database, Db } from '../src/db/schema.js'
import type { IndexedDocument } from '../src/engine/port.js'

export type EngineDatabase = AsyncDisposable & Pick<Kit<Database>, 'db' | 'transact'>

/** A database with the tables of the service. */
export async function startEngineDatabase(): Promise<EngineDatabase> {
  let kit: Kit<Database> | undefined
  const service = defineService<object, Database, object>({
    name: 'search',
    config: () => ({}),
    migrations,
    context: (given) => {
      kit = given
      return {}
    },
    routes: () => () => {},
  })
  const started = await startTestService(service, { transport: 'local' })
  if (!kit) throw new Error('the service did not create a context')
  const { db, transact } = kit
  return { db, transact, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() }
}

const placed = statement<never>(`
  insert into place (id, type, workspace_id, analysis_id, item_id, hidden_by, created_on)
  select n.id, n.type, n."workspaceId", n."analysisId", n."itemId", n."hiddenBy", n."createdOn"
    from json_to_recordset($1::json)
      as n (id uuid, type text, "workspaceId" uuid, "analysisId" uuid, "itemId" uuid, "hiddenBy" uuid,
            "createdOn" timestamptz)
  on conflict (id) do update
    set workspace_id = excluded.workspace_id, analysis_id = excluded.analysis_id,
        item_id = excluded.item_id, hidden_by = excluded.hidden_by`)

/** Records where documents are. */
export async function writePlaces(db: Db, documents: IndexedDocument[]): Promise<void> {
  await placed(db, JSON.stringify(documents.map(({ fields: _fields, ...place }) => place)))
}
