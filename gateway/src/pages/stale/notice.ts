import { type Html, html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { type Problem, problemNote } from '../form-problem.js'
import { pagePath } from '../kinds.js'
import { followed } from '../live.js'
import { may, type Placed } from '../placed.js'
import { reasonsOf } from './reasons.js'

/** The end of the address of the form. */
export const stillRightEnd = 'still-right/'
/** The maximum of catalog. */
const reasonCharsMax = 400

/** What a user typed, and what is wrong with it. */
export type Typed = { reason?: string | undefined; problem?: Problem }

/** Says on the page of a figure that it is stale, with a form to say that it is still right. */
export function staleNotice(input: Input, placed: Placed, typed: Typed = {}): Html {
  const { t } = textsOf(input)
  const { id: object } = placed.node
  return html`<div ${followed(input, { id: 'stale', event: 'stale', object, news: t('stale.news') })}>
${placed.node.isStale ? notice(input, placed, typed) : html``}</div>`
}

function notice(input: Input, placed: Placed, typed: Typed) {
  const texts = textsOf(input)
  const items = reasonsOf(texts, placed.node).map((text) => html`<li>${text}</li>`)
  return html`<section class="stale" aria-labelledby="stale-title"><h2 id="stale-title">${texts.t('stale.notice')}</h2>
<ul>${items}</ul>${may(placed, 'UPDATE') ? stillRightForm(input, placed, typed) : html``}</section>`
}

function stillRightForm(input: Input, { node }: Placed, { reason = '', problem }: Typed) {
  const { t } = textsOf(input)
  return html`${problemNote(t, problem)}<form class="row" method="post" action="${pagePath(node)}${stillRightEnd}">${formToken(input)}
<label>${t('stale.reason')}<input name="reason" value="${reason}" required maxlength="${String(reasonCharsMax)}"></label>
<button class="secondary">${t('stale.stillRight')}</button></form>`
}
