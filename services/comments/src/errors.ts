import { Code } from '@connectrpc/connect'
import { type Allowance, failure, invalid, notFound, tooMany } from '@figbase/kit'

export const noSuchComment = () => notFound('this comment')
export const noSuchReaction = () => notFound('this reaction')
export const notTheAuthor = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'a comment is changed by its author alone')
export const notYourReaction = () =>
  failure(
    Code.PermissionDenied,
    'permission_denied',
    'a reaction is taken back by its author alone',
  )
export const parentMissing = () =>
  invalid('parent_comment_id', 'is not that of a comment on this object')
export const tooDeep = (max: number) =>
  invalid('parent_comment_id', `is the ${max}th of its thread already: answer an earlier one`)
export const tooManyComments = (max: number) =>
  invalid('target_id', `has ${max} comments already, which is the most that it can`)
export const tooMuchText = (bytesMax: number) =>
  invalid('target_id', `has comments of ${bytesMax} bytes already, which is the most that it can`)
export const tooManyMentioned = (max: number) =>
  invalid(
    'content',
    `may mention at most ${max} people, those that it mentioned before included: what is meant as text goes into \`code\``,
  )
export const mentionsTooMany = (allowance: Allowance) =>
  tooMany('too_many_mentions', 'you have mentioned too many people: try again later', allowance)
export const tooManyReactions = (max: number) =>
  invalid('comment_id', `has ${max} reactions already, which is the most that it can`)
export const aiDisabled = () =>
  failure(Code.Unavailable, 'ai_disabled', 'there is no AI on this installation')
