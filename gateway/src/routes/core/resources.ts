import { NodeType } from '@figbase/proto/catalog'

/** A type of core object, and the path segment of its routes. */
export type Resource = { segment: string; type: NodeType }

/** All types of nodes; each has the routes in this directory. */
export const resources: Resource[] = [
  { segment: 'organization', type: NodeType.ORGANIZATION },
  { segment: 'workspace', type: NodeType.WORKSPACE },
  { segment: 'analysis', type: NodeType.ANALYSIS },
  { segment: 'figure', type: NodeType.FIGURE },
  { segment: 'revision', type: NodeType.FIGURE_REVISION },
  { segment: 'asset', type: NodeType.ASSET },
  { segment: 'asset_revision', type: NodeType.ASSET_REVISION },
  { segment: 'story', type: NodeType.STORY },
]
