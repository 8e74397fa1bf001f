import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { once } from '@figbase/kit/keyed'
import { CommentsService } from '@figbase/proto/comments'
import type { Ctx } from './context.js'
import { countComments } from './rpc/count-comments.js'
import { createAiResponse } from './rpc/create-ai-response.js'
import { createComment } from './rpc/create-comment.js'
import { createReaction } from './rpc/create-reaction.js'
import { deleteComment } from './rpc/delete-comment.js'
import { deleteReaction } from './rpc/delete-reaction.js'
import { fillAiResponse } from './rpc/fill-ai-response.js'
import { listComments } from './rpc/list-comments.js'
import { listOwnComments } from './rpc/list-own-comments.js'
import { listOwnReactions } from './rpc/list-own-reactions.js'
import { listReactions } from './rpc/list-reactions.js'
import { readComments } from './rpc/read-comments.js'
import { readTexts } from './rpc/read-texts.js'
import { readThread } from './rpc/read-thread.js'
import { updateComment } from './rpc/update-comment.js'

export type Impl = ServiceImpl<typeof CommentsService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router.service(CommentsService, {
    createComment: once(ctx, createComment(ctx)),
    listComments: listComments(ctx),
    countComments: countComments(ctx),
    updateComment: updateComment(ctx),
    deleteComment: deleteComment(ctx),
    createAiResponse: createAiResponse(ctx),
    fillAiResponse: fillAiResponse(ctx),
    readThread: readThread(ctx),
    createReaction: createReaction(ctx),
    listReactions: listReactions(ctx),
    deleteReaction: deleteReaction(ctx),
    listOwnComments: listOwnComments(ctx),
    listOwnReactions: listOwnReactions(ctx),
    readTexts: readTexts(ctx),
    readComments: readComments(ctx),
  } satisfies Impl)
