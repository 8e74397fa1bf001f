import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType, type Parent } from '@figbase/proto/catalog'
import { createdHtml, humanBytes, nameHtml, paragraphHtml } from './text.js'

const segments: Partial<Record<NodeType, string>> = {
  [NodeType.WORKSPACE]: 'workspace',
  [NodeType.ANALYSIS]: 'analysis',
}

/** The heading of a container page, with its parent if the user may view that. */
export function heading(what: string, node: Node, parent?: Parent): Html {
  return html`<p class="kind">${what}${parent ? placeOf(parent) : html``}</p>
<h1>${nameHtml(node.name)}</h1>
<p class="quiet">Created on ${createdHtml(node)} · ${humanBytes(node.sizeBytes)}</p>
${paragraphHtml(node.description)}`
}

function placeOf({ id, type, name }: Parent) {
  const segment = segments[type]
  return segment
    ? html` in the ${segment} <a href="/${segment}/${id}">${nameHtml(name)}</a>`
    : html``
}
