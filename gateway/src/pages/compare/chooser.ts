import { type Html, html } from '@figbase/kit/text'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'

/** A form to choose two of the newest revisions, and of the compared ones. */
export function chooser(
  input: Input,
  newest: Revision[],
  before: Revision | undefined,
  after: Revision | undefined,
): Html {
  const { t } = textsOf(input)
  const byId = new Map(
    [...newest, before, after].flatMap((one) => (one ? [[one.id, one] as const] : [])),
  )
  const offered = [...byId.values()].sort((a, b) => b.revisionIndex - a.revisionIndex)
  const select = (name: string, label: MessageKey, chosen: Revision | undefined) => {
    const options = offered.map(({ id, revisionIndex }) => {
      const text = t('revision.number', { number: revisionIndex + 1 })
      return html`<option value="${id}"${id === chosen?.id ? html` selected=""` : html``}>${text}</option>`
    })
    return html`<label>${t(label)} <select name="${name}">${options}</select></label>`
  }
  return html`<form method="get" class="choice">${select('from', 'compare.from', before)}
${select('to', 'compare.to', after)}
<button>${t('compare.compare')}</button></form>`
}
