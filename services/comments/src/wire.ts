import { create } from '@bufbuild/protobuf'
import { toTimestamp } from '@figbase/kit/db'
import {
  type Comment,
  CommentSchema,
  type Reaction,
  type ReactionCount,
  ReactionCountSchema,
  ReactionSchema,
} from '@figbase/proto/comments'
import type { CommentRow, ReactionCountRow, ReactionRow } from './db/schema.js'
import { nodeTypeOf } from './domain/target.js'

export function toComment(row: CommentRow): Comment {
  return create(CommentSchema, {
    id: row.id,
    targetId: row.target_id,
    targetType: nodeTypeOf(row.target_type),
    parentCommentId: row.parent_id ?? '',
    author: row.author,
    content: row.content,
    isEdited: row.is_edited,
    isDeleted: row.is_deleted,
    createdOn: toTimestamp(row.created_on),
    updatedOn: toTimestamp(row.updated_on),
  })
}

export function toReaction(row: ReactionRow): Reaction {
  return create(ReactionSchema, {
    id: row.id,
    commentId: row.comment_id,
    username: row.username,
    emoji: row.emoji,
    createdOn: toTimestamp(row.created_on),
  })
}

export function toReactionCount(row: ReactionCountRow): ReactionCount {
  return create(ReactionCountSchema, {
    commentId: row.comment_id,
    emoji: row.emoji,
    count: row.count,
    ownId: row.own_id ?? '',
    usernames: row.usernames,
  })
}
