import { isoTime, publishing, statement } from '@figbase/kit'
import type { ActivityTable, NodeKind, Tx } from '../db/schema.js'
import { nodeChanged } from '../events.js'

export type Entry = {
  /** A UUIDv7; also the id of its event. */
  id: string
  at: string
  action: ActivityTable['action']
  actor: string
  requestId: string
  isSilent: boolean
  target: { id: string; type: NodeKind; name: string | null }
  /** The nodes on the target's path, itself among them. */
  path: { id: string; type: NodeKind }[]
}

/** The event of what is in `entry`, an inserted row of the log. */
export const entryPublished: string = publishing(nodeChanged, {
  id: 'e.id',
  key: 'e.target_id',
  actor: 'e.actor',
  requestId: 'e.request_id',
  payload: {
    nodeId: 'e.target_id',
    action: "'NODE_ACTION_' || upper(e.action)",
    type: "'NODE_TYPE_' || upper(e.target_type)",
    name: 'e.target_name',
    workspaceId: 'e.workspace_id',
    analysisId: 'e.analysis_id',
    figureId: 'e.figure_id',
    at: isoTime('e.at'),
    silent: 'e.is_silent',
  },
  from: 'entry e',
})

export const entryColumns =
  'id, at, action, actor, request_id, is_silent, workspace_id, analysis_id, figure_id, target_id, target_type, target_name'

const inserted = statement(`
  with entry as (
    insert into activity (${entryColumns})
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    returning ${entryColumns}
  )
  ${entryPublished}`)

/** An entry of the log and its event; the caller tells the relay (`published`). */
export async function insertActivity(tx: Tx, entry: Entry): Promise<void> {
  const on = (type: NodeKind) => entry.path.find((node) => node.type === type)?.id ?? null
  const { id, at, action, actor, requestId, isSilent, target } = entry
  const place = [on('workspace'), on('analysis'), on('figure')]
  const { id: targetId, type, name } = target
  const what = [targetId, type, name]
  await inserted(tx, id, at, action, actor, requestId, isSilent, ...place, ...what)
}
