import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'

/** A map, because words of callers may be names of inherited properties. */
const types = new Map<unknown, NodeType>([
  ['asset', NodeType.ASSET],
  ['asset_revision', NodeType.ASSET_REVISION],
  ['figure', NodeType.FIGURE],
  ['figure_revision', NodeType.FIGURE_REVISION],
])
const typeNames = [...types.keys()]

/** The types of objects that can have comments. */
export const targetType = z.enum(
  typeNames as [string, ...string[]],
  `must be one of ${typeNames.join(', ')}`,
)

export const targetTypeOf = (word: unknown): NodeType => types.get(word) ?? NodeType.UNSPECIFIED
