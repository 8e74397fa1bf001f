import { statement } from '@figbase/kit'
import type { CommentWord, Tx } from '../db/schema.js'
import type { By } from '../domain/by.js'
import { canonicalPayload } from '../domain/payload.js'
import { entryInserted, organizationOf } from './activity.js'
import { alive } from './nodes.js'

type InsertedEntry = Pick<CommentEntry, 'id' | 'at' | 'action' | 'targetId'> &
  By & { payload: string }

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
  action: CommentWord
  by: By
  /** What is commented on. */
  targetId: string
  commentId: string
  /** Of the comment that it answers; empty: none. */
  parentId: string
}

/**
 * An entry of the log where the target is at this moment, of which no event tells; none of a target that was
 * deleted. By node_pkey.
 */
export async function insertCommentEntry(tx: Tx, entry: CommentEntry): Promise<void> {
  const { by, commentId, parentId } = entry
  const payload = canonicalPayload({ comment: commentId, parent: parentId || undefined })
  await inserted(tx, { ...entry, ...by, payload })
}
