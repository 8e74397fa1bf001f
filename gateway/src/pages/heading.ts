import { type Html, html } from '@figbase/kit/text'
import type { Parent } from '@figbase/proto/catalog'
import type { Texts } from '../texts/texts.js'
import { actionsFor } from './actions.js'
import { kindOf, pagePath } from './kinds.js'
import type { Placed } from './placed.js'
import { creatorHtml, markdownHtml, nameHtml, paragraphHtml } from './text.js'

/** Longer descriptions are shown as plain text, because they would take long to render. */
const markdownBytesMax = 16 * 1024

/** The heading of the page of an object: its place, its name, what is known of it, and what the reader may do. */
export async function heading(texts: Texts, placed: Placed): Promise<Html> {
  const { t, dateTime, bytes } = texts
  const { node, ancestors } = placed
  const created = { time: dateTime(node.createdOn), author: creatorHtml(node) }
  return html`${path(texts, ancestors)}<p class="kind">${t(kindOf(node.type).name)}</p>
<h1>${nameHtml(node.name)}</h1>
<p class="quiet">${t('heading.created', created)} · ${bytes(node.sizeBytes)}</p>
${await descriptionOf(texts, node.description)}${actionsFor(texts, placed)}`
}

type Link = Pick<Parent, 'id' | 'type' | 'name'>

/** The links to the ancestors. */
export const path = ({ t }: Texts, ancestors: Link[]): Html =>
  ancestors.length === 0
    ? html``
    : html`<nav class="path" aria-label="${t('heading.path')}"><ol>${ancestors.map(
        (one) => html`<li><a href="${pagePath(one)}">${nameHtml(one.name)}</a></li>`,
      )}</ol></nav>`

/** The links to an object and its ancestors, for a page below that of the object. */
export const pathTo = (texts: Texts, { ancestors, node }: Placed): Html =>
  path(texts, [...ancestors, node])

async function descriptionOf(texts: Texts, text: string | undefined) {
  if (!text) return html``
  if (Buffer.byteLength(text) > markdownBytesMax) return paragraphHtml(text)
  return html`<div class="description written" dir="auto">${await markdownHtml(texts, text)}</div>`
}
