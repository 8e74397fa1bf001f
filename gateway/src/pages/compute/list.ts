import { type Html, html } from '@figbase/kit/text'
import type { Instance } from '@figbase/proto/compute'
import type { Texts } from '../../texts/texts.js'
import { nameHtml } from '../text.js'
import { notebookPath, stateOf } from './status.js'

/** Notebooks with their state, and a note on each. */
export function notebookList(
  texts: Texts,
  instances: Instance[],
  noteOf: (instance: Instance) => Html,
): Html {
  if (instances.length === 0) return html`<p class="empty">${texts.t('compute.none')}</p>`
  const items = instances.map(
    (instance) =>
      html`<li><a href="${notebookPath(instance.id)}">${nameHtml(instance.name)}</a> <span class="mark">${stateOf(texts, instance)}</span>
<span class="quiet">${noteOf(instance)}</span></li>`,
  )
  return html`<ul class="rows">${items}</ul>`
}
