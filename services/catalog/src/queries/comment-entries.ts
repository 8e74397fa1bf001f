import { statement } from '@figbase/kit/db'
import type { CommentActionName, Tx } from '../db/schema.js'
import type { Attribution } from '../domain/attribution.js'
import { canonicalPayload } from '../domain/payload.js'
import { entryInserted, organizationOf } from './activity.js'
import { alive } from './node-sql.js'

type InsertedEntry = Pick<CommentEntry, 'id' | 'at' | 'action' | 'targetId'> &
  Attribution & { payload: string }

const inserted = statement<never, InsertedEntry>(`
  with made as materialized (
    select n.id, n.type, n.name, n.lineage, n.workspace_id from node n where n.id = :targetId and ${alive}
  ), path as materialized (
    select p.id, p.type from made m join node p on p.id = any(m.lineage)
  )
  ${entryInserted({
    id: ':id',
    at: ':at::timestamptz',
    action: ':action',
    actor: ':actor',
    by: [':actorKind', ':requestId', ':isSilent::boolean'],
    organization: organizationOf('m.workspace_id'),
    payload: ':payload',
  })}`)

export type CommentEntry = {
  id: string
  at: string
  action: CommentActionName
  by: Attribution
  /** The commented node. */
  targetId: string
  commentId: string
  /** The comment that it replies to; empty: none. */
  parentId: string
}

/**
 * Inserts an entry at the current place of the target, without an event. Does nothing for a deleted target.
 * Uses node_pkey.
 */
export async function insertCommentEntry(tx: Tx, entry: CommentEntry): Promise<void> {
  const { by, commentId, parentId } = entry
  const payload = canonicalPayload({ comment: commentId, parent: parentId || undefined })
  await inserted(tx, { ...entry, ...by, payload })
}
