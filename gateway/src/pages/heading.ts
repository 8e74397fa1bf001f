import { type Html, html } from '@figbase/kit'
import { type Node, NodeType, type Parent } from '@figbase/proto/catalog'
import { humanBytes, made, named, words } from './text.js'

const segments: Partial<Record<NodeType, string>> = {
  [NodeType.WORKSPACE]: 'workspace',
  [NodeType.ANALYSIS]: 'analysis',
}

/** What every container shows of itself, and of what it is in if the reader may view that. */
export function heading(what: string, node: Node, parent?: Parent): Html {
  return html`<p class="kind">${what}${parent ? placeOf(parent) : html``}</p>
<h1>${named(node.name)}</h1>
<p class="quiet">Made on ${made(node)} · ${humanBytes(node.sizeBytes)}</p>
${words(node.description)}`
}

function placeOf({ id, type, name }: Parent) {
  const segment = segments[type]
  return segment ? html` in the ${segment} <a href="/${segment}/${id}">${named(name)}</a>` : html``
}
