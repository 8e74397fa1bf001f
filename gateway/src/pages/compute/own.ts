import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { Lifecycle } from '@figbase/proto/compute'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { kinds, pagePath } from '../kinds.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { notebookList } from './list.js'
import { notebooksPath, requireCompute } from './status.js'

const query = { query: z.object({ cursor: z.string().max(1000).catch('') }) }

/** The notebooks of the reader in all workspaces. */
export const ownNotebooks: Route = userPage(notebooksPath, ownPage, query)

async function ownPage(input: Input): Promise<Page> {
  requireCompute(input)
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor: pageToken } = input.query as { cursor: string }
  const request = { pageSize: cfg.pageItemsMax, pageToken }
  const { instances, nextPageToken } = await services.compute.listOwnInstances(request, call)
  const live = instances.filter(({ lifecycle }) => lifecycle !== Lifecycle.TERMINATED)
  const ids = [...new Set(live.map(({ workspaceId }) => workspaceId))]
  const type = NodeType.WORKSPACE
  const workspaces =
    ids.length > 0 ? (await services.catalog.resolveNodes({ ids, type }, call)).nodes : []
  const byId = new Map(workspaces.map((node) => [node.id, node]))
  const list = notebookList(texts, live, ({ workspaceId }) => {
    const node = byId.get(workspaceId)
    return node
      ? html`<a href="${pagePath(node)}notebooks/">${nameHtml(node.name)}</a>`
      : html`${t(kinds.workspace.name)}`
  })
  return {
    title: t('compute.title'),
    content: html`<h1>${t('compute.title')}</h1>
<p>${t('compute.ownNote')}</p>
${list}${nextLink(input, nextPageToken)}`,
  }
}
