import { invalid } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import type { TargetKind } from '../db/schema.js'

const kinds: Partial<Record<NodeType, TargetKind>> = {
  [NodeType.FIGURE]: 'figure',
  [NodeType.FIGURE_REVISION]: 'figure_revision',
  [NodeType.ASSET]: 'asset',
  [NodeType.ASSET_REVISION]: 'asset_revision',
}

const types: Record<TargetKind, NodeType> = {
  figure: NodeType.FIGURE,
  figure_revision: NodeType.FIGURE_REVISION,
  asset: NodeType.ASSET,
  asset_revision: NodeType.ASSET_REVISION,
}

/** The kind of a target. Throws `invalid` for a type that cannot have comments. */
export function targetKindOf(type: NodeType): TargetKind {
  const kind = kinds[type]
  if (!kind) throw invalid('target_type', `must be one of ${Object.keys(types).join(', ')}`)
  return kind
}

/** The types that can have comments. */
export const targetTypes: NodeType[] = Object.values(types)

export const nodeTypeOf = (kind: TargetKind): NodeType => types[kind]
