import type { Comment, Reaction } from '@figbase/proto/comments'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'
import { entityTypeOf } from './entity-type.js'
import { userSchema, type userShape } from './user.js'

/** The public members of a user. */
const authorSchema = userSchema
  .pick({
    username: true,
    first_name: true,
    last_name: true,
    avatar: true,
    using_auth0: true,
  })
  .extend({ date_joined: datetime.nullable() })
  .meta({ id: 'Author', description: 'The public members of a user.' })

type Author = ReturnType<typeof userShape>

export const commentSchema = z
  .object({
    id: uuid,
    user: authorSchema,
    content: z.string(),
    parent_comment_id: uuid.nullable(),
    target_type: z.string(),
    target_id: uuid,
    is_edited: z.boolean(),
    is_deleted: z.boolean(),
    created_on: datetime,
    updated_on: datetime,
  })
  .meta({ id: 'Comment', base: 'OwnComment', description: 'A comment.' })

/** A comment by the caller, so the author is omitted. */
export const ownCommentSchema = commentSchema
  .omit({ user: true })
  .meta({ id: 'OwnComment', description: 'A comment of the caller.' })

export const ownCommentShape = (comment: Comment) => ({
  id: comment.id,
  content: comment.content,
  parent_comment_id: comment.parentCommentId || null,
  target_type: entityTypeOf(comment.targetType),
  target_id: comment.targetId,
  is_edited: comment.isEdited,
  is_deleted: comment.isDeleted,
  created_on: isoOrNull(comment.createdOn),
  updated_on: isoOrNull(comment.updatedOn),
})

export const commentShape = (comment: Comment, user: Author) =>
  Object.assign(ownCommentShape(comment), { user })

export const reactionSchema = z
  .object({
    id: uuid,
    comment_id: uuid,
    user: authorSchema,
    emoji: z.string(),
    created_on: datetime,
  })
  .meta({ id: 'Reaction', base: 'OwnReaction', description: 'A reaction to a comment.' })

export const ownReactionSchema = reactionSchema
  .omit({ user: true })
  .meta({ id: 'OwnReaction', description: 'A reaction of the caller.' })

export const ownReactionShape = (reaction: Reaction) => ({
  id: reaction.id,
  comment_id: reaction.commentId,
  emoji: reaction.emoji,
  created_on: isoOrNull(reaction.createdOn),
})

export const reactionShape = (reaction: Reaction, user: Author) =>
  Object.assign(ownReactionShape(reaction), { user })
