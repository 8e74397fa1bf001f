import type { Endpoint } from '../../endpoint.js'
import { reactionSchema, reactionShape } from '../../shapes/comment.js'
import { idText } from '../body-members.js'
import { createAuthorReader } from '../comment/authors.js'
import { listEndpoint, pageOf } from '../list.js'

export const listReactions: Endpoint = listEndpoint({
  path: '/reaction/',
  since: 'v1',
  auth: 'optional',
  operationId: 'listReactions',
  summary: 'List the reactions to a comment',
  description: 'The oldest comes first.',
  query: { comment_id: idText },
  item: reactionSchema,
  isShort: true,
  errors: { 404: ['not_found'] },
  async readPage(input, page) {
    const { query, services, call } = input
    const request = { commentId: query.comment_id }
    const { reactions } = await services.comments.listReactions(request, call)
    const { items, nextPageToken } = pageOf(reactions, ({ id }) => id, page)
    const authorOf = await createAuthorReader(input)(items.map(({ username }) => username))
    const shapes = items.map((reaction) => reactionShape(reaction, authorOf(reaction.username)))
    return { items: shapes, nextPageToken }
  },
})
