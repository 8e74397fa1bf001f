import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../../texts/texts.js'

/** A month (`2026-11`), and its value as a number and as text. */
export type Bar = { period: string; value: number; shown: string }

/** In pixels; the width is that of the page. */
const top = 20
const bottom = 140
const height = 164

const nothing: Bar = { period: '', value: 0, shown: '' }

/** Bars of months, and the same as a table. */
export function monthPlot(texts: Texts, title: Html, bars: Bar[]): Html {
  const { t, month } = texts
  const highest = bars.reduce((max, bar) => (bar.value > max.value ? bar : max), nothing)
  if (highest.value === 0) return html`<h2>${title}</h2><p class="quiet">${t('usage.none')}</p>`
  const rows = bars.map(
    ({ period, shown }) =>
      html`<tr><th scope="row">${month(period)}</th><td class="number">${shown}</td></tr>`,
  )
  return html`<h2>${title}</h2>
<svg class="plot" role="img" aria-label="${t('usage.plot', { title, month: month(highest.period), value: highest.shown })}" width="100%" height="${String(height)}">
<line x1="0" x2="100%" y1="${String(top)}" y2="${String(top)}"></line><line x1="0" x2="100%" y1="${String(bottom)}" y2="${String(bottom)}"></line>
<text x="0" y="${String(top - 6)}">${highest.shown}</text>
${bars.map((bar, i) => barOf(texts, bar, i, { count: bars.length, highest: highest.value }))}</svg>
<details><summary>${t('usage.table')}</summary><table class="cells">
<thead><tr><th scope="col">${t('usage.month')}</th><th scope="col">${title}</th></tr></thead><tbody>${rows}</tbody></table></details>`
}

type Scale = { count: number; highest: number }

function barOf(
  { month, monthLetter }: Texts,
  { period, value, shown }: Bar,
  index: number,
  { count, highest }: Scale,
): Html {
  const percent = (slots: number) => `${((slots * 100) / count).toFixed(2)}%`
  // What is not zero can be seen.
  const size = value === 0 ? 0 : Math.max(2, ((bottom - top) * value) / highest)
  const rect = { y: (bottom - size).toFixed(1), height: size.toFixed(1) }
  return html`<g><title>${month(period)}: ${shown}</title>
<rect x="${percent(index + 0.15)}" y="${rect.y}" width="${percent(0.7)}" height="${rect.height}" rx="2"></rect>
<text class="middle" x="${percent(index + 0.5)}" y="${String(bottom + 18)}">${monthLetter(period)}</text></g>`
}
