import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { type Item, rows } from './lists.js'
import { dateHtml, nameHtml } from './text.js'

const figures = {
  title: 'Figures that use it',
  type: NodeType.FIGURE_REVISION,
  path: '/r',
  owner: { type: NodeType.FIGURE, path: '/figure' },
  unnamed: 'A revision of a figure',
}
type Kind = typeof figures
const assets: Kind = {
  title: 'Assets that it uses',
  type: NodeType.ASSET_REVISION,
  path: '/asset_revision',
  owner: { type: NodeType.ASSET, path: '/asset' },
  unnamed: 'A revision of an asset',
}

/** The assets that a figure revision uses. */
export const assetsUsed = (input: Input, { links }: Revision): Promise<Html> =>
  linked(
    input,
    assets,
    links.map(({ assetRevisionId }) => assetRevisionId),
  )

/** The figures that use an asset revision. */
export const figuresUsing = (input: Input, { links }: Revision): Promise<Html> =>
  linked(
    input,
    figures,
    links.map(({ figureRevisionId }) => figureRevisionId),
  )

/** Lists revisions with the names of their figures or assets, and counts those that the user may not view. Takes two RPCs. */
async function linked(input: Input, kind: Kind, all: string[]) {
  if (all.length === 0) return html``
  const { catalog } = input.services
  const ids = all.slice(0, input.cfg.pageItemsMax)
  const { nodes, hiddenIds } = await catalog.resolveNodes({ ids, type: kind.type }, input.call)
  const names = await ownerNames(input, nodes, kind)
  const items = [...groupByOwner(nodes)].flatMap(([ownerId, revisions]) =>
    itemsOf(kind, revisions, ownerId, names.get(ownerId)),
  )
  const hidden = hiddenIds.length
  const count = items.length + all.length - ids.length
  const list = items.length > 0 ? rows(kind.title, items, count) : html`<h2>${kind.title}</h2>`
  const note =
    hidden > 0
      ? html`<p class="quiet">${String(hidden)} more that you do not have access to.</p>`
      : html``
  return html`${list}${note}`
}

/** The names of the owners that the user may view. A revision may be shared without its owner. */
async function ownerNames({ services, call }: Input, revisions: Node[], { owner }: Kind) {
  const ids = [...groupByOwner(revisions).keys()]
  if (ids.length === 0) return new Map<string, string>()
  const { nodes } = await services.catalog.resolveNodes({ ids, type: owner.type }, call)
  return new Map(nodes.map(({ id, name }) => [id, name]))
}

function groupByOwner(revisions: Node[]) {
  const groups = new Map<string, Node[]>()
  for (const revision of revisions) {
    const known = groups.get(revision.parentId)
    if (known) known.push(revision)
    else groups.set(revision.parentId, [revision])
  }
  return groups
}

/** One item for several revisions of the same owner, if the user may view the owner. */
function itemsOf(kind: Kind, revisions: Node[], ownerId: string, name: string | undefined): Item[] {
  if (name !== undefined && revisions.length > 1) {
    const note = html`${String(revisions.length)} revisions`
    return [{ href: `${kind.owner.path}/${ownerId}`, caption: nameHtml(name), note }]
  }
  const caption = name === undefined ? html`${kind.unnamed}` : nameHtml(name)
  return revisions.map(({ id, createdOn }) => ({
    href: `${kind.path}/${id}`,
    caption,
    note: dateHtml(createdOn),
  }))
}

/** The revision that a revision was derived from, if the user may view it. */
export async function sourceOf(
  { services, call }: Input,
  { derivedFrom: id }: Revision,
): Promise<Html | undefined> {
  if (!id) return undefined
  const request = { id, type: NodeType.FIGURE_REVISION, withParent: true }
  const accessErrors = [Code.NotFound, Code.PermissionDenied, Code.Unauthenticated]
  const answer = await services.catalog.getNode(request, call).catch((error: unknown) => {
    if (accessErrors.some((code) => hasCode(error, code))) return undefined
    throw error
  })
  if (!answer) return undefined
  const { parent } = answer
  const source = parent ? html`revision of ${nameHtml(parent.name)}` : html`revision of a figure`
  return html`<p>Derived from a <a href="/r/${id}">${source}</a></p>`
}
