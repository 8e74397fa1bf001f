import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../texts/texts.js'
import { type Item, rows } from './lists.js'
import { partOf } from './parts.js'
import { nameHtml } from './text.js'

type Kind = {
  title: MessageKey
  type: NodeType
  path: string
  owner: { type: NodeType; path: string }
  unnamed: MessageKey
}
const figures: Kind = {
  title: 'figure.using',
  type: NodeType.FIGURE_REVISION,
  path: '/r',
  owner: { type: NodeType.FIGURE, path: '/figure' },
  unnamed: 'revision.ofUnknownFigure',
}
const assets: Kind = {
  title: 'asset.used',
  type: NodeType.ASSET_REVISION,
  path: '/asset_revision',
  owner: { type: NodeType.ASSET, path: '/asset' },
  unnamed: 'revision.ofUnknownAsset',
}

/** A list, and the names in it. */
export type Linked = { list: Html; names: Html[] }

/** The assets that a figure revision uses. */
export const assetsUsed = (input: Input, { links }: Revision): Promise<Linked> =>
  linked(
    input,
    assets,
    links.map(({ assetRevisionId }) => assetRevisionId),
  )

/** The figures that use an asset revision. */
export const figuresUsing = (input: Input, { links }: Revision): Promise<Linked> =>
  linked(
    input,
    figures,
    links.map(({ figureRevisionId }) => figureRevisionId),
  )

/** Lists revisions with the names of their figures or assets, and counts those that the user may not view. Takes two RPCs. */
async function linked(input: Input, kind: Kind, all: string[]): Promise<Linked> {
  if (all.length === 0) return { list: html``, names: [] }
  const { catalog } = input.services
  const texts = textsOf(input)
  const { t } = texts
  const { shown: ids, next } = partOf(input, 'linked', [...new Set(all)], (id) => id)
  const { nodes, hiddenIds } = await catalog.resolveNodes({ ids, type: kind.type }, input.call)
  const names = await ownerNames(input, nodes, kind)
  const items = [...groupByOwner(nodes)].flatMap(([ownerId, revisions]) =>
    itemsOf(texts, kind, revisions, { id: ownerId, name: names.get(ownerId) }),
  )
  const hidden = hiddenIds.length
  const title = t(kind.title)
  const list = items.length > 0 ? rows(texts, title, items) : html`<h2>${title}</h2>`
  const note =
    hidden > 0 ? html`<p class="quiet">${t('list.hidden', { count: hidden })}</p>` : html``
  return { list: html`${list}${note}${next}`, names: items.map(({ name }) => name) }
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
function itemsOf(
  { t, date }: Texts,
  kind: Kind,
  revisions: Node[],
  owner: { id: string; name: string | undefined },
): (Item & { name: Html })[] {
  const { name } = owner
  if (name !== undefined && revisions.length > 1) {
    const note = t('revision.count', { count: revisions.length })
    const href = `${kind.owner.path}/${owner.id}`
    return [{ href, caption: nameHtml(name), note, name: html`${name}` }]
  }
  const caption = name === undefined ? t(kind.unnamed) : nameHtml(name)
  return revisions.map(({ id, createdOn }) => ({
    href: `${kind.path}/${id}`,
    caption,
    note: date(createdOn),
    name: name === undefined ? t(kind.unnamed) : html`${name}`,
  }))
}

/** A line with a link, and the name of the figure. */
export type Source = { line: Html; name: Html }

/** The revision that a revision was derived from, if the user may view it. */
export async function sourceOf(
  input: Input,
  { derivedFrom: id }: Revision,
): Promise<Source | undefined> {
  if (!id) return undefined
  const { services, call } = input
  const request = { id, type: NodeType.FIGURE_REVISION, withParent: true }
  const accessErrors = [Code.NotFound, Code.PermissionDenied, Code.Unauthenticated]
  const answer = await services.catalog.getNode(request, call).catch((error: unknown) => {
    if (accessErrors.some((code) => hasCode(error, code))) return undefined
    throw error
  })
  if (!answer) return undefined
  const { parent } = answer
  const { t } = textsOf(input)
  const link = (content: Html) => html`<a href="/r/${id}">${content}</a>`
  const source = parent
    ? t('revision.derivedFrom', { link, name: nameHtml(parent.name) })
    : t('revision.derivedFromUnknown', { link })
  const name = parent ? html`${parent.name}` : t('revision.ofUnknownFigure')
  return { line: html`<p>${source}</p>`, name }
}
