import { Permission } from '@figbase/proto/catalog'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { commentSchema } from '../../shapes/comment.js'
import { closedBody, idIn, idText } from '../body-members.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { commentWithAuthor } from './comment-with-author.js'
import { content } from './content.js'
import { targetType, targetTypeOf } from './targets.js'

export const createComment: Endpoint = endpoint({
  method: 'POST',
  path: '/comment/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createComment',
  summary: 'Comment on an object',
  description:
    'The caller must have access to the object; a shared link alone is not enough. Mentioned users (`@username`) with access get an e-mail.',
  query: silentQuery,
  body: closedBody({
    target_type: targetType,
    target_id: idText,
    content,
    parent_comment_id: idText.nullish(),
  }),
  responses: { 201: commentSchema },
  errors: { 404: ['not_found'], 429: ['too_many_mentions'] },
  guard: (_, body) => {
    const type = targetTypeOf((body as Record<string, unknown> | null)?.target_type)
    const id = idIn(body, 'target_id')
    return type && id ? { id, type, permission: Permission.COMMENT } : undefined
  },
  async handle(input) {
    const { query, body, services, call } = input
    const request = {
      targetType: targetTypeOf(body.target_type),
      targetId: body.target_id,
      content: body.content,
      parentCommentId: body.parent_comment_id ?? '',
      silent: isSilent(query),
    }
    const { comment } = await services.comments.createComment(request, call)
    return created(await commentWithAuthor(input, comment))
  },
})
