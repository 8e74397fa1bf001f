import { statement } from '@figbase/kit'
import type { ActivityTable, NodeKind, Tx } from '../db/schema.js'

export type Entry = {
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

const inserted = statement(`
  insert into activity (id, at, action, actor, request_id, is_silent, workspace_id, analysis_id,
                        figure_id, target_id, target_type, target_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`)

export async function insertActivity(tx: Tx, entry: Entry): Promise<void> {
  const on = (type: NodeKind) => entry.path.find((node) => node.type === type)?.id ?? null
  const { id, at, action, actor, requestId, isSilent, target } = entry
  const place = [on('workspace'), on('analysis'), on('figure')]
  const { id: targetId, type, name } = target
  await inserted(tx, id, at, action, actor, requestId, isSilent, ...place, targetId, type, name)
}
