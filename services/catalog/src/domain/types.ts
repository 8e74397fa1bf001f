import { invalid } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import type { NodeKind } from '../db/schema.js'

const kinds = {
  [NodeType.ORGANIZATION]: 'organization',
  [NodeType.WORKSPACE]: 'workspace',
  [NodeType.ANALYSIS]: 'analysis',
  [NodeType.FIGURE]: 'figure',
  [NodeType.FIGURE_REVISION]: 'figure_revision',
  [NodeType.ASSET]: 'asset',
  [NodeType.ASSET_REVISION]: 'asset_revision',
  [NodeType.STORY]: 'story',
} as const satisfies Partial<Record<NodeType, NodeKind>>

/** The kind of a type on the wire; undefined for UNSPECIFIED. Throws `invalid` on `field` for an unknown type. */
export function kindOf(type: NodeType, field = 'type'): NodeKind | undefined {
  if (type === NodeType.UNSPECIFIED) return undefined
  if (!(type in kinds)) throw invalid(field, 'is unknown')
  return kinds[type]
}

const types = new Map<NodeKind, NodeType>(
  Object.entries(kinds).map(([type, kind]) => [kind, Number(type)]),
)

export function typeOf(kind: NodeKind): NodeType {
  return types.get(kind) ?? NodeType.UNSPECIFIED
}

/** The kind of the parent of each kind; also the name of the request field for the parent. */
export const parentKind: Partial<Record<NodeKind, NodeKind>> = {
  analysis: 'workspace',
  figure: 'analysis',
  figure_revision: 'figure',
  asset: 'workspace',
  asset_revision: 'asset',
  story: 'workspace',
}

/** The kinds that catalog itself creates and updates; other services own the rest. */
export const catalogKinds: readonly NodeKind[] = [
  'organization',
  'workspace',
  'analysis',
  'figure',
  'asset',
]

/** The noun for each kind in error messages. */
export const nounOf: Record<NodeKind, string> = {
  organization: 'this organization',
  workspace: 'this workspace',
  analysis: 'this analysis',
  figure: 'this figure',
  figure_revision: 'this revision',
  asset: 'this asset',
  asset_revision: 'this asset revision',
  story: 'this story',
}
