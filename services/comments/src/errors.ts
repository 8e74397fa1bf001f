import { Code } from '@connectrpc/connect'
import { type Allowance, failure, invalid, notFound, tooMany } from '@figbase/kit'

export const noSuchComment = () => notFound('this comment')
export const noSuchReaction = () => notFound('this reaction')
export const notTheAuthor = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'only its author can change a comment')
export const notYourReaction = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'only its author can remove a reaction')
export const parentMissing = () =>
  invalid('parent_comment_id', 'no comment on this object has this id')
export const tooDeep = (max: number) =>
  invalid('parent_comment_id', `a thread has at most ${max} levels: answer an earlier comment`)
export const tooManyComments = (max: number) =>
  invalid('target_id', `already has ${max} comments, which is the maximum`)
export const tooMuchText = (bytesMax: number) =>
  invalid('target_id', `already has ${bytesMax} bytes of comments, which is the maximum`)
export const tooManyMentioned = (max: number) =>
  invalid(
    'content',
    `may mention at most ${max} people, including those of earlier versions: put what is only text into \`code\``,
  )
export const mentionsTooMany = (allowance: Allowance) =>
  tooMany('too_many_mentions', 'you have mentioned too many people', allowance)
export const tooManyReactions = (max: number) =>
  invalid('comment_id', `already has ${max} reactions, which is the maximum`)
export const aiDisabled = () =>
  failure(Code.Unavailable, 'ai_disabled', 'this installation has no AI')
