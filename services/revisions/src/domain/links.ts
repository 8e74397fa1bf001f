import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { type AssetLink, UseType } from '@figbase/proto/revisions'
import type { RevisionKind } from './revision-kind.js'

/** A link to an asset revision. */
export type Link = { assetRevisionId: string; useType: UseType }

/** The links in a request, without duplicates. Throws `invalid`. */
export function parseLinks(
  links: Pick<AssetLink, 'assetRevisionId' | 'useType'>[],
  kind: RevisionKind,
  linksMax: number,
): Link[] {
  if (links.length > 0 && kind.type !== 'figure_revision') {
    throw invalid('assets', 'can only be linked to figure revisions')
  }
  if (links.length > linksMax) throw invalid('assets', `must have at most ${linksMax} elements`)
  const known = new Map<string, Link>()
  for (const [index, { assetRevisionId, useType }] of links.entries()) {
    const field = `assets[${index}]`
    if (!isUuid(assetRevisionId)) throw invalid(`${field}.asset_revision`, 'must be a UUID')
    if (!(useType in UseType) || useType === UseType.UNSPECIFIED) {
      throw invalid(`${field}.use_type`, 'is required')
    }
    const link = { assetRevisionId: assetRevisionId.toLowerCase(), useType }
    known.set(`${link.assetRevisionId} ${useType}`, link)
  }
  return [...known.values()]
}
