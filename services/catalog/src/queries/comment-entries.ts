import { statement } from '@figbase/kit'
import type { CommentWord, Tx } from '../db/schema.js'
import type { By } from '../domain/by.js'
import { canonicalPayload } from '../domain/payload.js'
import { entryInserted, organizationOf } from './activity.js'
import { alive } from './nodes.js'

const inserted = statement<never>(`
  with made as materialized (
    select n.id, n.type, n.name, n.lineage, n.workspace_id from node n where n.id = $1 and ${alive}
  ), path as materialized (
    select p.id, p.type from made m join node p on p.id = any(m.lineage)
  )
  ${entryInserted({
    id: '$2',
    at: '$3::timestamptz',
    action: '$4',
    actor: '$5',
    by: ['$6', '$7', '$9::boolean'],
    organization: organizationOf('m.workspace_id'),
    payload: '$8',
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
  const { id, at, action, by, targetId, commentId, parentId } = entry
  const payload = canonicalPayload({ comment: commentId, parent: parentId || undefined })
  const { actor, actorKind, requestId, isSilent } = by
  await inserted(tx, targetId, id, at, action, actor, actorKind, requestId, payload, isSilent)
}
