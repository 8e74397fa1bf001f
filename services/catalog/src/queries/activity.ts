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

export async function insertActivity(tx: Tx, entry: Entry): Promise<void> {
  const on = (type: NodeKind) => entry.path.find((node) => node.type === type)?.id ?? null
  await tx
    .insertInto('activity')
    .values({
      id: entry.id,
      at: entry.at,
      action: entry.action,
      actor: entry.actor,
      request_id: entry.requestId,
      is_silent: entry.isSilent,
      workspace_id: on('workspace'),
      analysis_id: on('analysis'),
      figure_id: on('figure'),
      target_id: entry.target.id,
      target_type: entry.target.type,
      target_name: entry.target.name,
    })
    .execute()
}
