import { NodeType } from '@figbase/proto/catalog'
import type { SlotKind } from '../domain/git-slots.js'

/** The type of the revisions of a figure or an asset. */
export const revisionTypeOf = (kind: SlotKind): NodeType =>
  kind === 'figure' ? NodeType.FIGURE_REVISION : NodeType.ASSET_REVISION
