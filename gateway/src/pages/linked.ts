import { type Html, html } from '@figbase/kit'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { rows } from './lists.js'
import { named } from './text.js'

const figures = {
  revision: NodeType.FIGURE_REVISION,
  owner: NodeType.FIGURE,
  path: '/r',
  unnamed: 'A revision of a figure',
}
const assets = {
  revision: NodeType.ASSET_REVISION,
  owner: NodeType.ASSET,
  path: '/asset_revision',
  unnamed: 'A revision of an asset',
}

/** What a figure revision was made with. */
export function assetsUsed(input: Input, { links }: Revision): Promise<Html> {
  const ids = links.map(({ assetRevisionId }) => assetRevisionId)
  return linked(input, 'Assets that it uses', assets, ids)
}

/** What an asset revision is used by. */
export function figuresUsing(input: Input, { links }: Revision): Promise<Html> {
  const ids = links.map(({ figureRevisionId }) => figureRevisionId)
  return linked(input, 'Figures that use it', figures, ids)
}

/** By the names of what they belong to; what the caller may not view is counted only. Two calls for all. */
async function linked(input: Input, title: string, kind: typeof figures, all: string[]) {
  if (all.length === 0) return html``
  const { catalog } = input.services
  const ids = all.slice(0, input.cfg.pageItemsMax)
  const request = { ids, type: kind.revision }
  const { nodes, hiddenIds } = await catalog.resolveNodes(request, input.call)
  const names = await ownerNames(input, nodes, kind.owner)
  const items = nodes.map(({ id, parentId }) => {
    const name = names.get(parentId)
    const caption = name === undefined ? html`${kind.unnamed}` : named(name)
    return { href: `${kind.path}/${id}`, caption, note: html`` }
  })
  const hidden = hiddenIds.length
  const list = items.length > 0 ? rows(title, items, all.length - hidden) : html`<h2>${title}</h2>`
  const note =
    hidden > 0 ? html`<p class="quiet">${String(hidden)} that you may not view.</p>` : html``
  return html`${list}${note}`
}

/** Of those that the caller may view: a revision may be shared alone. */
async function ownerNames({ services, call }: Input, revisions: Node[], type: NodeType) {
  const ids = [...new Set(revisions.map(({ parentId }) => parentId))]
  if (ids.length === 0) return new Map<string, string>()
  const { nodes } = await services.catalog.resolveNodes({ ids, type }, call)
  return new Map(nodes.map(({ id, name }) => [id, name]))
}
