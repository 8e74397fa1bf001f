import { NodeType } from '@figbase/proto/catalog'
import type { FoundType } from '../engine/port.js'

const types: Partial<Record<NodeType, FoundType>> = {
  [NodeType.WORKSPACE]: 'workspace',
  [NodeType.ANALYSIS]: 'analysis',
  [NodeType.FIGURE]: 'figure',
  [NodeType.FIGURE_REVISION]: 'figure_revision',
  [NodeType.ASSET]: 'asset',
  [NodeType.ASSET_REVISION]: 'asset_revision',
  [NodeType.STORY]: 'story',
}

/** Undefined for types that are not found. */
export const foundTypeOf = (type: NodeType): FoundType | undefined => types[type]

export const isRevision = (type: FoundType): boolean => type.endsWith('_revision')
