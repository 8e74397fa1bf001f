import { Code } from '@connectrpc/connect'
import { conflict, failure, invalid, notFound, tooMany } from '@figbase/kit/errors'
import type { Allowance } from '@figbase/kit/limits'

export const commentNotFound = () => notFound('this comment')
export const reactionNotFound = () => notFound('this reaction')
export const notCommentAuthor = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'only the author can change a comment')
export const notReactionAuthor = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'only the author can delete a reaction')
export const parentNotFound = () => invalid('parent_comment_id', 'comment not found on this object')
export const tooDeep = (max: number) =>
  invalid('parent_comment_id', `a thread has at most ${max} levels: reply to an earlier comment`)
export const tooManyComments = (max: number) =>
  invalid('target_id', `already has ${max} comments, which is the maximum`)
export const tooMuchText = (bytesMax: number) =>
  invalid('target_id', `already has ${bytesMax} bytes of comments, which is the maximum`)
export const tooManyMentions = (max: number) =>
  invalid(
    'content',
    `may mention at most ${max} users, including earlier versions: use \`code\` for text that is not a mention`,
  )
export const mentionLimitReached = (allowance: Allowance) =>
  tooMany('too_many_mentions', 'too many mentions', allowance)
export const tooManyReactions = (max: number) =>
  invalid('comment_id', `already has ${max} reactions, which is the maximum`)
export const commentExists = () => conflict('duplicate_client_id', 'a comment with this id exists')
