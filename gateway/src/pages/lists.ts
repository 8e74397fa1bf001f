import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../texts/texts.js'

export type Item = { href: string; caption: Html; note: Html }
export type Card = Item & { picture: string | undefined }

/** A list of links with small pictures. */
export const cardList = (texts: Texts, items: Card[]): Html =>
  html`<ul class="cards">${items.map((item) => card(texts, item))}</ul>`

/** A list of links. */
export const rowList = (items: Item[]): Html => html`<ul class="rows">${items.map(row)}</ul>`

/** A heading and a list of links with small pictures. */
export const cards = (texts: Texts, title: Html, items: Card[]): Html =>
  section(texts, title, items, cardList(texts, items))

/** A heading and a list of links. */
export const rows = (texts: Texts, title: Html, items: Item[]): Html =>
  section(texts, title, items, rowList(items))

const section = ({ t }: Texts, title: Html, { length }: Item[], list: Html) =>
  html`<h2>${title}</h2>${length > 0 ? list : html`<p class="empty">${t('list.empty')}</p>`}`

/** A list of entries with more than a link, or a note that there are none. */
export const entryList = (entries: Html[], none: Html): Html =>
  entries.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<ul class="entries">${entries}</ul>`

/** A note below a truncated list. */
export function moreThan({ t, number }: Texts, shown: number, count: number): Html {
  if (count <= shown) return html``
  const counts = { shown: number(shown), count: number(count) }
  return html`<p class="quiet">${t('list.shown', counts)}</p>`
}

/** The picture has no alternative text, because the caption describes it. */
const card = ({ t }: Texts, { href, picture, caption, note }: Card) => {
  const frame = picture ? html`<img src="${picture}" alt="" loading="lazy">` : t('list.noPicture')
  return html`<li><a href="${href}"><span class="frame">${frame}</span><span class="caption">${caption}</span></a>
<span class="quiet">${note}</span></li>`
}

const row = ({ href, caption, note }: Item) =>
  html`<li><a href="${href}">${caption}</a> <span class="quiet">${note}</span></li>`
