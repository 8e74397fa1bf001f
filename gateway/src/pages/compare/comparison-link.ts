import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Texts } from '../../texts/texts.js'
import type { Listed } from '../page-of-revisions.js'

/** A link to the comparison of a revision with the one before, if there is one. */
export function comparisonLink({ t }: Texts, { revision, before, beforeToken }: Listed): Html {
  if (!before && beforeToken === '') return html``
  const { id, parentId, type } = revision
  const segment = type === NodeType.ASSET_REVISION ? 'asset' : 'figure'
  const query = new URLSearchParams({
    ...(before ? { from: before.id } : { cursor: beforeToken }),
    to: id,
  })
  const text = before
    ? t('compare.withNumber', { number: before.revisionIndex + 1 })
    : t('compare.withBefore')
  return html`<a href="/${segment}/${parentId}/compare/?${String(query)}">${text}</a>`
}
