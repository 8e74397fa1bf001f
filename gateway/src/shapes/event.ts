import { NodeType } from '@figbase/proto/catalog'
import { NodeAction } from '@figbase/proto/catalog/events'
import { CommentAction } from '@figbase/proto/comments/events'
import type { FollowEventsResponse } from '@figbase/proto/tasks'
import type { ServerSentEvent } from '../endpoint.js'
import { isoOrNull } from './common.js'
import { instanceEventShape } from './compute.js'
import { taskShape } from './task.js'

/** Undefined for an unknown event type from a newer service. */
export function eventShape({ id, event }: FollowEventsResponse): ServerSentEvent | undefined {
  switch (event.case) {
    case 'begun':
      return { id, event: 'begun', data: { has_gap: event.value.hasGap } }
    case 'task': {
      if (!event.value.task) return undefined
      // Omitted here; clients can read them from `tasks/{task_id}/`.
      const { task_detail: _, result: __, ...task } = taskShape(event.value.task)
      return { id, event: 'task', data: task }
    }
    case 'activity': {
      const { id: entryId, actor, change } = event.value
      if (!change) return undefined
      const data = {
        api_id: entryId,
        username: actor,
        timestamp: isoOrNull(change.at),
        action: NodeAction[change.action]?.toLowerCase(),
        target_id: change.nodeId,
        target_type: NodeType[change.type]?.toLowerCase(),
        target_name: change.name || null,
        workspace: change.workspaceId,
        analysis: change.analysisId || null,
        figure: change.figureId || null,
      }
      return { id, event: 'activity', data }
    }
    case 'revision': {
      const { revisionId, parentId, type } = event.value
      const parent = type === NodeType.ASSET_REVISION ? 'asset' : 'figure'
      return {
        id,
        event: 'revision',
        data: { api_id: revisionId, [parent]: parentId, is_processing: false },
      }
    }
    case 'comment': {
      const { actor, change } = event.value
      if (!change) return undefined
      const data = {
        id: change.commentId,
        username: actor,
        timestamp: isoOrNull(change.at),
        action: CommentAction[change.action]?.toLowerCase(),
        parent_comment_id: change.parentCommentId || null,
        target_type: NodeType[change.targetType]?.toLowerCase(),
        target_id: change.targetId,
        workspace: change.workspaceId,
      }
      return { id, event: 'comment', data }
    }
    case 'stale': {
      const { figureId, figureName, workspaceId, analysisId, at } = event.value
      const data = {
        figure: figureId,
        figure_name: figureName,
        analysis: analysisId,
        workspace: workspaceId,
        timestamp: isoOrNull(at),
      }
      return { id, event: 'stale', data }
    }
    case 'instance': {
      const { actor, change } = event.value
      if (!change) return undefined
      const { instanceId, name, workspaceId, ...entry } = change
      const data = {
        api_id: instanceId,
        name,
        workspace: workspaceId,
        ...instanceEventShape({ ...entry, actor }),
      }
      return { id, event: 'compute_instance', data }
    }
    default:
      return undefined
  }
}
