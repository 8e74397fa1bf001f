import { invalid } from '@figbase/kit/errors'
import { UseType } from '@figbase/proto/revisions'
import { useTypeOf, useTypeValues } from '../../shapes/link.js'
import { parseMember } from './raw-members.js'

export type LinkInput = { assetRevisionId: string; useType: UseType }

/** Parses the member `assets`; undefined if it is missing or null. Throws a 400 if it is invalid. */
export function parseLinks(members: Map<string, string>): LinkInput[] | undefined {
  const value = parseMember(members.get('assets') ?? 'null')
  if (value === null) return undefined
  if (!Array.isArray(value)) throw invalid('assets', 'must be a list')
  return value.map((link: unknown, index) => parseLink(link, `assets[${index}]`))
}

function parseLink(link: unknown, path: string): LinkInput {
  if (typeof link !== 'object' || link === null) throw invalid(path, 'must be an object')
  const { asset_revision: id, use_type: word } = link as Record<string, unknown>
  if (typeof id !== 'string') throw invalid(`${path}.asset_revision`, 'must be a UUID')
  const useType = word === undefined || word === null ? UseType.DIRECT : useTypeOf(word)
  if (useType === undefined) {
    throw invalid(`${path}.use_type`, `must be one of ${useTypeValues.join(', ')}`)
  }
  return { assetRevisionId: id, useType }
}
