import { timestampNow } from '@bufbuild/protobuf/wkt'
import type { Client, HandlerContext } from '@connectrpc/connect'
import { defineService, eventOf, type Kit, newId, notFound, principal } from '@figbase/kit'
import { startTestService } from '@figbase/kit/testing'
import { CommentsService } from '@figbase/proto/comments'
import {
  CommentAction,
  type CommentChanged,
  CommentChangedSchema,
} from '@figbase/proto/comments/events'

type Said = Pick<CommentChanged, 'targetId' | 'targetType' | 'parentCommentId'>

const commentChanged = eventOf(CommentChangedSchema)

/** A stand-in for comments, on the same database: it publishes what that publishes, and keeps nothing else. */
export async function startComments(
  databaseUrl: string,
): Promise<AsyncDisposable & { client: Client<typeof CommentsService> }> {
  const all = new Map<string, Said>()
  const find = (id: string) => {
    const found = all.get(id)
    if (!found) throw notFound('this comment')
    return found
  }
  const standIn = defineService({
    name: 'comments',
    config: () => ({}),
    migrations: [],
    context: (kit: Kit<object>) => kit,
    publishes: [commentChanged],
    routes: ({ transact, publish }) => {
      const tell = (commentId: string, action: CommentAction, call: HandlerContext) => {
        const byApiKey = principal(call).apiKey !== undefined
        const change = { ...find(commentId), commentId, action, at: timestampNow(), byApiKey }
        return transact((tx) => publish(tx, commentChanged, change, call))
      }
      return (router) =>
        router.service(CommentsService, {
          async createComment({ targetId, targetType, parentCommentId }, call) {
            const id = newId()
            all.set(id, { targetId, targetType, parentCommentId })
            await tell(id, CommentAction.CREATE, call)
            return { comment: { id } }
          },
          async updateComment({ id }, call) {
            await tell(id, CommentAction.UPDATE, call)
            return { comment: { id } }
          },
          async deleteComment({ id }, call) {
            await tell(id, CommentAction.DELETE, call)
            return {}
          },
        })
    },
  })
  const started = await startTestService(standIn, { transport: 'local', databaseUrl })
  return {
    client: started.client(CommentsService),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}
