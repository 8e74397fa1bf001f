import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { AssetLink } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { moreThan } from '../lists.js'
import { nameHtml } from '../text.js'

/** Which revisions of assets only one of two revisions uses. Takes two RPCs. */
export async function linkChanges(
  input: Input,
  before: AssetLink[],
  after: AssetLink[],
): Promise<Html> {
  const texts = textsOf(input)
  const [old, recent] = [idsOf(before), idsOf(after)]
  const changed = [...old, ...recent].filter((id) => old.has(id) !== recent.has(id))
  if (changed.length === 0) return html``
  const { services, call, cfg } = input
  const ids = changed.slice(0, cfg.pageItemsMax)
  const request = { ids, type: NodeType.ASSET_REVISION }
  const { nodes, hiddenIds } = await services.catalog.resolveNodes(request, call)
  const names = await assetNames(input, nodes)
  const items = nodes.map((node) => ({
    node,
    name: names.get(node.parentId),
    isNew: recent.has(node.id),
  }))
  // The revisions of one asset are beside each other, the old one first.
  items.sort((a, b) => {
    const order = a.node.parentId.localeCompare(b.node.parentId)
    return order || Number(a.isNew) - Number(b.isNew)
  })
  const hidden =
    hiddenIds.length > 0
      ? html`<p class="quiet">${texts.t('list.hidden', { count: hiddenIds.length })}</p>`
      : html``
  return html`<h2>${texts.t('compare.assets')}</h2>
<ul class="rows">${items.map((item) => itemHtml(texts, item))}</ul>${moreThan(texts, ids.length, changed.length)}${hidden}`
}

const idsOf = (links: AssetLink[]) => new Set(links.map(({ assetRevisionId }) => assetRevisionId))

async function assetNames({ services, call }: Input, revisions: Node[]) {
  const ids = [...new Set(revisions.map(({ parentId }) => parentId))]
  if (ids.length === 0) return new Map<string, string>()
  const { nodes } = await services.catalog.resolveNodes({ ids, type: NodeType.ASSET }, call)
  return new Map(nodes.map(({ id, name }) => [id, name]))
}

type Item = { node: Node; name: string | undefined; isNew: boolean }

function itemHtml({ t, dateTime }: Texts, { node, name, isNew }: Item) {
  const state: MessageKey = isNew ? 'compare.state.added' : 'compare.state.removed'
  const shown = name === undefined ? t('revision.ofUnknownAsset') : nameHtml(name)
  return html`<li><a href="/asset_revision/${node.id}">${shown}</a>
<span class="quiet">${t(state)}, ${dateTime(node.createdOn)}</span></li>`
}
