import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../texts/texts.js'

/** Values below this depth are open at first. */
const openDepth = 2
const depthMax = 20
/** A longer text is cut. */
const charsMax = 2000

/** Where a value leads; undefined: nowhere. `path`: the keys of the objects that lead to it. */
type HrefOf = (path: string[], value: unknown) => string | undefined

/** Parsed JSON as a list of which each object and array can be folded. It shows at most `valuesMax` values. */
export function jsonTree(
  { t }: Texts,
  value: unknown,
  valuesMax: number,
  hrefOf: HrefOf = () => undefined,
): Html {
  let left = valuesMax
  const tree = (value: unknown, label: Html, depth: number, path: string[]): Html => {
    if (typeof value !== 'object' || value === null) {
      const href = hrefOf(path, value)
      const shown = scalar(value)
      return href ? html`${label}<a href="${href}">${shown}</a>` : html`${label}${shown}`
    }
    const entries = Array.isArray(value)
      ? value.map((item: unknown, i) => [String(i), item] as const)
      : Object.entries(value)
    const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
    const summary = html`${label}<span class="quiet">${size}</span>`
    if (entries.length === 0 || depth === depthMax) return summary
    const items: Html[] = []
    const pathOf = (key: string) => (Array.isArray(value) ? path : [...path, key])
    for (const [key, item] of entries) {
      if (left-- <= 0) break
      items.push(
        html`<li>${tree(item, html`<span class="hf">${cut(key)}</span>: `, depth + 1, pathOf(key))}</li>`,
      )
    }
    const list = html`<summary>${summary}</summary><ul>${items}</ul>`
    return depth < openDepth
      ? html`<details open>${list}</details>`
      : html`<details>${list}</details>`
  }
  const shown = html`<div class="json">${tree(value, html``, 0, [])}</div>`
  return left < 0 ? html`${shown}<p class="quiet">${t('json.cut')}</p>` : shown
}

const scalar = (value: unknown) =>
  typeof value === 'string'
    ? html`<span class="hs">${JSON.stringify(cut(value))}</span>`
    : html`<span class="hn">${String(value)}</span>`

const cut = (text: string) => (text.length > charsMax ? `${text.slice(0, charsMax)}…` : text)
