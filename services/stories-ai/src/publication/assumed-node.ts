import { create } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toTimestamp } from '@figbase/kit/db'
import { type Node, NodeSchema, NodeType } from '@figbase/proto/catalog'
import type { Content } from '../domain/content.js'

type Saved = {
  id: string
  workspaceId: string
  createdBy: string
  /** As PostgreSQL writes it. */
  createdOn: string
  sizeBytes: bigint
  content: Content
  updated?: { by: string; on: Timestamp | undefined }
}

/** The node as catalog will return it, if its answer was lost. */
export function assumedNode(saved: Saved): Node {
  const { id, workspaceId, createdBy, createdOn, sizeBytes, content, updated } = saved
  const { name, description } = content
  return create(NodeSchema, {
    id,
    type: NodeType.STORY,
    parentId: workspaceId,
    workspaceId,
    name,
    ...(description !== null && { description }),
    sizeBytes,
    createdBy,
    createdOn: toTimestamp(createdOn),
    ...(updated && { updatedBy: updated.by, ...(updated.on && { updatedOn: updated.on }) }),
  })
}
