import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../texts/texts.js'

/** What a revision was made from, the revision, and what is made from it. */
export type Provenance = { sources: Html[]; name: Html; uses: Html[] }

/** Further ones are counted in the last box. */
const boxesMax = 6
/** In pixels. A nested `svg` cuts a name that is too long. */
const box = { width: 190, height: 34, gap: 10 }
const column = box.width + 50

/** A drawing of the provenance. The lists on the page say the same, with links. */
export function provenanceGraph(texts: Texts, { sources, name, uses }: Provenance): Html {
  if (sources.length === 0 && uses.length === 0) return html``
  const columns = [limited(texts, sources), [name], limited(texts, uses)].filter(
    (names) => names.length > 0,
  )
  const rows = Math.max(...columns.map((names) => names.length))
  const height = rows * (box.height + box.gap)
  const top = (names: Html[], i: number) =>
    (height - names.length * (box.height + box.gap) + box.gap) / 2 + i * (box.height + box.gap)
  const boxes = columns.flatMap((names, x) =>
    names.map((text, i) =>
      boxOf(text, x * column, top(names, i), names.length === 1 && text === name),
    ),
  )
  const arrows = columns.slice(1).flatMap((names, x) => {
    const before = columns[x] ?? []
    return before.flatMap((_, i) =>
      names.map((_, j) =>
        arrow(x * column + box.width, top(before, i), (x + 1) * column, top(names, j)),
      ),
    )
  })
  const width = columns.length * column - (column - box.width)
  const size = { width: String(width), height: String(height) }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${texts.t('provenance.title')}"><svg class="graph" role="img" aria-label="${texts.t('provenance.alternative')}" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"></path></marker></defs>
${arrows}${boxes}</svg></div>`
}

function limited({ t }: Texts, names: Html[]): Html[] {
  if (names.length <= boxesMax) return names
  const shown = names.slice(0, boxesMax - 1)
  return [...shown, t('provenance.more', { count: names.length - shown.length })]
}

function boxOf(text: Html, x: number, y: number, isCenter: boolean) {
  const at = { x: String(x), y: String(y), width: String(box.width), height: String(box.height) }
  const name = isCenter ? 'center' : 'box'
  return html`<svg x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}"><rect class="${name}" x="1" y="1" width="${String(box.width - 2)}" height="${String(box.height - 2)}" rx="6"></rect>
<title>${text}</title><text x="10" y="22">${text}</text></svg>`
}

function arrow(fromX: number, fromTop: number, toX: number, toTop: number) {
  const [fromY, toY] = [fromTop + box.height / 2, toTop + box.height / 2]
  const middle = (fromX + toX) / 2
  const path = `M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX - 1} ${toY}`
  return html`<path class="arrow" d="${path}" marker-end="url(#arrow)"></path>`
}
