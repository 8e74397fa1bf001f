import { timestampNow } from '@bufbuild/protobuf/wkt'
import type { Client, HandlerContext } from '@connectrpc/connect'
import { notFound } from '@figbase/kit/errors'
import { eventOf } from '@figbase/kit/events'
import { newId } from '@figbase/kit/ids'
import { principal } from '@figbase/kit/rpc'
import { defineService, type Kit } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { CommentsService } from '@figbase/proto/comments'
import {
  CommentAction,
  type CommentChanged,
  CommentChangedSchema,
} from '@figbase/proto/comments/events'

type StoredComment = Pick<CommentChanged, 'targetId' | 'targetType' | 'parentCommentId'>

const commentChanged = eventOf(CommentChangedSchema)

/** A stub of the comments service on the same database, which publishes its events. */
export async function startComments(
  databaseUrl: string,
): Promise<AsyncDisposable & { client: Client<typeof CommentsService> }> {
  const all = new Map<string, StoredComment>()
  const find = (id: string) => {
    const found = all.get(id)
    if (!found) throw notFound('this comment')
    return found
  }
  const stub = defineService({
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
  const started = await startTestService(stub, { transport: 'local', databaseUrl })
  return {
    client: started.client(CommentsService),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}
