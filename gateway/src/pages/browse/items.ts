import { html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Texts } from '../../texts/texts.js'
import { pagePath } from '../kinds.js'
import type { Card, Item } from '../lists.js'
import { newestPicture } from '../pictures.js'
import { nameHtml } from '../text.js'

/** Objects as links. */
export const rowsOf = (texts: Texts, nodes: Node[]): Item[] =>
  nodes.map((node) => ({
    href: pagePath(node),
    caption: nameHtml(node.name),
    note: noteOf(texts, node),
  }))

/** With the newest picture below each. */
export const cardsOf = (texts: Texts, nodes: Node[]): Card[] =>
  nodes.map((node) => ({
    href: pagePath(node),
    picture: newestPicture(node),
    caption: nameHtml(node.name),
    note: noteOf(texts, node),
  }))

/** The time of the last change; of a figure or an asset also how many revisions it has. */
function noteOf({ t, date }: Texts, node: Node) {
  const changedOn = date(node.childUpdatedOn ?? node.updatedOn ?? node.createdOn)
  const stale = node.isStale ? html` <span class="mark">${t('stale.mark')}</span>` : html``
  return node.type === NodeType.FIGURE || node.type === NodeType.ASSET
    ? html`${t('revision.count', { count: node.children })}, ${changedOn}${stale}`
    : t('list.changed', { date: changedOn })
}
