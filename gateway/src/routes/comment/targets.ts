import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'

const types: Record<string, NodeType> = {
  asset: NodeType.ASSET,
  asset_revision: NodeType.ASSET_REVISION,
  figure: NodeType.FIGURE,
  figure_revision: NodeType.FIGURE_REVISION,
}
const words = Object.keys(types)

/** What can be commented on. */
export const targetType = z.enum(
  words as [string, ...string[]],
  `must be one of ${words.join(', ')}`,
)

export const targetTypeOf = (word: unknown): NodeType => types[String(word)] ?? NodeType.UNSPECIFIED
