import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../../texts/texts.js'
import type { Hunk, Line, Part } from './line-diff.js'

/** Changed lines, with a line that names their place before each group. */
export function diffHtml({ number }: Texts, name: string, hunks: Hunk[]): Html {
  const shown = hunks.map(
    ({ before, after, lines }) =>
      html`<span class="place">@@ ${number(before)} → ${number(after)} @@</span>${lines.map(lineHtml)}`,
  )
  return html`<pre class="diff" tabindex="0" role="region" aria-label="${name}"><code>${shown}</code></pre>`
}

function lineHtml({ state, parts }: Line): Html {
  const text = parts.map(partHtml)
  if (state === 'added') return html`<ins>+ ${text}</ins>`
  if (state === 'removed') return html`<del>- ${text}</del>`
  return html`<span>  ${text}</span>`
}

const partHtml = ({ text, isChanged }: Part) =>
  isChanged ? html`<mark>${text}</mark>` : html`${text}`
