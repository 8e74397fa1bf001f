import { invalid } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { revisionId } from '../http/short-id.js'

/** The types of objects that an upload can belong to, by member name. */
export const targetTypes = {
  figure: NodeType.FIGURE,
  asset: NodeType.ASSET,
  analysis: NodeType.ANALYSIS,
  revision: NodeType.FIGURE_REVISION,
  asset_revision: NodeType.ASSET_REVISION,
} as const

export type UploadTarget = { targetId: string; targetType: NodeType }

const names = Object.keys(targetTypes) as (keyof typeof targetTypes)[]

/** The target of an upload; throws a 400 unless exactly one is given. `where` is the header, empty for the body. */
export function targetIn(members: Record<string, unknown>, where: string): UploadTarget {
  const given = names.filter((name) => typeof members[name] === 'string')
  const [name] = given
  if (name === undefined || given.length > 1) {
    throw invalid(where, `must contain exactly one of ${names.join(', ')}, with its api_id`)
  }
  return { targetId: String(members[name]), targetType: targetTypes[name] }
}

/** Resolves the short id of a figure revision. */
export async function resolveTarget(input: Input, target: UploadTarget): Promise<UploadTarget> {
  if (target.targetType !== NodeType.FIGURE_REVISION) return target
  return { ...target, targetId: await revisionId(input, target.targetId) }
}
