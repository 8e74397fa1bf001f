import { type Html, html } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import { humanBytes, made, named, words } from './text.js'

/** What a container is in. */
export type Above = { segment: 'organization' | 'workspace' | 'analysis'; id: string; name: string }

/** What every container shows of itself. */
export function heading(what: string, node: Node, above: Above | undefined): Html {
  const place = above
    ? html` in the ${above.segment} <a href="/${above.segment}/${above.id}">${named(above.name)}</a>`
    : html``
  return html`<p class="kind">${what}${place}</p>
<h1>${named(node.name)}</h1>
<p class="quiet">Made on ${made(node)} · ${humanBytes(node.sizeBytes)}</p>
${words(node.description)}`
}
