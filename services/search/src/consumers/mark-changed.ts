import { type BatchConsumer, batchHandler, defineBatchConsumer, eventOf } from '@figbase/kit/events'
import { NodeType } from '@figbase/proto/catalog'
import { NodeAction, NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { RevisionProcessedSchema, TextExtractedSchema } from '@figbase/proto/revisions/events'
import type { Ctx } from '../context.js'
import { type Change, insertingChanges } from '../queries/changes.js'

const movesSubtree = [NodeAction.MOVE, NodeAction.DELETE, NodeAction.RESTORE]
const hasRevisions = [NodeType.FIGURE, NodeType.ASSET]
const notIndexed = [NodeType.UNSPECIFIED, NodeType.ORGANIZATION]

/** Records which objects must be indexed again. */
export const markChanged: BatchConsumer<Ctx> = defineBatchConsumer<Ctx>({
  name: 'mark-changed',
  handlers: [
    batchHandler(eventOf(NodeChangedSchema), ({ payload }): Change | undefined => {
      const { nodeId: id, action, type } = payload
      if (notIndexed.includes(type)) return undefined
      return {
        id,
        movesSubtree: movesSubtree.includes(action),
        renamesRevisions: action === NodeAction.UPDATE && hasRevisions.includes(type),
      }
    }),
    batchHandler(eventOf(RevisionProcessedSchema), ({ payload }) => changeOf(payload.revisionId)),
    batchHandler(eventOf(TextExtractedSchema), ({ payload }) => changeOf(payload.revisionId)),
    batchHandler(eventOf(CommentChangedSchema), ({ payload }) => changeOf(payload.targetId)),
  ],
  effect: insertingChanges,
  onWritten: (ctx) => ctx.indexer.wake(),
})

const changeOf = (id: string): Change => ({ id, movesSubtree: false, renamesRevisions: false })
