import { invalid } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { revisionId } from '../http/short-id.js'

/** What an upload can be for, by the names that bodies have for it. */
export const targetTypes = {
  figure: NodeType.FIGURE,
  asset: NodeType.ASSET,
  analysis: NodeType.ANALYSIS,
  revision: NodeType.FIGURE_REVISION,
  asset_revision: NodeType.ASSET_REVISION,
} as const

export type UploadTarget = { targetId: string; targetType: NodeType }

const names = Object.keys(targetTypes) as (keyof typeof targetTypes)[]

/** The one that the members name; 400 for none and for several. `where` is the header that has them, empty for the body. */
export function targetIn(members: Record<string, unknown>, where: string): UploadTarget {
  const given = names.filter((name) => typeof members[name] === 'string')
  const [name] = given
  if (name === undefined || given.length > 1) {
    throw invalid(where, `must name one of ${names.join(', ')} by its api_id`)
  }
  return { targetId: String(members[name]), targetType: targetTypes[name] }
}

/** A figure revision may be named by its short id. */
export async function resolved(input: Input, target: UploadTarget): Promise<UploadTarget> {
  if (target.targetType !== NodeType.FIGURE_REVISION) return target
  return { ...target, targetId: await revisionId(input, target.targetId) }
}
