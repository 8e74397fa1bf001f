import { invalid } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import type { RevisionType } from '../db/schema.js'

/** What differs between the revisions of figures and those of assets. */
export type RevisionKind = {
  type: RevisionType
  nodeType: NodeType
  parentType: NodeType
  /** The name of the parent in a request. */
  parentField: 'figure' | 'asset' | 'analysis'
}

export const ofFigures: RevisionKind = {
  type: 'figure_revision',
  nodeType: NodeType.FIGURE_REVISION,
  parentType: NodeType.FIGURE,
  parentField: 'figure',
}

const ofAssets: RevisionKind = {
  type: 'asset_revision',
  nodeType: NodeType.ASSET_REVISION,
  parentType: NodeType.ASSET,
  parentField: 'asset',
}

/** A revision that will be assigned to a figure of an analysis. */
export const inAnalysis: RevisionKind = {
  ...ofFigures,
  parentType: NodeType.ANALYSIS,
  parentField: 'analysis',
}

/** Throws `invalid` for other types. */
export function revisionKind(type: NodeType): RevisionKind {
  if (type === NodeType.FIGURE_REVISION) return ofFigures
  if (type === NodeType.ASSET_REVISION) return ofAssets
  throw invalid('type', 'must be FIGURE_REVISION or ASSET_REVISION')
}

export const nodeTypeOf = (type: RevisionType): NodeType =>
  type === 'figure_revision' ? NodeType.FIGURE_REVISION : NodeType.ASSET_REVISION

export const kindOf = (type: RevisionType): RevisionKind =>
  type === 'figure_revision' ? ofFigures : ofAssets
