import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType, type StaleBecause } from '@figbase/proto/catalog'
import type { Texts } from '../../texts/texts.js'
import { pagePath } from '../kinds.js'
import { nameHtml } from '../text.js'

/** Why a figure is stale, as sentences: at least one. */
export const reasonsOf = (texts: Texts, { staleBecause }: Node): Html[] =>
  staleBecause.length === 0
    ? [texts.t('stale.unknownAsset')]
    : staleBecause.map((reason) => sentence(texts, reason))

function sentence({ t, date }: Texts, reason: StaleBecause) {
  const { assetId: id, usedRevisionId: from, newestRevisionId: to } = reason
  const asset = pagePath({ id, type: NodeType.ASSET })
  return t('stale.asset', {
    asset: html`<a href="${asset}">${nameHtml(reason.assetName)}</a>`,
    used: reason.usedPosition + 1,
    newest: reason.newestPosition + 1,
    time: date(reason.changedOn),
    author: nameHtml(reason.changedBy),
    link: (text) => html`<a href="${asset}compare/?from=${from}&to=${to}">${text}</a>`,
  })
}
