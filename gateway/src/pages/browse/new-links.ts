import { type Html, html } from '@figbase/kit/text'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { may, type Placed } from '../placed.js'

const labels = new Map<Kind, MessageKey>([
  [kinds.workspace, 'new.workspace'],
  [kinds.analysis, 'new.analysis'],
  [kinds.figure, 'new.figure'],
  [kinds.asset, 'new.asset'],
  [kinds.story, 'new.story'],
])

/** Links to the forms that create an object in this one. */
export function newLinks({ t }: Texts, placed: Placed, inside: Kind[]): Html {
  if (!may(placed, 'CREATE')) return html``
  const links = inside.flatMap((kind) => {
    const label = labels.get(kind)
    return label
      ? [
          html`<a class="button" href="${pagePath(placed.node)}new/${kind.segment}/">${t(label)}</a>`,
        ]
      : []
  })
  return html`<p class="buttons">${links}</p>`
}
