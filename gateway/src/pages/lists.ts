import { type Html, html } from '@figbase/kit'

export type Item = { href: string; caption: Html; note: Html }
export type Card = Item & { picture: string | undefined }

/** Links with small pictures, under a heading; of `count` items that there are. */
export function cards(title: string, items: Card[], count: number): Html {
  return section(title, html`<ul class="cards">${items.map(card)}</ul>`, items.length, count)
}

/** Links one below the other. */
export function rows(title: string, items: Item[], count: number): Html {
  return section(title, html`<ul class="rows">${items.map(row)}</ul>`, items.length, count)
}

function section(title: string, list: Html, shown: number, count: number) {
  if (count === 0) return html`<h2>${title}</h2><p class="empty">There is nothing here yet.</p>`
  return html`<h2>${title}</h2>${list}${moreThan(shown, count)}`
}

/** Of a list that was cut. */
export function moreThan(shown: number, count: number): Html {
  if (count <= shown) return html``
  const text = `${shown.toLocaleString('en')} of ${count.toLocaleString('en')} are shown.`
  return html`<p class="quiet">${text}</p>`
}

/** The caption says what the picture would. */
const card = ({ href, picture, caption, note }: Card) => {
  const frame = picture ? html`<img src="${picture}" alt="" loading="lazy">` : html`no picture`
  return html`<li><a href="${href}"><span class="frame">${frame}</span><span class="caption">${caption}</span></a>
<span class="quiet">${note}</span></li>`
}

const row = ({ href, caption, note }: Item) =>
  html`<li><a href="${href}">${caption}</a> <span class="quiet">${note}</span></li>`
