import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'

const types: Record<string, NodeType> = {
  asset: NodeType.ASSET,
  asset_revision: NodeType.ASSET_REVISION,
  figure: NodeType.FIGURE,
  figure_revision: NodeType.FIGURE_REVISION,
}
const typeNames = Object.keys(types)

/** The types of objects that can have comments. */
export const targetType = z.enum(
  typeNames as [string, ...string[]],
  `must be one of ${typeNames.join(', ')}`,
)

export const targetTypeOf = (word: unknown): NodeType => types[String(word)] ?? NodeType.UNSPECIFIED
