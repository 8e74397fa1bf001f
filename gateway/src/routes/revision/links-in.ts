import { invalid } from '@figbase/kit'
import { UseType } from '@figbase/proto/revisions'
import { useTypeOf, useTypeWords } from '../../shapes/link.js'
import { parseMember } from './raw-members.js'

export type LinkIn = { assetRevisionId: string; useType: UseType }

/** The member `assets`; undefined when it is absent or null. 400 that names the member. */
export function linksIn(members: Map<string, string>): LinkIn[] | undefined {
  const value = parseMember(members.get('assets') ?? 'null')
  if (value === null) return undefined
  if (!Array.isArray(value)) throw invalid('assets', 'must be a list')
  return value.map((link: unknown, index) => linkIn(link, `assets[${index}]`))
}

function linkIn(link: unknown, path: string): LinkIn {
  if (typeof link !== 'object' || link === null) throw invalid(path, 'must be an object')
  const { asset_revision: id, use_type: word } = link as Record<string, unknown>
  if (typeof id !== 'string') throw invalid(`${path}.asset_revision`, 'must be a UUID')
  const useType = word === undefined || word === null ? UseType.DIRECT : useTypeOf(word)
  if (useType === undefined) {
    throw invalid(`${path}.use_type`, `must be one of ${useTypeWords.join(', ')}`)
  }
  return { assetRevisionId: id, useType }
}
