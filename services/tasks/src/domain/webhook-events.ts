import { NodeType } from '@figbase/proto/catalog'
import { type FigureStale, NodeAction, type NodeChanged } from '@figbase/proto/catalog/events'
import { CommentAction, type CommentChanged } from '@figbase/proto/comments/events'
import type { InstanceChanged } from '@figbase/proto/compute/events'
import type { RevisionProcessed } from '@figbase/proto/revisions/events'

/** What an event says about an object: ids, and names that only full payloads and messages contain. */
export type EventData = {
  /** When it happened, ISO 8601. */
  at: string
  /** A username; absent: Figbase itself. */
  actor?: string
  object: { id: string; type: ObjectType; name?: string }
  workspace?: string
  analysis?: string
  figure?: string
  /** The figure or the asset of a revision. */
  parent?: string
  comment?: string
  parent_comment?: string
  /** Of a compute instance. */
  status?: string
}

/** An event for webhooks. */
export type HookEvent = {
  event: string
  /** What a webhook may have subscribed to in order to get it. */
  names: string[]
  /** Its deliveries are in order for one object. */
  objectId: string
  /** The ids that a webhook may be limited to. */
  ids: string[]
  workspaceId: string | null
  /** Of an event of a node; null: none, or that of the workspace. */
  organizationId: string | null
  /** Its place is known to be that of the object at the time of the event. */
  isOfNode: boolean
  data: EventData
}

/** The segments of addresses. */
const objectTypes = {
  [NodeType.ORGANIZATION]: 'organization',
  [NodeType.WORKSPACE]: 'workspace',
  [NodeType.ANALYSIS]: 'analysis',
  [NodeType.FIGURE]: 'figure',
  [NodeType.FIGURE_REVISION]: 'revision',
  [NodeType.ASSET]: 'asset',
  [NodeType.ASSET_REVISION]: 'asset_revision',
  [NodeType.STORY]: 'story',
} as const

export type ObjectType = (typeof objectTypes)[keyof typeof objectTypes] | 'compute_instance'

const actions: Partial<Record<NodeAction, string>> = {
  [NodeAction.CREATE]: 'created',
  [NodeAction.UPDATE]: 'updated',
  [NodeAction.MOVE]: 'moved',
  [NodeAction.DELETE]: 'deleted',
  [NodeAction.RESTORE]: 'restored',
}

const commentActions: Partial<Record<CommentAction, string>> = {
  [CommentAction.CREATE]: 'created',
  [CommentAction.UPDATE]: 'updated',
  [CommentAction.DELETE]: 'deleted',
}

/** Event names by what they are about. */
export const eventNames: Record<string, string[]> = {
  ...Object.fromEntries(Object.values(objectTypes).map((type) => [type, actionsOf(type)])),
  comment: ['comment.created', 'comment.updated', 'comment.deleted'],
  compute_instance: ['compute_instance.changed'],
}

function actionsOf(type: string) {
  const names = Object.values(actions).map((action) => `${type}.${action}`)
  if (type === 'figure') return [...names, 'figure.stale']
  return type.endsWith('revision') ? [...names, `${type}.processed`] : names
}

const known = new Set([
  '*',
  ...Object.keys(eventNames).map((about) => `${about}.*`),
  ...Object.values(eventNames).flat(),
])

/** Whether a webhook may subscribe to it: a name, `figure.*` or `*`. */
export const isSubscribable = (name: string): boolean => known.has(name)

/** Undefined for a type or action of a newer service. */
export function ofNode(actor: string, at: string, change: NodeChanged): HookEvent | undefined {
  const { nodeId, name, workspaceId, organizationId, analysisId, figureId } = change
  const type = objectTypes[change.type as keyof typeof objectTypes]
  const action = actions[change.action]
  if (!type || !action) return undefined
  const place = {
    ...(workspaceId && { workspace: workspaceId }),
    ...(analysisId && { analysis: analysisId }),
    ...(figureId && { figure: figureId }),
  }
  return {
    ...named(type, action),
    objectId: nodeId,
    ids: idsOf(nodeId, ...Object.values(place)),
    workspaceId: workspaceId || null,
    organizationId: organizationId || null,
    isOfNode: true,
    data: { at, ...by(actor), object: { id: nodeId, type, ...(name && { name }) }, ...place },
  }
}

/** Without the asset, which its reader may not be allowed to view. */
export function ofStale(at: string, stale: FigureStale): HookEvent {
  const { figureId, figureName, workspaceId, analysisId } = stale
  const object = { id: figureId, type: 'figure' as const, name: figureName }
  return {
    ...named('figure', 'stale'),
    objectId: figureId,
    ids: idsOf(figureId, analysisId, workspaceId),
    workspaceId,
    organizationId: null,
    isOfNode: false,
    data: { at, object, workspace: workspaceId, analysis: analysisId },
  }
}

export function ofRevision(at: string, change: RevisionProcessed): HookEvent {
  const { revisionId, parentId, workspaceId } = change
  const type = change.type === NodeType.ASSET_REVISION ? 'asset_revision' : 'revision'
  return {
    ...named(type, 'processed'),
    objectId: revisionId,
    ids: idsOf(revisionId, parentId, workspaceId),
    workspaceId,
    organizationId: null,
    isOfNode: false,
    data: { at, object: { id: revisionId, type }, workspace: workspaceId, parent: parentId },
  }
}

export function ofComment(
  actor: string,
  at: string,
  change: CommentChanged,
): HookEvent | undefined {
  const { targetId, targetType, commentId, parentCommentId, workspaceId } = change
  const type = objectTypes[targetType as keyof typeof objectTypes]
  const action = commentActions[change.action]
  if (!type || !action) return undefined
  return {
    ...named('comment', action),
    objectId: targetId,
    ids: idsOf(targetId, workspaceId),
    workspaceId,
    organizationId: null,
    isOfNode: false,
    data: {
      at,
      ...by(actor),
      object: { id: targetId, type },
      workspace: workspaceId,
      comment: commentId,
      ...(parentCommentId && { parent_comment: parentCommentId }),
    },
  }
}

export function ofInstance(actor: string, at: string, change: InstanceChanged): HookEvent {
  const { instanceId, workspaceId, name, kind } = change
  return {
    ...named('compute_instance', 'changed'),
    objectId: instanceId,
    ids: idsOf(instanceId, workspaceId),
    workspaceId,
    organizationId: null,
    isOfNode: false,
    data: {
      at,
      ...by(actor),
      object: { id: instanceId, type: 'compute_instance', name },
      workspace: workspaceId,
      status: kind,
    },
  }
}

const by = (actor: string) => (actor ? { actor } : {})

const named = (about: string, action: string) => ({
  event: `${about}.${action}`,
  names: [`${about}.${action}`, `${about}.*`, '*'],
})

const idsOf = (...ids: string[]) => [...new Set(ids.filter(Boolean))]
