import { type Html, html } from '@figbase/kit/text'

export type Item = { href: string; caption: Html; note: Html }
export type Card = Item & { picture: string | undefined }

/** A heading and a list of links with small pictures; `count` is the total number of items. */
export function cards(title: string, items: Card[], count: number): Html {
  return section(title, html`<ul class="cards">${items.map(card)}</ul>`, items.length, count)
}

/** A heading and a list of links; `count` is the total number of items. */
export function rows(title: string, items: Item[], count: number): Html {
  return section(title, html`<ul class="rows">${items.map(row)}</ul>`, items.length, count)
}

function section(title: string, list: Html, shown: number, count: number) {
  if (count === 0) return html`<h2>${title}</h2><p class="empty">Nothing here yet.</p>`
  return html`<h2>${title}</h2>${list}${moreThan(shown, count)}`
}

/** A note below a truncated list. */
export function moreThan(shown: number, count: number): Html {
  if (count <= shown) return html``
  const text = `Showing ${shown.toLocaleString('en')} of ${count.toLocaleString('en')}.`
  return html`<p class="quiet">${text}</p>`
}

/** The picture has no alternative text, because the caption describes it. */
const card = ({ href, picture, caption, note }: Card) => {
  const frame = picture ? html`<img src="${picture}" alt="" loading="lazy">` : html`no picture`
  return html`<li><a href="${href}"><span class="frame">${frame}</span><span class="caption">${caption}</span></a>
<span class="quiet">${note}</span></li>`
}

const row = ({ href, caption, note }: Item) =>
  html`<li><a href="${href}">${caption}</a> <span class="quiet">${note}</span></li>`
